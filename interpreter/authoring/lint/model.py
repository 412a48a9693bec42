"""One script as the rules see it: tree, names, library paths and the types that are evident."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.authoring.lint.library import AVAILABLE, MODULES, RESULT_TYPES, STRING_METHODS
from interpreter.authoring.lint.scopes import Bindings, Variable, bind
from interpreter.authoring.lint.tree import Node, parts, string_value, text, walk
from interpreter.operations import OperationSpec

_LITERALS = {
    "string": "string",
    "number": "number",
    "true": "boolean",
    "false": "boolean",
    "nil": "nil",
    "table_constructor": "table",
    "function_definition": "function",
}
_INDEXES = frozenset(
    {"dot_index_expression", "bracket_index_expression", "method_index_expression"}
)
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})
_COMPARISONS = frozenset({"==", "~=", "<", "<=", ">", ">="})
#: String methods that give one string whatever they are given.
_STRING_RESULTS = frozenset({"format", "lower", "upper", "sub", "rep", "reverse"})


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule found: id in the catalogue, text, and the node that shows where."""

    rule: str
    message: str
    node: Node


@dataclass(slots=True)
class Script:
    """A parsed script.

    Attributes:
        spec: The operation that it answers; None when that is not known.
        root: Its tree.
        bindings: Its names.
        assigned_fields: Last names of all fields, methods and keys that the script gives a value.
        assigned_paths: Library names that the script gives a value, such as ``string.trim``.
        typed_kind: Whether the kind is Kubernetes' own, so that all its fields have known types.
    """

    spec: OperationSpec | None
    root: Node
    bindings: Bindings
    assigned_fields: set[str] = field(default_factory=set)
    assigned_paths: dict[str, Node] = field(default_factory=dict)
    typed_kind: bool = False
    _types: dict[int, str | None] = field(default_factory=dict, repr=False)

    @staticmethod
    def read(root: Node, spec: OperationSpec | None, *, typed_kind: bool) -> Script:
        """Understands the tree of a script that the engine has accepted."""
        script = Script(spec, root, bind(root), typed_kind=typed_kind)
        script._collect_assignments()
        return script

    def _collect_assignments(self) -> None:
        for node in walk(self.root):
            for target in _targets(node):
                key = _key(target)
                if key is not None:
                    self.assigned_fields.add(key)
                    path = self.library_path(target)
                    if path is not None:
                        self.assigned_paths.setdefault(path, target)
            if node.type == "field":
                name = node.child_by_field_name("name")
                if name is not None:
                    key = string_value(name) if name.type == "string" else text(name)
                    self.assigned_fields.add(key or "")

    def library_path(self, node: Node | None) -> str | None:
        """The dotted library name that an expression stands for, through local aliases.

        ``local gsub = string.gsub`` makes ``gsub`` stand for ``string.gsub``; ``kube`` stands for
        the module when ``require`` gave it. The name need not exist: ``string.trim`` is a path too.
        """
        if node is None:
            return None
        if node.type == "identifier":
            return self._name_path(node)
        if node.type == "parenthesized_expression":
            inner = parts(node)
            return self.library_path(inner[0]) if len(inner) == 1 else None
        if node.type == "function_call":
            module = self.required_module(node)
            return module if module in MODULES else None
        if node.type in _INDEXES:
            table = self.library_path(node.child_by_field_name("table"))
            key = _key(node)
            if table is None or key is None:
                return None
            if table == "_G":
                return key if key in AVAILABLE else None
            return f"{table}.{key}" if table in MODULES else None
        return None

    def _name_path(self, node: Node) -> str | None:
        variable = self.bindings.variable(node)
        if variable is not None:
            if variable.value is None or variable.writes or variable.kind != "local":
                return None
            return self.library_path(variable.value)
        name = text(node)
        if any(write.name == name for write in self.bindings.global_writes):
            value = self.bindings.global_value(name)
            is_module = value is not None and value.type == "function_call"
            return self.library_path(value) if is_module else None
        return name if name != "kube" else None

    def required_module(self, node: Node) -> str | None:
        """The module that a call of ``require`` with a literal name asks for."""
        if node.type != "function_call":
            return None
        function = node.child_by_field_name("name")
        arguments = parts(node.child_by_field_name("arguments"))
        if function is None or len(arguments) != 1 or text(function) != "require":
            return None
        return string_value(arguments[0])

    def entry(self) -> Node | None:
        """The function that the operation calls, where its definition is in sight."""
        if self.spec is None or self.spec.lua_function is None:
            return None
        return self.function_behind(self.bindings.global_value(self.spec.lua_function))

    def function_behind(self, node: Node | None) -> Node | None:
        """The function that a value is, through a local name."""
        if node is None or node.type in ("function_declaration", "function_definition"):
            return node
        if node.type == "identifier":
            variable = self.bindings.variable(node)
            if variable is not None and not variable.writes:
                return self.function_behind(variable.value)
        return None

    def entry_parameters(self) -> list[Variable]:
        """The parameters of the operation's function; a ``...`` is none."""
        entry = self.entry()
        if entry is None:
            return []
        names = parts(entry.child_by_field_name("parameters"))
        found = [self.bindings.variable(name) for name in names if name.type == "identifier"]
        return [variable for variable in found if variable is not None]

    def object_path(self, node: Node | None) -> tuple[Variable, tuple[str, ...]] | None:
        """A chain of literal fields as its variable and names, through local names for parts of it.

        After ``local spec = obj.spec``, ``spec.template`` is ``obj`` with ``("spec", "template")``.
        """
        names: list[str] = []
        while node is not None:
            if node.type == "identifier":
                variable = self.bindings.variable(node)
                if variable is None:
                    return None
                value = variable.value
                if variable.kind != "local" or variable.writes or value is None:
                    return variable, tuple(reversed(names))
                if value.type not in ("identifier", *_INDEXES):
                    return variable, tuple(reversed(names))
                node = value
                continue
            key = _key(node) if node.type in _INDEXES else None
            if key is None:
                return None
            names.append(key)
            node = node.child_by_field_name("table")
        return None

    def evident_type(self, node: Node | None) -> str | None:
        """The Lua type of an expression, where the text leaves no doubt."""
        if node is None:
            return None
        if node.id not in self._types:
            # Kept, because a chain of locals that are used twice each would be walked 2^n times.
            self._types[node.id] = self._evident_type(node)
        return self._types[node.id]

    def _evident_type(self, node: Node) -> str | None:
        literal = _LITERALS.get(node.type)
        if literal is not None:
            return literal
        if node.type == "parenthesized_expression":
            inner = parts(node)
            return self.evident_type(inner[0]) if len(inner) == 1 else None
        if node.type == "unary_expression":
            return {"#": "number", "-": "number", "not": "boolean"}.get(operator(node))
        if node.type == "binary_expression":
            return self._binary_type(node)
        if node.type == "function_call":
            return self._call_type(node)
        if node.type == "identifier":
            variable = self.bindings.variable(node)
            return None if variable is None or variable.writes else self._variable_type(variable)
        return None

    def _binary_type(self, node: Node) -> str | None:
        sign = operator(node)
        if sign == "..":
            return "string"
        if sign in _ARITHMETIC:
            return "number"
        if sign in _COMPARISONS:
            return "boolean"
        left = self.evident_type(node.child_by_field_name("left"))
        right = self.evident_type(node.child_by_field_name("right"))
        if sign == "or" and left not in (None, "nil", "boolean"):
            return left
        return left if left == right else None

    def _call_type(self, node: Node) -> str | None:
        function = node.child_by_field_name("name")
        if function is None:
            return None
        if function.type == "method_index_expression":
            method = text(function.child_by_field_name("method") or function)
            known = method in _STRING_RESULTS and method in STRING_METHODS
            return "string" if known and method not in self.assigned_fields else None
        path = self.library_path(function)
        return None if path in self.assigned_paths else RESULT_TYPES.get(path or "")

    def _variable_type(self, variable: Variable) -> str | None:
        if variable.kind == "function":
            return "function"
        if variable.kind == "local":
            found = self.evident_type(variable.value)
            return None if found == "nil" else found
        if variable.kind == "loop":
            clause = variable.node.parent
            return "number" if clause is not None and clause.type == "for_numeric_clause" else None
        role = self.role(variable)
        # Items may be nil; the others are always what they are.
        return None if role in (None, "items") else "number" if role == "replicas" else "table"

    def role(self, variable: Variable) -> str | None:
        """Which argument of the operation a variable is: ``obj``, ``items``, …; None for others."""
        if variable.kind != "parameter" or self.spec is None:
            return None
        roles = zip(self.entry_parameters(), self.spec.arguments, strict=False)
        return next((role for parameter, role in roles if parameter is variable), None)


def operator(node: Node) -> str:
    """The operator of a unary or binary expression."""
    sign = node.child_by_field_name("operator")
    if sign is not None:
        return text(sign)
    return next((child.type for child in node.children if not child.is_named), "")


def _key(node: Node) -> str | None:
    """The literal name in ``t.name``, ``t["name"]`` and ``t:name``."""
    if node.type == "bracket_index_expression":
        return string_value(node.child_by_field_name("field"))
    name = node.child_by_field_name("method" if node.type == "method_index_expression" else "field")
    return text(name) if name is not None and name.type == "identifier" else None


def _targets(node: Node) -> list[Node]:
    """What a statement assigns to, fields only."""
    if node.type == "assignment_statement":
        return [name for name in parts(parts(node)[0]) if name.type != "identifier"]
    if node.type == "function_declaration":
        name = node.child_by_field_name("name")
        return [name] if name is not None and name.type != "identifier" else []
    return []
