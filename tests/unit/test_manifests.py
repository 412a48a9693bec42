"""Files, folders, patterns and standard input become objects that know where they came from."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter.errors import InvalidObject
from interpreter.manifests import InputValue, Manifest, read, read_documents
from interpreter.settings import DEFAULTS, Settings

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, so that paths can be given as people give them."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str | bytes) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


def pods(*paths: str, stdin: bytes | None = None) -> list[str]:
    stream = None if stdin is None else io.BytesIO(stdin)
    return [manifest.obj["metadata"]["name"] for manifest in read(paths, stdin=stream)]


def sources(*paths: str) -> list[str]:
    return [manifest.source for manifest in read(paths)]


def error_of(
    *paths: str, stdin: bytes | None = None, settings: Settings = DEFAULTS
) -> InvalidObject:
    stream = None if stdin is None else io.BytesIO(stdin)
    with pytest.raises(InvalidObject) as caught:
        list(read(paths, stdin=stream, settings=settings))
    assert "\n" not in str(caught.value)
    return caught.value


def test_every_object_knows_its_file_and_document() -> None:
    write("a.yaml", "---\n# empty\n---\n" + POD % "p1" + "---\n" + POD % "p2")

    first, second = read(["a.yaml"])

    want = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p1"}}
    assert first == Manifest(obj=want, source="a.yaml", document=2, item=None)
    assert (first.where, second.where) == ("a.yaml, document 2", "a.yaml, document 3")


def test_one_path_may_be_given_as_a_string() -> None:
    write("a.yaml", POD % "p")
    assert [manifest.source for manifest in read("a.yaml")] == ["a.yaml"]


LIST_ITEMS = [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}} for name in "abc"]
BARE_ITEMS: list[dict[str, Any]] = [{"metadata": {"name": name}} for name in "abc"]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"apiVersion": "v1", "kind": "List", "items": LIST_ITEMS}, id="List"),
        pytest.param({"apiVersion": "v1", "kind": "PodList", "items": BARE_ITEMS}, id="typed list"),
        pytest.param({"apiVersion": "v1", "kind": "PodList", "items": LIST_ITEMS}, id="full items"),
        pytest.param(LIST_ITEMS, id="plain list"),
    ],
)
@pytest.mark.parametrize("file", ["a.json", "a.yaml"])
def test_lists_give_their_items(value: Any, file: str) -> None:
    write(file, json.dumps(value))

    found = list(read([file]))

    assert [manifest.obj for manifest in found] == LIST_ITEMS
    assert [manifest.item for manifest in found] == [1, 2, 3]
    assert found[2].where == f"{file}, document 1, item 3"


def test_lists_inside_lists_are_unpacked_and_keep_the_outer_number() -> None:
    inner = {"apiVersion": "v1", "kind": "PodList", "items": BARE_ITEMS}
    write("a.json", json.dumps([LIST_ITEMS[0], inner]))

    assert [manifest.item for manifest in read(["a.json"])] == [1, 2, 2, 2]
    assert pods("a.json") == ["a", "a", "b", "c"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("apiVersion: v1\nkind: List\nitems: []", id="no items"),
        pytest.param("apiVersion: v1\nkind: List\nitems: null", id="null, as Go writes it"),
        pytest.param("apiVersion: v1\nkind: List", id="items left out"),
        pytest.param(
            "apiVersion: v1\nkind: PodList\nitems: null\nmetadata: {}", id="typed and null"
        ),
        pytest.param("", id="empty file"),
        pytest.param("---\n# nothing\n---\n", id="only comments"),
    ],
)
def test_an_empty_list_or_file_has_no_objects(text: str) -> None:
    write("a.yaml", text)
    assert list(read(["a.yaml"])) == []


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param({"metadata": {"name": "x"}, "items": [1]}, id="named"),
        pytest.param({"spec": {"items": [1]}}, id="without items of its own"),
        pytest.param({"items": {"a": 1}}, id="items of another shape"),
    ],
)
def test_an_object_whose_kind_merely_ends_with_list_is_an_object(rest: dict[str, Any]) -> None:
    value = {"apiVersion": "example.com/v1", "kind": "AllowList", **rest}
    write("a.json", json.dumps(value))
    assert [manifest.obj for manifest in read(["a.json"])] == [value]


@pytest.mark.parametrize(
    ("text", "message", "source", "path", "line"),
    [
        pytest.param("a\n---\nb", "must be an object", "document 1", None, 1, id="text"),
        pytest.param(
            POD % "p" + "---\n- 5", "must be an object", "document 2, item 1", None, None, id="n"
        ),
        pytest.param(
            "- - a", "must be an object", "document 1, item 1", None, None, id="list in list"
        ),
        pytest.param(
            "\n\nkind: Pod", "is missing", "document 1", "apiVersion", 3, id="no apiVersion"
        ),
        pytest.param("apiVersion: v1", "is missing", "document 1", "kind", 1, id="no kind"),
        pytest.param(
            "apiVersion: v1\nkind:", "is missing", "document 1", "kind", 1, id="null kind"
        ),
        pytest.param(
            "apiVersion: v1\nkind: ''", "not empty", "document 1", "kind", 1, id="empty kind"
        ),
        pytest.param(
            "apiVersion: 1\nkind: A", "a string", "document 1", "apiVersion", 1, id="number"
        ),
        pytest.param(
            "apiVersion: v1\nkind: List\nitems: 3",
            "be a list",
            "document 1",
            "items",
            1,
            id="items",
        ),
        pytest.param(
            "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1}]",
            "is missing",
            "document 1, item 1",
            "kind",
            None,
            id="item without kind",
        ),
        pytest.param(
            "apiVersion: v1\nkind: PodList\nitems: [null]",
            "must be an object",
            "document 1, item 1",
            None,
            None,
            id="null item",
        ),
        pytest.param("a: 1\na: 2", "duplicate key", "document 1", "a", 2, id="bad YAML"),
        pytest.param(
            '{"a": 1,\n"a": 2}', "duplicate key", "document 1", "a", 2, id="bad JSON in YAML"
        ),
    ],
)
def test_what_is_no_object_is_an_error_that_names_the_place(
    text: str, message: str, source: str, path: str | None, line: int | None
) -> None:
    write("a.yaml", text)
    error = error_of("a.yaml")

    assert message in str(error)
    assert (error.source, error.path, error.line) == (f"a.yaml, {source}", path, line)


def test_objects_before_an_error_are_given() -> None:
    write("a.yaml", POD % "p" + "---\nkind: Pod\n")
    manifests = read(["a.yaml"])

    assert next(manifests).obj["kind"] == "Pod"
    with pytest.raises(InvalidObject, match="apiVersion: is missing"):
        next(manifests)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param(
            "a.json", '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}', id="json"
        ),
        pytest.param(
            "a.JSON", '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}', id="capitals"
        ),
        pytest.param(
            "a.yaml", ' {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}', id="in yaml"
        ),
        pytest.param("a.yml", "{apiVersion: v1, kind: Pod, metadata: {name: p,}}", id="flow YAML"),
        pytest.param("a.txt", POD % "p", id="another suffix is YAML"),
        pytest.param("a", POD % "p", id="no suffix"),
        pytest.param("a.yaml", b"\xef\xbb\xbf" + (POD % "p").encode(), id="byte order mark"),
        pytest.param("a b;c.yaml", POD % "p", id="unusual name"),
    ],
)
def test_the_format_follows_suffix_and_content(file: str, text: str | bytes) -> None:
    write(file, text)
    assert pods(file) == ["p"]


def test_a_json_file_may_hold_several_objects() -> None:
    write("a.jsonl", "".join(json.dumps(item) + "\n" for item in LIST_ITEMS))
    write("b.json", "\n".join(json.dumps(item, indent=1) for item in LIST_ITEMS))

    assert pods("a.jsonl", "b.json") == ["a", "b", "c"] * 2
    assert [manifest.document for manifest in read(["b.json"])] == [1, 2, 3]


def test_a_json_file_with_yaml_is_an_error() -> None:
    write("a.json", POD % "p")
    error = error_of("a.json")
    assert "not valid JSON" in str(error)
    assert (error.source, error.line) == ("a.json", 1)


def test_a_folder_gives_all_manifests_below_it_in_order() -> None:
    for name in ["d/b.yaml", "d/a.yml", "d/c.json", "d/sub/x.yaml", "d/sub.yaml", "d/a-b/y.YAML"]:
        write(name, '{"apiVersion": "v1", "kind": "Pod"}')
    for name in ["d/README.md", "d/.hidden.yaml", "d/.git/x.yaml", "d/values", "d/x.yaml.bak"]:
        write(name, "not: [a manifest")

    want = ["d/a-b/y.YAML", "d/a.yml", "d/b.yaml", "d/c.json", "d/sub/x.yaml", "d/sub.yaml"]
    assert sources("d") == want
    assert sources("./d/") == ["./" + name for name in want]
    assert sources(".") == ["./" + name for name in want]


def test_a_hidden_folder_that_is_given_is_read() -> None:
    write(".config/a.yaml", POD % "p")
    assert sources(".config") == [".config/a.yaml"]
    assert sources(".conf*/*.yaml") == [".config/a.yaml"]


def test_loops_of_symbolic_links_end(folder: Path) -> None:
    write("d/sub/a.yaml", POD % "p")
    for name in ("one", "two", "three"):
        (folder / "d" / "sub" / name).symlink_to(folder / "d")
    (folder / "d" / "self.yaml").symlink_to(folder / "d" / "sub" / "a.yaml")

    assert sources("d") == ["d/self.yaml", "d/sub/a.yaml"]
    assert sources("d/**/*.yaml") == ["d/self.yaml", "d/sub/a.yaml"]


@pytest.mark.parametrize(
    ("pattern", "want"),
    [
        pytest.param("d/*.yaml", ["d/a.yaml", "d/b.yaml"], id="star"),
        pytest.param("d/[ab].y*", ["d/a.yaml", "d/b.yaml"], id="brackets"),
        pytest.param("d/?.json", ["d/c.json"], id="question mark"),
        pytest.param("*/s*/x.yaml", ["d/s1/x.yaml", "d/s2/x.yaml"], id="folders"),
        pytest.param(
            "**/*.yaml",
            ["d/a.yaml", "d/b.yaml", "d/s1/deep/z.yaml", "d/s1/x.yaml", "d/s2/x.yaml"],
            id="any depth",
        ),
        pytest.param("d/**/x.yaml", ["d/s1/x.yaml", "d/s2/x.yaml"], id="any depth below"),
        pytest.param("d/s1/**", ["d/s1/deep/z.yaml", "d/s1/x.yaml"], id="all below"),
        pytest.param("./d/*.json", ["./d/c.json"], id="spelling is kept"),
        pytest.param("d/../d/*.json", ["d/../d/c.json"], id="dots are kept"),
        pytest.param("**/**/c.json", ["d/c.json"], id="two double stars give no twins"),
    ],
)
def test_a_pattern_gives_its_files_in_order(pattern: str, want: list[str]) -> None:
    for name in ["a.yaml", "b.yaml", "c.json", "s1/x.yaml", "s1/deep/z.yaml", "s2/x.yaml"]:
        write(f"d/{name}", '{"apiVersion": "v1", "kind": "Pod"}')
    write("d/.h/x.yaml", "not: [a manifest")

    assert sources(pattern) == want
    absolute = os.path.join(os.getcwd(), pattern)
    assert sources(absolute) == [os.path.join(os.getcwd(), name) for name in want]


def test_an_existing_file_with_brackets_in_its_name_is_no_pattern() -> None:
    write("a[1].yaml", POD % "brackets")
    write("a1.yaml", POD % "one")

    assert pods("a[1].yaml") == ["brackets"]
    assert pods("a[12].yaml") == ["one"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("missing.yaml", "no such file", id="missing"),
        pytest.param("missing/a.yaml", "no such file", id="missing folder"),
        pytest.param("file.yaml/a.yaml", "not a directory", id="below a file"),
        pytest.param("*.nothing", "no file matches", id="no match"),
        pytest.param("missing/**/*.yaml", "no file matches", id="pattern in a missing folder"),
        pytest.param("f*r", "no file matches", id="pattern for a folder"),
        pytest.param("folder", "the folder has no manifest", id="folder without manifests"),
        pytest.param("", "an empty path", id="empty"),
        pytest.param("a\0b", "null", id="null character"),
        pytest.param("a" * 5000, "too long", id="too long"),
        pytest.param("broken.yaml", "no such file", id="broken link"),
        pytest.param("circle.yaml", "symbolic links", id="link to itself"),
    ],
)
def test_a_path_that_cannot_be_read_is_an_error_that_names_it(path: str, message: str) -> None:
    write("file.yaml", POD % "p")
    write("folder/README.md", "")
    os.symlink("nowhere", "broken.yaml")
    os.symlink("circle.yaml", "circle.yaml")

    error = error_of(path)
    assert message in str(error)
    assert error.source == path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_or_a_device_is_an_error_and_does_not_block() -> None:
    os.mkfifo("fifo.yaml")
    started = time.perf_counter()

    for path in ("fifo.yaml", ".", "/dev/zero"):
        error = error_of(path)
        assert "no regular file" in str(error)
    assert time.perf_counter() - started < 2


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything"
)
@pytest.mark.parametrize("path", ["d/closed/a.yaml", "d/closed.yaml", "d", "d/**/*.yaml"])
def test_missing_permission_is_an_error(path: str) -> None:
    write("d/closed/a.yaml", POD % "p")
    write("d/closed.yaml", POD % "p")
    os.chmod("d/closed", 0)
    os.chmod("d/closed.yaml", 0)
    try:
        assert "permission denied" in str(error_of(path))
    finally:
        os.chmod("d/closed", 0o700)


def test_an_error_of_the_system_never_gets_out(monkeypatch: pytest.MonkeyPatch) -> None:
    write("d/a.yaml", POD % "p")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refuse)
    error = error_of("d")
    assert (str(error), error.source) == ("cannot be read: permission denied", "d")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(folder: Path) -> None:
    with open("big.yaml", "wb") as file:
        file.truncate(1 << 40)  # a hole, not a terabyte

    error = error_of("big.yaml")
    assert f"larger than {DEFAULTS.max_manifest_bytes} bytes" in str(error)
    assert error.source == "big.yaml"


def test_the_size_limit_is_exact() -> None:
    text = POD % "p"
    write("a.yaml", text)

    settings = Settings(max_manifest_bytes=len(text))
    assert len(list(read(["a.yaml"], settings=settings))) == 1
    assert len(list(read(["-"], stdin=io.BytesIO(text.encode()), settings=settings))) == 1
    settings = Settings(max_manifest_bytes=len(text) - 1)
    assert "is larger than" in str(error_of("a.yaml", settings=settings))
    assert "is larger than" in str(error_of("-", stdin=text.encode(), settings=settings))


def test_endless_standard_input_is_refused() -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            buffer[:] = b" " * len(buffer)
            return len(buffer)

    stream = io.BufferedReader(Endless())
    with pytest.raises(InvalidObject, match="is larger than") as caught:
        list(read(["-"], stdin=stream, settings=Settings(max_manifest_bytes=5_000_000)))
    assert caught.value.source == "<stdin>"


def test_the_depth_limit_of_the_settings_applies() -> None:
    write("a.yaml", "apiVersion: v1\nkind: A\nspec: {a: {b: 1}}")
    write("a.json", '{"apiVersion": "v1", "kind": "A", "spec": {"a": {"b": 1}}}')
    for file in ("a.yaml", "a.json"):
        assert "nested deeper than 2" in str(error_of(file, settings=Settings(max_depth=2)))
        assert len(list(read([file], settings=Settings(max_depth=3)))) == 1


@pytest.mark.parametrize(
    "data",
    [
        pytest.param((POD % "p").encode(), id="YAML"),
        pytest.param(b'\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}', id="JSON"),
        pytest.param(b"{apiVersion: v1, kind: Pod, metadata: {name: p}}", id="flow YAML"),
    ],
)
def test_standard_input_is_read_by_its_content(data: bytes) -> None:
    (manifest,) = read(["-"], stdin=io.BytesIO(data))
    assert manifest.obj["metadata"] == {"name": "p"}
    assert manifest.where == "<stdin>, document 1"


def test_standard_input_that_gives_little_at_a_time_is_read_whole() -> None:
    class Slow(io.RawIOBase):
        left = (POD % "p").encode()

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            buffer[:1], self.left = self.left[:1], self.left[1:]
            return 1 if len(self.left) else 0

    assert len(list(read(["-"], stdin=Slow()))) == 1  # type: ignore[arg-type]


def test_standard_input_of_the_process_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((POD % "p").encode())))
    assert pods("-") == ["p"]
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in str(error_of("-"))


def test_standard_input_is_read_once_and_in_its_turn() -> None:
    write("a.yaml", POD % "a")
    write("z.yaml", POD % "z")

    assert pods("z.yaml", "-", "a.yaml", stdin=(POD % "p").encode()) == ["z", "p", "a"]
    assert "can be read once" in str(error_of("-", "-", stdin=b""))


def test_documents_of_any_shape_are_read_without_a_kind() -> None:
    write("items.yaml", "a: 1\n---\n# none\n---\n- {b: 2}\n- null\n- [3]\n---\ntext\n")
    write("more.json", '5 null {"kind": "List", "items": [1]}')

    found = list(read_documents(["items.yaml", "more.json"]))

    assert found == [
        InputValue({"a": 1}, "items.yaml", 1, None),
        InputValue({"b": 2}, "items.yaml", 3, 1),
        InputValue(None, "items.yaml", 3, 2),
        InputValue([3], "items.yaml", 3, 3),
        InputValue("text", "items.yaml", 4, None),
        InputValue(5, "more.json", 1, None),
        InputValue({"kind": "List", "items": [1]}, "more.json", 3, None),
    ]
    assert found[1].where == "items.yaml, document 3, item 1"


def test_importing_the_module_loads_no_parser() -> None:
    code = (
        "import sys, interpreter.manifests\n"
        "print([name for name in ('yaml', 'orjson', 'interpreter.codec') if name in sys.modules])"
    )
    root = Path(__file__).parents[2]
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
