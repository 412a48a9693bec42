"""The first scripts of a kind, written from its shape.

They use only what Karmada's own engine has too, so that they run in both.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.api.operation import Operation
from interpreter.authoring.crds import ANY_ITEM, ANY_KEY
from interpreter.authoring.shapes import ComponentShape, Shape

_KUBE = 'local kube = require("kube")\n\n'
GENERATION_ANNOTATION = "resourcetemplate.karmada.io/generation"
RETAIN_REPLICAS_LABEL = "resourcetemplate.karmada.io/retain-replicas"
#: Names that the scripts use themselves, so that no local for a field may take them.
_TAKEN = frozenset(
    {
        *("add", "components", "dependencies", "desired", "index", "ipairs", "items", "kube"),
        *("labels", "member", "name", "namespace", "obj", "observed", "pairs", "part", "replicas"),
        *("status", "table", "template", "tonumber"),
    }
)


def scripts(shape: Shape) -> dict[Operation, str]:
    """Scripts for the operations that make sense for a shape."""
    wanted: list[tuple[Operation, bool, Callable[[Shape], str]]] = [
        (Operation.GET_REPLICAS, shape.replicas is not None, _get_replicas),
        (Operation.GET_COMPONENTS, bool(shape.components), _get_components),
        (Operation.REVISE_REPLICA, shape.replicas is not None, _revise_replica),
        (Operation.RETAIN, shape.replicas is not None, _retain),
        (Operation.AGGREGATE_STATUS, shape.has_status, _aggregate_status),
        (Operation.REFLECT_STATUS, shape.has_generation, _reflect_status),
        (Operation.INTERPRET_HEALTH, shape.tells_health, _interpret_health),
        (
            Operation.GET_DEPENDENCIES,
            shape.template is not None or bool(shape.components),
            _get_dependencies,
        ),
    ]
    return {operation: write(shape) for operation, makes_sense, write in wanted if makes_sense}


class _Reader:
    """Writes guarded reads: every object on the way becomes a local, once."""

    def __init__(self, root: str) -> None:
        self.lines: list[str] = []
        self.known: dict[tuple[str, ...], str] = {(): root}
        self.taken = {root, *_TAKEN}

    def object(self, path: tuple[str, ...]) -> str:
        """The local that holds the object at a path (an empty one where it is absent)."""
        if path not in self.known:
            parent = self.object(path[:-1])
            name = self.new(path[-1])
            self.lines.append(f"  local {name} = {parent}.{path[-1]} or {{}}")
            self.known[path] = name
        return self.known[path]

    def value(self, path: tuple[str, ...]) -> str:
        """An expression for the value at a path."""
        return f"{self.object(path[:-1])}.{path[-1]}"

    def new(self, wanted: str) -> str:
        """A name that nothing has yet."""
        name, number = wanted, 1
        while name in self.taken:
            number += 1
            name = f"{wanted}{number}"
        self.taken.add(name)
        return name

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def _get_replicas(shape: Shape) -> str:
    reader = _Reader("obj")
    assert shape.replicas is not None  # noqa: S101 - told by scripts()
    count = f"{reader.value(shape.replicas)} or {shape.default_replicas}"
    text = (
        f"---How many replicas an object wants, and what each of them needs.\n"
        f"---@param obj {shape.gvk.kind}\n---@return integer replicas\n"
    )
    if shape.template is None:
        return f"{text}function GetReplicas(obj)\n{reader.text()}  return {count}\nend\n"
    template = reader.value(shape.template)
    return (
        f"{_KUBE}{text}---@return ReplicaRequirements? requirements\n"
        f"function GetReplicas(obj)\n{reader.text()}"
        f"  local replicas = {count}\n"
        f"  local template = {template}\n"
        "  if template == nil then\n    return replicas\n  end\n"
        "  return replicas, kube.accuratePodRequirements(template)\nend\n"
    )


def _get_components(shape: Shape) -> str:
    reader = _Reader("obj")
    body = "".join(_component(reader, component) for component in shape.components)
    return (
        f"{_KUBE}---@param components Component[]\n---@param name string\n"
        "---@param replicas integer?\n---@param template table?\n"
        "local function add(components, name, replicas, template)\n"
        "  if template ~= nil then\n"
        "    table.insert(components, {\n"
        "      name = name,\n"
        "      replicas = replicas or 1,\n"
        "      replicaRequirements = kube.accuratePodRequirements(template),\n"
        "    })\n  end\nend\n\n"
        "---The parts of an object, each with its count and what one of its pods needs.\n"
        f"---@param obj {shape.gvk.kind}\n---@return Component[]\n"
        f"function GetComponents(obj)\n{reader.text()}  local components = {{}}\n{body}"
        "  return components\nend\n"
    )


def _component(reader: _Reader, component: ComponentShape) -> str:
    """The lines that add one component, or all of a list or map."""
    step = component.holder[-1]
    if step not in (ANY_ITEM, ANY_KEY):
        holder = reader.object(component.holder)
        count = f"{holder}.{component.replicas}" if component.replicas else "nil"
        return f'  add(components, "{step}", {count}, {holder}.{component.template})\n'
    holder = reader.object(component.holder[:-1])
    label = component.holder[-2]
    count = f"part.{component.replicas}" if component.replicas else "nil"
    if step == ANY_KEY:
        return (
            f"  for name, part in pairs({holder}) do\n"
            f"    add(components, name, {count}, part.{component.template})\n  end\n"
        )
    usual = f'"{label}-" .. index'
    name = f"part.{component.name} or {usual}" if component.name else usual
    return (
        f"  for index, part in ipairs({holder}) do\n"
        f"    add(components, {name}, {count}, part.{component.template})\n  end\n"
    )


def _revise_replica(shape: Shape) -> str:
    assert shape.replicas is not None  # noqa: S101 - told by scripts()
    lines = []
    for length in range(1, len(shape.replicas)):
        path = ".".join(("obj", *shape.replicas[:length]))
        lines.append(f"  {path} = {path} or {{}}\n")
    return (
        "---The object with another replica count.\n"
        f"---@param obj {shape.gvk.kind}\n---@param replicas integer\n---@return {shape.gvk.kind}\n"
        f"function ReviseReplica(obj, replicas)\n{''.join(lines)}"
        f"  {'.'.join(('obj', *shape.replicas))} = replicas\n  return obj\nend\n"
    )


def _retain(shape: Shape) -> str:
    assert shape.replicas is not None  # noqa: S101 - told by scripts()
    reader = _Reader("observed")
    current = reader.value(shape.replicas)
    lines = []
    for length in range(1, len(shape.replicas)):
        path = ".".join(("desired", *shape.replicas[:length]))
        lines.append(f"    {path} = {path} or {{}}\n")
    return (
        "---What is applied next: the template, with the fields that are the member cluster's.\n"
        "---\n---The label says that the cluster sets the count, by an autoscaler for example.\n"
        f"---@param desired {shape.gvk.kind}\n---@param observed {shape.gvk.kind}\n"
        f"---@return {shape.gvk.kind}\n"
        "function Retain(desired, observed)\n"
        "  local labels = desired.metadata.labels or {}\n"
        f"{reader.text()}"
        f'  if labels["{RETAIN_REPLICAS_LABEL}"] == "true" and {current} ~= nil then\n'
        f"{''.join(lines)}"
        f"    {'.'.join(('desired', *shape.replicas))} = {current}\n"
        "  end\n  return desired\nend\n"
    )


def _reflect_status(shape: Shape) -> str:
    return (
        "---The status that a member reports, with the generations that AggregateStatus compares.\n"
        f"---@param obj {shape.gvk.kind}\n---@return table? status nil: nothing to report\n"
        "function ReflectStatus(obj)\n"
        "  local status = obj.status\n"
        "  if status == nil then\n    return nil\n  end\n"
        "  local annotations = obj.metadata.annotations or {}\n"
        "  status.generation = obj.metadata.generation\n"
        "  status.resourceTemplateGeneration = "
        f'tonumber(annotations["{GENERATION_ANNOTATION}"])\n'
        "  return status\nend\n"
    )


def _aggregate_status(shape: Shape) -> str:
    head = (
        "---The object with the statuses of all member clusters folded into its own.\n"
        f"---@param obj {shape.gvk.kind}\n---@param items AggregatedStatusItem[]?\n"
        f"---@return {shape.gvk.kind}\nfunction AggregateStatus(obj, items)\n"
    )
    if not (shape.counters or shape.has_conditions or shape.has_generation):
        return (
            f"{head}  -- Nothing here adds up, so only the status of a single cluster is shown.\n"
            "  if items ~= nil and #items == 1 then\n    obj.status = items[1].status\n  end\n"
            "  return obj\nend\n"
        )
    before, within, after = ["  local status = obj.status or {}\n"], [], []
    for counter in shape.counters:
        before.append(f"  local {counter} = 0\n")
        within.append(f"    {counter} = {counter} + (member.{counter} or 0)\n")
        after.append(f"  status.{counter} = {counter}\n")
    if shape.has_generation:
        before.append("  local generation = obj.metadata.generation or 0\n")
        before.append("  local isObserved = true\n")
        within.append(
            "    local isCurrent = (member.resourceTemplateGeneration or 0) == generation\n"
            "    if not isCurrent or member.generation ~= member.observedGeneration then\n"
            "      isObserved = false\n    end\n"
        )
        after.append("  if isObserved then\n    status.observedGeneration = generation\n  end\n")
    if shape.has_conditions:
        before.append("  local conditions = {}\n  local known = {}\n")
        within.append(_CONDITIONS)
        after.append(
            "  status.conditions = nil\n"
            "  if #conditions > 0 then\n    status.conditions = conditions\n  end\n"
        )
    return (
        f"{head}{''.join(before)}"
        "  for _, item in ipairs(items or {}) do\n    local member = item.status or {}\n"
        f"{''.join(within)}  end\n{''.join(after)}"
        "  obj.status = status\n  return obj\nend\n"
    )


_CONDITIONS = """\
    for _, condition in ipairs(member.conditions or {}) do
      -- One condition of each type, whose message tells what every cluster says.
      local message = item.clusterName .. "=" .. (condition.message or "")
      local shared = known[condition.type]
      if shared == nil then
        condition.message = message
        known[condition.type] = condition
        table.insert(conditions, condition)
      else
        shared.message = shared.message .. ", " .. message
        if shared.status ~= condition.status then
          shared.status = "Unknown"
          shared.reason = "ClustersDiffer"
        end
      end
    end
"""


def _interpret_health(shape: Shape) -> str:
    body = ""
    if shape.has_generation:
        body += (
            "  if (status.observedGeneration or 0) < (obj.metadata.generation or 0) then\n"
            "    return false -- the controller has not seen the last change yet\n  end\n"
        )
    if shape.has_conditions:
        body += (
            "  for _, condition in ipairs(status.conditions or {}) do\n"
            '    if condition.type == "Ready" then\n'
            '      return condition.status == "True"\n    end\n  end\n'
        )
    reader = _Reader("obj")
    if shape.ready is not None and shape.replicas is not None:
        wanted = f"{reader.value(shape.replicas)} or {shape.default_replicas}"
        result = f"(status.{shape.ready} or 0) >= ({wanted})"
    else:
        result = "false"
    return (
        "---Whether an object does what it should.\n"
        f"---@param obj {shape.gvk.kind}\n---@return boolean|Health\n"
        "function InterpretHealth(obj)\n"
        "  local status = obj.status\n  if status == nil then\n    return false\n  end\n"
        f"{body}{reader.text()}  return {result}\nend\n"
    )


def _get_dependencies(shape: Shape) -> str:
    head = (
        "---The objects that have to travel with an object: what its pods refer to.\n"
        f"---@param obj {shape.gvk.kind}\n---@return DependentObjectReference[]\n"
        "function GetDependencies(obj)\n"
    )
    reader = _Reader("obj")
    if shape.template is not None:
        value = reader.value(shape.template)
        return (
            f"{_KUBE}{head}{reader.text()}  local template = {value}\n"
            "  if template == nil then\n    return {}\n  end\n"
            "  return kube.getPodDependencies(template, obj.metadata.namespace) or {}\nend\n"
        )
    body = ""
    for component in shape.components:
        step = component.holder[-1]
        if step in (ANY_ITEM, ANY_KEY):
            loop = "ipairs" if step == ANY_ITEM else "pairs"
            holder = reader.object(component.holder[:-1])
            body += (
                f"  for _, part in {loop}({holder}) do\n"
                f"    add(dependencies, part.{component.template}, namespace)\n  end\n"
            )
        else:
            value = reader.value((*component.holder, component.template))
            body += f"  add(dependencies, {value}, namespace)\n"
    return (
        f"{_KUBE}---@param dependencies DependentObjectReference[]\n---@param template table?\n"
        "---@param namespace string?\n"
        "local function add(dependencies, template, namespace)\n"
        "  if template == nil then\n    return\n  end\n"
        "  for _, dependency in ipairs(kube.getPodDependencies(template, namespace) or {}) do\n"
        "    table.insert(dependencies, dependency)\n  end\nend\n\n"
        f"{head}{reader.text()}"
        "  local namespace = obj.metadata.namespace\n  local dependencies = {}\n"
        f"{body}  return dependencies\nend\n"
    )
