from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Operation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPERATION_UNSPECIFIED: _ClassVar[Operation]
    OPERATION_GET_REPLICAS: _ClassVar[Operation]
    OPERATION_REVISE_REPLICA: _ClassVar[Operation]
    OPERATION_GET_COMPONENTS: _ClassVar[Operation]
    OPERATION_RETAIN: _ClassVar[Operation]
    OPERATION_AGGREGATE_STATUS: _ClassVar[Operation]
    OPERATION_REFLECT_STATUS: _ClassVar[Operation]
    OPERATION_INTERPRET_HEALTH: _ClassVar[Operation]
    OPERATION_GET_DEPENDENCIES: _ClassVar[Operation]
    OPERATION_PRUNE: _ClassVar[Operation]

class HealthStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HEALTH_STATUS_UNSPECIFIED: _ClassVar[HealthStatus]
    HEALTH_STATUS_HEALTHY: _ClassVar[HealthStatus]
    HEALTH_STATUS_PROGRESSING: _ClassVar[HealthStatus]
    HEALTH_STATUS_DEGRADED: _ClassVar[HealthStatus]
    HEALTH_STATUS_SUSPENDED: _ClassVar[HealthStatus]
    HEALTH_STATUS_MISSING: _ClassVar[HealthStatus]
    HEALTH_STATUS_UNKNOWN: _ClassVar[HealthStatus]
OPERATION_UNSPECIFIED: Operation
OPERATION_GET_REPLICAS: Operation
OPERATION_REVISE_REPLICA: Operation
OPERATION_GET_COMPONENTS: Operation
OPERATION_RETAIN: Operation
OPERATION_AGGREGATE_STATUS: Operation
OPERATION_REFLECT_STATUS: Operation
OPERATION_INTERPRET_HEALTH: Operation
OPERATION_GET_DEPENDENCIES: Operation
OPERATION_PRUNE: Operation
HEALTH_STATUS_UNSPECIFIED: HealthStatus
HEALTH_STATUS_HEALTHY: HealthStatus
HEALTH_STATUS_PROGRESSING: HealthStatus
HEALTH_STATUS_DEGRADED: HealthStatus
HEALTH_STATUS_SUSPENDED: HealthStatus
HEALTH_STATUS_MISSING: HealthStatus
HEALTH_STATUS_UNKNOWN: HealthStatus

class GroupVersionKind(_message.Message):
    __slots__ = ("group", "version", "kind")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    group: str
    version: str
    kind: str
    def __init__(self, group: _Optional[str] = ..., version: _Optional[str] = ..., kind: _Optional[str] = ...) -> None: ...

class CallContext(_message.Message):
    __slots__ = ("cluster_name", "cluster_labels", "target_count", "feature_gates")
    class ClusterLabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class FeatureGatesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bool
        def __init__(self, key: _Optional[str] = ..., value: bool = ...) -> None: ...
    CLUSTER_NAME_FIELD_NUMBER: _ClassVar[int]
    CLUSTER_LABELS_FIELD_NUMBER: _ClassVar[int]
    TARGET_COUNT_FIELD_NUMBER: _ClassVar[int]
    FEATURE_GATES_FIELD_NUMBER: _ClassVar[int]
    cluster_name: str
    cluster_labels: _containers.ScalarMap[str, str]
    target_count: int
    feature_gates: _containers.ScalarMap[str, bool]
    def __init__(self, cluster_name: _Optional[str] = ..., cluster_labels: _Optional[_Mapping[str, str]] = ..., target_count: _Optional[int] = ..., feature_gates: _Optional[_Mapping[str, bool]] = ...) -> None: ...

class HookEnabledRequest(_message.Message):
    __slots__ = ("kind", "operation")
    KIND_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    kind: GroupVersionKind
    operation: Operation
    def __init__(self, kind: _Optional[_Union[GroupVersionKind, _Mapping]] = ..., operation: _Optional[_Union[Operation, str]] = ...) -> None: ...

class HookEnabledResponse(_message.Message):
    __slots__ = ("enabled",)
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    enabled: bool
    def __init__(self, enabled: bool = ...) -> None: ...

class ListKindsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListKindsResponse(_message.Message):
    __slots__ = ("claims",)
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    claims: _containers.RepeatedCompositeFieldContainer[KindClaim]
    def __init__(self, claims: _Optional[_Iterable[_Union[KindClaim, _Mapping]]] = ...) -> None: ...

class KindClaim(_message.Message):
    __slots__ = ("kind", "operation", "tier", "plugin", "handler", "disabled", "counted")
    KIND_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    HANDLER_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    COUNTED_FIELD_NUMBER: _ClassVar[int]
    kind: GroupVersionKind
    operation: Operation
    tier: str
    plugin: str
    handler: str
    disabled: bool
    counted: bool
    def __init__(self, kind: _Optional[_Union[GroupVersionKind, _Mapping]] = ..., operation: _Optional[_Union[Operation, str]] = ..., tier: _Optional[str] = ..., plugin: _Optional[str] = ..., handler: _Optional[str] = ..., disabled: bool = ..., counted: bool = ...) -> None: ...

class GetReplicasRequest(_message.Message):
    __slots__ = ("object", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class GetReplicasResponse(_message.Message):
    __slots__ = ("replicas", "requirements")
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    REQUIREMENTS_FIELD_NUMBER: _ClassVar[int]
    replicas: int
    requirements: ReplicaRequirements
    def __init__(self, replicas: _Optional[int] = ..., requirements: _Optional[_Union[ReplicaRequirements, _Mapping]] = ...) -> None: ...

class ReplicaRequirements(_message.Message):
    __slots__ = ("node_claim", "resource_request", "namespace", "priority_class_name")
    class ResourceRequestEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NODE_CLAIM_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_REQUEST_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_CLASS_NAME_FIELD_NUMBER: _ClassVar[int]
    node_claim: NodeClaim
    resource_request: _containers.ScalarMap[str, str]
    namespace: str
    priority_class_name: str
    def __init__(self, node_claim: _Optional[_Union[NodeClaim, _Mapping]] = ..., resource_request: _Optional[_Mapping[str, str]] = ..., namespace: _Optional[str] = ..., priority_class_name: _Optional[str] = ...) -> None: ...

class NodeClaim(_message.Message):
    __slots__ = ("hard_node_affinity", "node_selector", "tolerations")
    class NodeSelectorEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    HARD_NODE_AFFINITY_FIELD_NUMBER: _ClassVar[int]
    NODE_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    TOLERATIONS_FIELD_NUMBER: _ClassVar[int]
    hard_node_affinity: bytes
    node_selector: _containers.ScalarMap[str, str]
    tolerations: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, hard_node_affinity: _Optional[bytes] = ..., node_selector: _Optional[_Mapping[str, str]] = ..., tolerations: _Optional[_Iterable[bytes]] = ...) -> None: ...

class ReviseReplicaRequest(_message.Message):
    __slots__ = ("object", "replicas", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    replicas: int
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., replicas: _Optional[int] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class ReviseReplicaResponse(_message.Message):
    __slots__ = ("object",)
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    def __init__(self, object: _Optional[bytes] = ...) -> None: ...

class GetComponentsRequest(_message.Message):
    __slots__ = ("object", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class GetComponentsResponse(_message.Message):
    __slots__ = ("components",)
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    components: _containers.RepeatedCompositeFieldContainer[Component]
    def __init__(self, components: _Optional[_Iterable[_Union[Component, _Mapping]]] = ...) -> None: ...

class Component(_message.Message):
    __slots__ = ("name", "replicas", "replica_requirements")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    REPLICA_REQUIREMENTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    replicas: int
    replica_requirements: ReplicaRequirements
    def __init__(self, name: _Optional[str] = ..., replicas: _Optional[int] = ..., replica_requirements: _Optional[_Union[ReplicaRequirements, _Mapping]] = ...) -> None: ...

class RetainRequest(_message.Message):
    __slots__ = ("desired", "observed", "context")
    DESIRED_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    desired: bytes
    observed: bytes
    context: CallContext
    def __init__(self, desired: _Optional[bytes] = ..., observed: _Optional[bytes] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class RetainResponse(_message.Message):
    __slots__ = ("object",)
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    def __init__(self, object: _Optional[bytes] = ...) -> None: ...

class AggregateStatusRequest(_message.Message):
    __slots__ = ("object", "items", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    items: bytes
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., items: _Optional[bytes] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class AggregateStatusResponse(_message.Message):
    __slots__ = ("object",)
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    def __init__(self, object: _Optional[bytes] = ...) -> None: ...

class GetDependenciesRequest(_message.Message):
    __slots__ = ("object", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class GetDependenciesResponse(_message.Message):
    __slots__ = ("dependencies",)
    DEPENDENCIES_FIELD_NUMBER: _ClassVar[int]
    dependencies: _containers.RepeatedCompositeFieldContainer[DependentObjectReference]
    def __init__(self, dependencies: _Optional[_Iterable[_Union[DependentObjectReference, _Mapping]]] = ...) -> None: ...

class DependentObjectReference(_message.Message):
    __slots__ = ("api_version", "kind", "namespace", "name", "label_selector")
    API_VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LABEL_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    api_version: str
    kind: str
    namespace: str
    name: str
    label_selector: bytes
    def __init__(self, api_version: _Optional[str] = ..., kind: _Optional[str] = ..., namespace: _Optional[str] = ..., name: _Optional[str] = ..., label_selector: _Optional[bytes] = ...) -> None: ...

class ReflectStatusRequest(_message.Message):
    __slots__ = ("object", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class ReflectStatusResponse(_message.Message):
    __slots__ = ("status",)
    STATUS_FIELD_NUMBER: _ClassVar[int]
    status: bytes
    def __init__(self, status: _Optional[bytes] = ...) -> None: ...

class InterpretHealthRequest(_message.Message):
    __slots__ = ("object", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class InterpretHealthResponse(_message.Message):
    __slots__ = ("status", "reason", "message", "healthy")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    HEALTHY_FIELD_NUMBER: _ClassVar[int]
    status: HealthStatus
    reason: str
    message: str
    healthy: bool
    def __init__(self, status: _Optional[_Union[HealthStatus, str]] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., healthy: bool = ...) -> None: ...

class PruneRequest(_message.Message):
    __slots__ = ("object", "remove_job_ttl", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    REMOVE_JOB_TTL_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    remove_job_ttl: bool
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., remove_job_ttl: bool = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class PruneResponse(_message.Message):
    __slots__ = ("object",)
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    def __init__(self, object: _Optional[bytes] = ...) -> None: ...

class ExplainRequest(_message.Message):
    __slots__ = ("object", "operation", "observed", "items", "replicas", "context")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    object: bytes
    operation: Operation
    observed: bytes
    items: bytes
    replicas: int
    context: CallContext
    def __init__(self, object: _Optional[bytes] = ..., operation: _Optional[_Union[Operation, str]] = ..., observed: _Optional[bytes] = ..., items: _Optional[bytes] = ..., replicas: _Optional[int] = ..., context: _Optional[_Union[CallContext, _Mapping]] = ...) -> None: ...

class ExplainResponse(_message.Message):
    __slots__ = ("explanations",)
    EXPLANATIONS_FIELD_NUMBER: _ClassVar[int]
    explanations: _containers.RepeatedCompositeFieldContainer[Explanation]
    def __init__(self, explanations: _Optional[_Iterable[_Union[Explanation, _Mapping]]] = ...) -> None: ...

class Explanation(_message.Message):
    __slots__ = ("operation", "kind", "answer", "by", "wrapped_by", "skipped", "notes", "error", "seconds", "state")
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    WRAPPED_BY_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    operation: Operation
    kind: GroupVersionKind
    answer: bytes
    by: Answerer
    wrapped_by: _containers.RepeatedScalarFieldContainer[str]
    skipped: _containers.RepeatedCompositeFieldContainer[SkippedAnswerer]
    notes: _containers.RepeatedScalarFieldContainer[str]
    error: ExplainedError
    seconds: float
    state: str
    def __init__(self, operation: _Optional[_Union[Operation, str]] = ..., kind: _Optional[_Union[GroupVersionKind, _Mapping]] = ..., answer: _Optional[bytes] = ..., by: _Optional[_Union[Answerer, _Mapping]] = ..., wrapped_by: _Optional[_Iterable[str]] = ..., skipped: _Optional[_Iterable[_Union[SkippedAnswerer, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ..., error: _Optional[_Union[ExplainedError, _Mapping]] = ..., seconds: _Optional[float] = ..., state: _Optional[str] = ...) -> None: ...

class Answerer(_message.Message):
    __slots__ = ("tier", "plugin", "handler")
    TIER_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    HANDLER_FIELD_NUMBER: _ClassVar[int]
    tier: str
    plugin: str
    handler: str
    def __init__(self, tier: _Optional[str] = ..., plugin: _Optional[str] = ..., handler: _Optional[str] = ...) -> None: ...

class SkippedAnswerer(_message.Message):
    __slots__ = ("answerer", "reason")
    ANSWERER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    answerer: Answerer
    reason: str
    def __init__(self, answerer: _Optional[_Union[Answerer, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class ExplainedError(_message.Message):
    __slots__ = ("code", "message", "reason", "metadata")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    reason: str
    metadata: _containers.ScalarMap[str, str]
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., reason: _Optional[str] = ..., metadata: _Optional[_Mapping[str, str]] = ...) -> None: ...
