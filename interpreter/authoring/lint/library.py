"""What a script finds in its environment, and what it finds in Karmada's own engine.

Names are dotted paths: ``tostring``, ``string.gsub``, ``kube.resourceAdd``. The reference's set was
read off by running it (Lua 5.1 by gopher-lua, parts taken away).
"""

from __future__ import annotations

from dataclasses import dataclass


def _names(prefix: str, names: str) -> set[str]:
    return {prefix + name for name in names.split()}


#: Modules that ``require`` gives; the tables are globals too, except kube.
MODULES = frozenset({"kube", "string", "table", "math", "os", "_G"})

_BASE = _names(
    "",
    "_G _VERSION assert error ipairs next pairs pcall print require select tonumber tostring type "
    "unpack xpcall",
)
_TABLES = _names("", "string table math os")

#: Everything that scripts may use here.
AVAILABLE: frozenset[str] = frozenset(
    _BASE
    | _TABLES
    | _names(
        "string.", "byte char find format gfind gmatch gsub len lower match rep reverse sub upper"
    )
    | _names("table.", "concat getn insert maxn remove sort")
    | _names(
        "math.",
        "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max "
        "min mod modf pi pow rad random randomseed sin sinh sqrt tan tanh",
    )
    | _names("os.", "date time")
    | _names("kube.", "accuratePodRequirements getPodDependencies getResourceQuantity resourceAdd")
)

#: Available here, but missing or refused in Karmada's own engine; the text says what to do instead.
NOT_PORTABLE: dict[str, str] = {
    "string.gsub": "Karmada's engine refuses string.gsub; use string.find and string.sub there",
    "string.rep": "Karmada's engine refuses string.rep; join in a loop there",
}

_SANDBOX = "scripts see nothing but the objects they are given"
#: Names of Lua that are kept from scripts, with the reason or the way round.
UNAVAILABLE: dict[str, str] = {
    **dict.fromkeys(("getmetatable", "setmetatable", "newproxy"), "metatables are not available"),
    **dict.fromkeys(("getfenv", "setfenv"), "environments are not available"),
    **dict.fromkeys(("rawget", "rawset", "rawequal", "rawlen"), "use plain indexing and =="),
    **dict.fromkeys(
        ("dofile", "load", "loadfile", "loadstring", "module"), "code cannot be loaded at run time"
    ),
    **dict.fromkeys(("collectgarbage", "gcinfo"), "memory is managed by the engine"),
    **dict.fromkeys(("io", "package", "debug", "jit", "ffi", "python"), _SANDBOX),
    "coroutine": "coroutines are not available; use a plain loop",
    "channel": _SANDBOX,
    "string.dump": "bytecode is not available",
    **dict.fromkeys(
        (
            "os.clock",
            "os.execute",
            "os.exit",
            "os.getenv",
            "os.remove",
            "os.rename",
            "os.setenv",
            "os.setlocale",
            "os.tmpname",
        ),
        "only os.time and os.date are available",
    ),
    "os.difftime": "subtract the two times",
}

#: Names of other Lua versions and of habit, with what takes their place here.
REPLACEMENTS: dict[str, str] = {
    "table.unpack": "Lua 5.1 calls it unpack",
    "table.pack": "write {...}, and select('#', ...) for the count",
    "table.move": "copy in a loop",
    "table.foreach": "loop with pairs",
    "table.foreachi": "loop with ipairs",
    "table.length": "write #t for a list",
    "table.size": "write #t for a list, count with pairs for a map",
    "table.contains": "loop with ipairs and compare",
    "table.append": "call table.insert",
    "table.push": "call table.insert",
    "math.round": "write math.floor(x + 0.5)",
    "math.tointeger": "write math.floor(x)",
    "math.type": "Lua 5.1 has one kind of number",
    "math.pow10": "write 10 ^ x",
    "string.split": "loop over string.gmatch",
    "string.trim": 'write string.match(s, "^%s*(.-)%s*$")',
    "string.contains": "write string.find(s, part, 1, true) ~= nil",
    "string.startswith": "write string.sub(s, 1, #prefix) == prefix",
    "string.endswith": "write string.sub(s, -#suffix) == suffix",
    "string.join": "call table.concat",
    "string.length": "call string.len, or write #s",
    "string.replace": "call string.gsub",
    "string.pack": "binary packing is not available",
    "string.unpack": "binary packing is not available",
    "utf8": "strings are bytes in Lua 5.1",
    "bit": "bit operations are not available",
    "bit32": "bit operations are not available",
    "json": "objects arrive decoded: read their fields",
    "cjson": "objects arrive decoded: read their fields",
    "log": "there is no log; return a message, or print while testing",
    "len": "write #t",
    "null": "Lua writes nil",
    "None": "Lua writes nil",
    "undefined": "Lua writes nil",
    "True": "Lua writes true",
    "False": "Lua writes false",
    "continue": "write goto continue, with ::continue:: at the end of the loop",
}

#: Methods that every string has.
STRING_METHODS = frozenset(
    name.removeprefix("string.") for name in AVAILABLE if name.startswith("string.")
)


@dataclass(frozen=True, slots=True)
class Signature:
    """How many arguments a function takes, and how it is written down."""

    least: int
    most: int | None
    usage: str


KUBE_SIGNATURES: dict[str, Signature] = {
    "kube.resourceAdd": Signature(0, None, "kube.resourceAdd(quantity, …)"),
    "kube.accuratePodRequirements": Signature(1, 1, "kube.accuratePodRequirements(podTemplate)"),
    "kube.getPodDependencies": Signature(2, 2, "kube.getPodDependencies(podTemplate, namespace)"),
    "kube.getResourceQuantity": Signature(1, 1, "kube.getResourceQuantity(quantity)"),
}

#: Evident type of what a library function gives, where it is always the same.
RESULT_TYPES: dict[str, str] = {
    **dict.fromkeys(
        (
            "tostring",
            "type",
            "string.format",
            "string.lower",
            "string.upper",
            "string.sub",
            "string.reverse",
            "string.char",
            "string.rep",
            "table.concat",
            "kube.resourceAdd",
        ),
        "string",
    ),
    **dict.fromkeys(
        (
            "string.len",
            "kube.getResourceQuantity",
            "os.time",
            "math.floor",
            "math.ceil",
            "math.abs",
            "math.max",
            "math.min",
            "math.sqrt",
        ),
        "number",
    ),
}

#: Everything that ``type()`` can give; userdata and thread never occur in scripts, but exist.
TYPE_NAMES = frozenset(
    {"nil", "boolean", "number", "string", "table", "function", "userdata", "thread"}
)
