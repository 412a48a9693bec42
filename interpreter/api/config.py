"""API group ``config.karmada.io/v1alpha1``: the two documents that configure interpretation.

Unknown fields are errors, as a strict API server would say: a misspelt ``luaScript`` must not be
silence.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from interpreter.api.epilogue import without_epilogue

_Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ObjectMeta(BaseModel):
    """The part of ``metadata`` that is read; the rest is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)
    name: _Text
    annotations: dict[str, str] | None = None


class LuaRule(_Strict):
    """A rule with one script."""

    luaScript: str = ""


class DependencyRule(_Strict):
    """The dependency rule, whose script the API requires."""

    luaScript: str


class CustomizationTarget(_Strict):
    """The kind a customization is for.

    ``*`` for version or kind is an extension of this project.
    """

    apiVersion: _Text
    kind: _Text


class CustomizationRules(_Strict):
    """The rules; each holds one Lua script."""

    retention: LuaRule | None = None
    replicaResource: LuaRule | None = None
    componentResource: LuaRule | None = None
    replicaRevision: LuaRule | None = None
    statusReflection: LuaRule | None = None
    statusAggregation: LuaRule | None = None
    healthInterpretation: LuaRule | None = None
    dependencyInterpretation: DependencyRule | None = None

    def scripts(self) -> dict[str, str]:
        """Script text by rule name; rules without a script are left out, epilogues taken off."""
        found = {}
        for name in type(self).model_fields:
            rule = getattr(self, name)
            if rule is not None and rule.luaScript:
                found[name] = without_epilogue(rule.luaScript)
        return found


class CustomizationSpec(_Strict):
    """``spec`` of a customization."""

    target: CustomizationTarget
    customizations: CustomizationRules


class ResourceInterpreterCustomization(_Strict):
    """Lua rules for one kind."""

    apiVersion: Literal["config.karmada.io/v1alpha1"]
    kind: Literal["ResourceInterpreterCustomization"]
    metadata: ObjectMeta
    spec: CustomizationSpec


class WebhookRule(_Strict):
    """Operations and kinds that a webhook serves; ``*`` means all."""

    operations: Annotated[list[_Text], Field(min_length=1)]
    apiGroups: Annotated[list[str], Field(min_length=1)]
    apiVersions: Annotated[list[_Text], Field(min_length=1)]
    kinds: Annotated[list[_Text], Field(min_length=1)]


class ServiceReference(_Strict):
    """A Service in the control plane's cluster."""

    namespace: _Text
    name: _Text
    path: str | None = None
    port: Annotated[int, Field(ge=1, le=65535)] | None = None


class WebhookClientConfig(_Strict):
    """How to reach a webhook: by URL or by service."""

    url: str | None = None
    service: ServiceReference | None = None
    caBundle: str | None = None

    def model_post_init(self, _context: Any) -> None:
        """Exactly one of the two addresses must be given."""
        if (self.url is None) == (self.service is None):
            raise ValueError("exactly one of url and service must be given")


class Webhook(_Strict):
    """One webhook of a configuration."""

    name: _Text
    clientConfig: WebhookClientConfig
    rules: list[WebhookRule] | None = None
    timeoutSeconds: Annotated[int, Field(ge=1, le=30)] | None = None
    interpreterContextVersions: Annotated[list[_Text], Field(min_length=1)]


class ResourceInterpreterWebhookConfiguration(_Strict):
    """Webhooks that interpret kinds."""

    apiVersion: Literal["config.karmada.io/v1alpha1"]
    kind: Literal["ResourceInterpreterWebhookConfiguration"]
    metadata: ObjectMeta
    webhooks: list[Webhook]
