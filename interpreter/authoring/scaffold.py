"""A starting folder for the scripts of a kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from interpreter.authoring import stubs
from interpreter.authoring.crds import KindSchema
from interpreter.authoring.scaffold_cases import cases
from interpreter.authoring.scaffold_scripts import scripts
from interpreter.authoring.shapes import shape_of, usual_shape
from interpreter.catalogue import folders, kind_files
from interpreter.codec import yaml
from interpreter.errors import InvalidCustomization
from interpreter.machinery.gvk import GVK
from interpreter.operations import OPERATIONS

#: Folder of the annotation files; hidden, so that nothing takes it for a group of scripts.
ANNOTATIONS = ".lua-types"
_KIND_FILE = "# Further versions that the same scripts serve, such as [v1beta1].\nversions: []\n"


def scaffold(gvk: GVK, kind: KindSchema | None = None) -> dict[Path, str]:
    """The files of a starting folder, by path relative to the folder of all scripts.

    Args:
        gvk: The kind; without its definition it is taken for a workload of the usual form.
        kind: Its definition, which tells the operations that make sense and where things are.

    Raises:
        InvalidCustomization: The kind cannot be a folder, or the definition gives nothing to write.
    """
    shape = usual_shape(gvk) if kind is None else shape_of(kind)
    folder = folders.kind_path(gvk)
    # In scripts a kind is named by its annotations only.
    written = scripts(replace(shape, gvk=gvk._replace(kind=stubs.class_name(gvk))))
    if not written:
        raise InvalidCustomization(
            f"the definition of {gvk} has no replicas, no pod template and no status",
            hint="there is nothing that an interpreter could tell about it",
        )
    files: dict[Path, str] = {}
    for operation, script in written.items():
        spec = OPERATIONS[operation]
        files[folder / spec.script] = script
        # Each case is its own document of values: no anchors, so that one can be changed alone.
        files[folder / folders.CASES_FOLDER / f"{spec.hook}.yaml"] = (
            f"# Cases of {spec.script}; run them with: interpret test\n"
            + yaml.dumps(cases(shape, operation))
        )
    files[folder / kind_files.KIND_FILE] = _KIND_FILE
    files |= editor_files(gvk, kind)
    return files


def editor_files(gvk: GVK, kind: KindSchema | None) -> dict[Path, str]:
    """Editor settings and annotation files, shared by all kinds in a folder of scripts."""
    files = dict(stubs.common_files())
    if kind is None:
        kind = KindSchema(gvk, namespaced=True, schema={}, scale_path=None, has_status=True)
    name, text = stubs.kind_file(kind)
    files[name] = text
    return {
        Path(".luarc.json"): stubs.settings_text(ANNOTATIONS),
        **{Path(ANNOTATIONS) / path: content for path, content in files.items()},
    }
