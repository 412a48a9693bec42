"""Which variable a name means: locals by Lua's scoping rules, everything else is global."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from interpreter.authoring.lint.tree import Node, parts, string_value, text

VariableKind = Literal["local", "function", "parameter", "loop", "self"]


@dataclass(eq=False, slots=True)
class Variable:
    """A local variable.

    Attributes:
        name: Its name.
        kind: How it came to be.
        node: The identifier that declares it.
        value: Its initial value, where one expression gives exactly this variable's value.
        reads: Identifiers that read it.
        writes: Identifiers that assign to it after its declaration.
        siblings: All variables of the same declaration that one call fills, itself included.
    """

    name: str
    kind: VariableKind
    node: Node
    value: Node | None = None
    reads: list[Node] = field(default_factory=list)
    writes: list[Node] = field(default_factory=list)
    siblings: list[Variable] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GlobalWrite:
    """An assignment to a global name.

    Attributes:
        name: The name.
        node: The identifier.
        value: The expression or function declaration assigned; None where it cannot be told.
    """

    name: str
    node: Node
    value: Node | None


@dataclass(slots=True)
class Bindings:
    """All names of a script.

    Attributes:
        variables: Local variables in order of declaration.
        resolved: The variable by the start byte of each identifier that means a local one.
        visible: Names of the locals in sight, by the start byte of each read of a global.
        global_reads: Identifiers that read a global.
        global_writes: Assignments to globals, ``_G.name = …`` included.
    """

    variables: list[Variable] = field(default_factory=list)
    resolved: dict[int, Variable] = field(default_factory=dict)
    visible: dict[int, set[str]] = field(default_factory=dict)
    global_reads: list[Node] = field(default_factory=list)
    global_writes: list[GlobalWrite] = field(default_factory=list)

    def variable(self, node: Node) -> Variable | None:
        """The local variable that an identifier means; None for a global."""
        return self.resolved.get(node.start_byte)

    def global_value(self, name: str) -> Node | None:
        """The one value a global is ever given, None when there are none or several."""
        values = [write.value for write in self.global_writes if write.name == name]
        return values[0] if len(values) == 1 else None


def bind(root: Node) -> Bindings:
    """Resolves every name of a script; the tree must not be deeper than Python can recurse."""
    binder = _Binder()
    binder.block(parts(root))
    return binder.bindings


class _Binder:
    """Walks statements in order and keeps the stack of scopes."""

    def __init__(self) -> None:
        self.bindings = Bindings()
        self.scopes: list[dict[str, Variable]] = [{}]
        self.statements: dict[str, Callable[[Node], None]] = {
            "variable_declaration": self.local_statement,
            "assignment_statement": self.assignment,
            "function_declaration": self.function_statement,
            "function_definition": self.function_body,
            "for_statement": self.for_statement,
            "repeat_statement": self.repeat_statement,
            "block": self.scoped_block,
            "identifier": self.read,
            "dot_index_expression": self.dotted,
            "method_index_expression": self.dotted,
            "field": self.constructor_field,
            "goto_statement": lambda _node: None,
            "label_statement": lambda _node: None,
            "attribute": lambda _node: None,
        }

    def visit(self, node: Node) -> None:
        handler = self.statements.get(node.type)
        if handler is not None:
            handler(node)
            return
        for child in parts(node):
            self.visit(child)

    def block(self, statements: list[Node]) -> None:
        self.scopes.append({})
        for statement in statements:
            self.visit(statement)
        self.scopes.pop()

    def scoped_block(self, node: Node) -> None:
        self.block(parts(node))

    def declare(self, node: Node, kind: VariableKind, value: Node | None = None) -> Variable:
        variable = Variable(text(node), kind, node, value)
        self.scopes[-1][variable.name] = variable
        self.bindings.variables.append(variable)
        self.bindings.resolved[node.start_byte] = variable
        return variable

    def find(self, name: str) -> Variable | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def read(self, node: Node) -> None:
        variable = self.find(text(node))
        if variable is not None:
            variable.reads.append(node)
            self.bindings.resolved[node.start_byte] = variable
        else:
            self.bindings.global_reads.append(node)
            self.bindings.visible[node.start_byte] = {name for s in self.scopes for name in s}

    def write(self, node: Node, value: Node | None) -> None:
        if node.type != "identifier":
            self.visit(node)
            name = self._global_field(node)
            if name is not None:
                self.bindings.global_writes.append(GlobalWrite(name, node, value))
            return
        variable = self.find(text(node))
        if variable is not None:
            variable.writes.append(node)
            self.bindings.resolved[node.start_byte] = variable
        else:
            self.bindings.global_writes.append(GlobalWrite(text(node), node, value))

    def _global_field(self, node: Node) -> str | None:
        """The name in ``_G.name`` or ``_G["name"]``."""
        table = node.child_by_field_name("table")
        if table is None or text(table) != "_G" or self.find("_G") is not None:
            return None
        key = node.child_by_field_name("field")
        if key is None:
            return None
        return text(key) if node.type == "dot_index_expression" else string_value(key)

    def dotted(self, node: Node) -> None:
        table = node.child_by_field_name("table")
        if table is not None:
            self.visit(table)  # the field is a name, not a variable

    def constructor_field(self, node: Node) -> None:
        computed = node.children[0].type == "["
        for index, child in enumerate(parts(node)):
            is_name = index == 0 and child == node.child_by_field_name("name")
            if not is_name or computed:
                self.visit(child)

    def local_statement(self, node: Node) -> None:
        names, values = _names_and_values(node)
        for value in values:
            self.visit(value)
        paired = _pair(names, values)
        declared = [self.declare(name, "local", value) for name, value in paired]
        # The last expression may be a call that fills its own variable and all that follow.
        filled = declared[len(values) - 1 :]
        if values and len(filled) > 1 and _gives_several(values[-1]):
            filled[0].value = None
            for variable in filled:
                variable.siblings = filled

    def assignment(self, node: Node) -> None:
        names, values = _names_and_values(node)
        for value in values:
            self.visit(value)
        for name, assigned in _pair(names, values):
            self.write(name, assigned)

    def function_statement(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None and node.children[0].type == "local":
            self.declare(name, "function", node)
        elif name is not None:
            self.write(name, node)
        self.function_body(node)

    def function_body(self, node: Node) -> None:
        self.scopes.append({})
        name = node.child_by_field_name("name")
        if name is not None and name.type == "method_index_expression":
            self.scopes[-1]["self"] = Variable("self", "self", name)
        for parameter in parts(node.child_by_field_name("parameters")):
            if parameter.type == "identifier":
                self.declare(parameter, "parameter")
        body = node.child_by_field_name("body")
        if body is not None:
            self.visit(body)
        self.scopes.pop()

    def for_statement(self, node: Node) -> None:
        clause = node.child_by_field_name("clause")
        names: list[Node] = []
        if clause is not None and clause.type == "for_numeric_clause":
            names = clause.children_by_field_name("name")
            for child in parts(clause)[1:]:
                self.visit(child)
        elif clause is not None:
            variables, *expressions = parts(clause)
            names = parts(variables)
            for expression in expressions:
                self.visit(expression)
        self.scopes.append({})
        for name in names:
            self.declare(name, "loop")
        body = node.child_by_field_name("body")
        if body is not None:
            self.visit(body)
        self.scopes.pop()

    def repeat_statement(self, node: Node) -> None:
        # The condition sees the locals of the body.
        body = node.child_by_field_name("body")
        condition = node.child_by_field_name("condition")
        self.block(parts(body) + ([condition] if condition is not None else []))


def _names_and_values(node: Node) -> tuple[list[Node], list[Node]]:
    """Both sides of a local declaration or an assignment."""
    inner = parts(node)
    if len(inner) == 1 and inner[0].type == "assignment_statement":
        inner = parts(inner[0])
    names = [child for child in parts(inner[0]) if child.type != "attribute"] if inner else []
    values = parts(inner[1]) if len(inner) > 1 else []
    return names, values


def _pair(names: list[Node], values: list[Node]) -> list[tuple[Node, Node | None]]:
    padded: list[Node | None] = [*values, *([None] * len(names))]
    return list(zip(names, padded, strict=False))


def _gives_several(node: Node) -> bool:
    return node.type in ("function_call", "vararg_expression")
