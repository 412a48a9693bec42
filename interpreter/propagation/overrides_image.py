"""Names of container images: taken apart, changed part by part, put together.

The grammar is that of container distribution (``distribution/reference``). The part before the
first ``/`` is a registry only if it has a dot or a colon, or is ``localhost``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonObject, read_str

_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_WORD = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_TAG = r"[\w][\w.-]{0,127}"
_ALGORITHM = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*"
_DIGEST = rf"{_ALGORITHM}:[0-9a-fA-F]{{32,}}"
_REFERENCE = re.compile(
    rf"((?:{_HOST}/)?{_WORD}(?:/{_WORD})*)(?::({_TAG}))?(?:@({_DIGEST}))?\Z", re.ASCII
)
_IS_TAG = re.compile(rf"{_TAG}\Z", re.ASCII)
_IS_DIGEST = re.compile(rf"{_DIGEST}\Z", re.ASCII)
#: Hexadecimal digits of the digests whose length is known.
_DIGITS: Final = {"sha256": 64, "sha384": 96, "sha512": 128}
_LONGEST_NAME = 255


class ImageName(NamedTuple):
    """The parts of an image's name; a part that is not there is empty."""

    hostname: str
    repository: str
    tag: str = ""
    digest: str = ""

    def __str__(self) -> str:
        name = f"{self.hostname}/{self.repository}" if self.hostname else self.repository
        if self.tag:
            return f"{name}:{self.tag}"
        return f"{name}@{self.digest}" if self.digest else name

    def with_tag_or_digest(self, text: str) -> ImageName:
        """With another tag, or another digest instead of it; what is neither changes nothing."""
        if _IS_TAG.match(text):
            return self._replace(tag=text, digest="")
        if _IS_DIGEST.match(text):
            return self._replace(tag="", digest=text)
        return self


def parse_image(text: str) -> ImageName:
    """Takes an image's name apart. Of a tag and a digest only the tag is kept.

    Raises:
        InvalidObject: The text is empty, or no name of an image.
    """
    found = _REFERENCE.match(text)
    if found is None:
        problem = "is no name of an image" if text else "the name of an image is empty"
        raise InvalidObject(problem, value=text)
    name, tag, digest = found.groups()
    if len(name) > _LONGEST_NAME:
        raise InvalidObject(f"the name of an image has more than {_LONGEST_NAME} characters")
    _check_digest(digest or "")
    first, slash, rest = name.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return ImageName(first, rest, tag or "", "" if tag else digest or "")
    return ImageName("", name, tag or "", "" if tag else digest or "")


def _check_digest(digest: str) -> None:
    if digest:
        algorithm, _, digits = digest.partition(":")
        if len(digits) != _DIGITS.get(algorithm) or digits != digits.lower():
            raise InvalidObject("is no digest of an image", value=digest)


def override_image(image: str, overrider: JsonObject) -> str:
    """An image's name with one part changed, as an image overrider says.

    ``add`` writes its text behind the part, without a separator. Removing the tag removes the
    digest where there is no tag.

    Raises:
        InvalidObject: The image's name, the component or the operator is none.
    """
    name = parse_image(image)
    component, action = read_str(overrider, "component"), read_str(overrider, "operator")
    value = read_str(overrider, "value")
    field = {"Registry": "hostname", "Repository": "repository", "Tag": "tag"}.get(component)
    if field is None:
        raise InvalidObject(
            "must be Registry, Repository or Tag", path="component", value=component
        )
    if action not in ("add", "replace", "remove"):
        raise InvalidObject("must be add, replace or remove", path="operator", value=action)
    if component == "Tag":
        if action == "remove":
            return str(name._replace(tag="") if name.tag else name._replace(digest=""))
        return str(
            name.with_tag_or_digest((name.tag or name.digest) + value if action == "add" else value)
        )
    current: str = getattr(name, field)
    changed = {"add": current + value, "replace": value, "remove": ""}[action]
    return str(name._replace(**{field: changed}))
