"""The annotation files that do not depend on a kind, as text.

Outside knowledge: the annotations are those of the Lua language server (LuaLS) 3; ``kube`` is the
library that Karmada's interpreter offers; the result types are ``work.karmada.io/v1alpha2`` and
``config.karmada.io/v1alpha1``.
"""

from __future__ import annotations

KUBE = """---@meta kube

---The library that scripts get by `local kube = require("kube")`.
---@class kube
local kube = {}

---Adds quantities exactly; nil counts as nothing. The sum has the form of the first operand.
---
---`kube.resourceAdd("500m", "1")` is `"1500m"`.
---@param ... string|number|nil
---@return string
function kube.resourceAdd(...) end

---A quantity as a number: `"1500m"` is 1.5, nil is 0. A negative quantity is an error.
---@param quantity string|number|nil
---@return number
function kube.getResourceQuantity(quantity) end

---What one pod of a template asks for: requests (limits where there are none), node selector,
---affinity and tolerations; nil when the template asks for nothing.
---@param podTemplate table A pod template: a table with `metadata` and `spec`.
---@return ReplicaRequirements?
function kube.accuratePodRequirements(podTemplate) end

---Config maps, secrets, service accounts and claims that a template refers to; nil when there are
---none.
---@param podTemplate table A pod template: a table with `metadata` and `spec`.
---@param namespace string|nil Namespace of the objects; nil means `default`, but it must be given.
---@return DependentObjectReference[]?
function kube.getPodDependencies(podTemplate, namespace) end

return kube
"""

INTERPRETER = """---@meta interpreter

---What scripts get and give. Annotate the function of an operation with these, for example:
---
---    ---@param obj KubernetesObject
---    ---@return integer replicas
---    ---@return ReplicaRequirements? requirements
---    function GetReplicas(obj)

---@class ObjectMeta
---@field name string
---@field namespace? string Absent for objects of the whole cluster.
---@field generateName? string
---@field labels? table<string, string> Absent when there are none.
---@field annotations? table<string, string> Absent when there are none.
---@field generation? integer
---@field resourceVersion? string
---@field uid? string
---@field creationTimestamp? string
---@field deletionTimestamp? string
---@field deletionGracePeriodSeconds? integer
---@field finalizers? string[]
---@field ownerReferences? table[]
---@field managedFields? table[]

---Any object of Kubernetes: a template (obj, desired) or what a cluster reports (observed).
---@class KubernetesObject
---@field apiVersion string
---@field kind string
---@field metadata ObjectMeta
---@field spec? table
---@field status? table
---@field [string] any

---What one cluster reports about an object; AggregateStatus gets a list of these, or nil.
---@class AggregatedStatusItem
---@field clusterName string
---@field status? table What ReflectStatus gave in that cluster.
---@field applied? boolean Absent when false.
---@field appliedMessage? string
---@field health? "Healthy"|"Unhealthy"|"Unknown"

---@class Toleration
---@field key? string
---@field operator? "Exists"|"Equal"
---@field value? string
---@field effect? "NoSchedule"|"PreferNoSchedule"|"NoExecute"
---@field tolerationSeconds? integer

---@class NodeClaim
---@field nodeSelector? table<string, string>
---@field tolerations? Toleration[]
---@field hardNodeAffinity? table

---What one replica needs: the second result of GetReplicas.
---@class ReplicaRequirements
---@field nodeClaim? NodeClaim
---@field resourceRequest? table<string, string|number> Quantities by resource name.
---@field namespace? string
---@field priorityClassName? string

---One part of an object with several pod templates; GetComponents gives a list of these.
---@class Component
---@field name string Unique in the object.
---@field replicas integer
---@field replicaRequirements? ReplicaRequirements

---@class LabelSelectorRequirement
---@field key string
---@field operator "In"|"NotIn"|"Exists"|"DoesNotExist"
---@field values? string[]

---@class LabelSelector
---@field matchLabels? table<string, string>
---@field matchExpressions? LabelSelectorRequirement[]

---An object that travels with another, by name or by labels; GetDependencies gives a list of these.
---@class DependentObjectReference
---@field apiVersion string
---@field kind string
---@field namespace? string Absent for objects of the whole cluster.
---@field name? string
---@field labelSelector? LabelSelector

---@alias HealthStatus
---| "Healthy"
---| "Progressing"
---| "Degraded"
---| "Suspended"
---| "Missing"
---| "Unknown"

---The long answer of InterpretHealth; true and false are the short ones (Karmada knows only these).
---@class Health
---@field status HealthStatus
---@field reason? string A CamelCase word.
---@field message? string One line for people.
---@field healthy? boolean By default, whether status is Healthy or Suspended.

---A condition as most kinds have them in `status.conditions`.
---@class Condition
---@field type string
---@field status "True"|"False"|"Unknown"
---@field reason? string
---@field message? string
---@field lastTransitionTime? string
---@field observedGeneration? integer
"""
