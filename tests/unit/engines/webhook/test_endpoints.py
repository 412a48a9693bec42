"""clientConfig as an address."""

from __future__ import annotations

import base64
from typing import Any

import pytest
import trustme

from interpreter.api.config import WebhookClientConfig
from interpreter.engines.webhook.endpoints import endpoint_of
from interpreter.errors import InvalidCustomization


@pytest.mark.parametrize(
    ("config", "url", "host", "port", "path"),
    [
        pytest.param(
            {"url": "https://hooks.example.com/interpret"},
            "https://hooks.example.com:443/interpret",
            "hooks.example.com",
            443,
            "/interpret",
            id="https, default port",
        ),
        pytest.param(
            {"url": "https://[::1]:8443"}, "https://[::1]:8443/", "::1", 8443, "/", id="IPv6"
        ),
        pytest.param(
            {"url": "grpc://10.0.0.1:50051"},
            "grpc://10.0.0.1:50051",
            "10.0.0.1",
            50051,
            "",
            id="grpc",
        ),
        pytest.param(
            {"url": "grpcs://hooks"},
            "grpcs://hooks:443",
            "hooks",
            443,
            "",
            id="grpcs, default port",
        ),
        pytest.param({"url": "unix:/run/s"}, "unix:/run/s", "", 0, "/run/s", id="unix"),
        pytest.param(
            {"url": "unix:///run/s"}, "unix:/run/s", "", 0, "/run/s", id="unix with slashes"
        ),
        pytest.param(
            {"service": {"namespace": "system", "name": "hooks"}},
            "https://hooks.system.svc:443/",
            "hooks.system.svc",
            443,
            "/",
            id="service, default port",
        ),
        pytest.param(
            {"service": {"namespace": "system", "name": "hooks", "port": 9443, "path": "/a"}},
            "https://hooks.system.svc:9443/a",
            "hooks.system.svc",
            9443,
            "/a",
            id="service with port and path",
        ),
    ],
)
def test_an_address_is_read(
    config: dict[str, Any], url: str, host: str, port: int, path: str
) -> None:
    endpoint = endpoint_of(WebhookClientConfig(**config))
    assert (endpoint.url, endpoint.host, endpoint.port, endpoint.path) == (url, host, port, path)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"url": "http://hooks/x"}, "url: must start with https://, grpc://, grpcs:// or unix:"),
        ({"url": "hooks:443"}, "url: must start with"),
        ({"url": ""}, "url: must start with"),
        ({"url": "https:hooks"}, "url: must name a host behind two slashes"),
        ({"url": "https://"}, "url: names no host"),
        ({"url": "https://user:secret@hooks/x"}, "url: must not hold a user or password"),
        ({"url": "https://hooks/x?a=b"}, "url: must not have a query"),
        ({"url": "https://hooks/x#a"}, "url: must not have a fragment"),
        ({"url": "https://hooks:0/"}, "url: must not name port 0"),
        ({"url": "https://hooks:99999/"}, "url: is no URL"),
        ({"url": "https://ho oks/"}, "url: must be a URL in ASCII"),
        ({"url": "https://hooks/\r\nX: y"}, "url: must be a URL in ASCII"),
        ({"url": "grpc://hooks"}, "url: names no port"),
        ({"url": "grpcs://hooks/path"}, "url: must not have a path"),
        ({"url": "unix:"}, "url: must name a socket"),
        ({"service": {"namespace": "a/b", "name": "h"}}, "service.namespace: must be a DNS label"),
        ({"service": {"namespace": "a", "name": "h@x"}}, "service.name: must be a DNS label"),
        ({"service": {"namespace": "a", "name": "h", "path": "x"}}, "service.path: must start"),
        ({"url": "https://h/", "caBundle": "***"}, "caBundle: is no base64"),
        ({"url": "https://h/", "caBundle": "aGVsbG8="}, "caBundle: holds no certificate"),
    ],
)
def test_an_address_that_cannot_be_used_says_why(config: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidCustomization) as caught:
        endpoint_of(WebhookClientConfig(**config))
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


def test_equal_certificates_make_equal_endpoints() -> None:
    def endpoint(authority: trustme.CA) -> Any:
        bundle = base64.b64encode(authority.cert_pem.bytes()).decode()
        return endpoint_of(WebhookClientConfig(url="https://h/", caBundle=bundle))

    one, other = trustme.CA(), trustme.CA()
    assert endpoint(one) == endpoint(one)
    assert endpoint(one) != endpoint(other)
