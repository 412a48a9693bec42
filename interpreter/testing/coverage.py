"""Line coverage of the Lua: what ran, what could have run, as a table and as LCOV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interpreter.testing.suites import ScriptFile, Suite


@dataclass(frozen=True, slots=True)
class ScriptCoverage:
    """Coverage of one script.

    Attributes:
        script: The script.
        label: How a table names it: its file, with its name when it stands in a file with others.
        executable: Lines that hold code, counted from 1 in the script.
        hits: How many cases ran a line, for each executable line.
    """

    script: ScriptFile
    label: str
    executable: tuple[int, ...]
    hits: Mapping[int, int]

    @property
    def missed(self) -> list[int]:
        """Executable lines that no case ran."""
        return [line for line in self.executable if not self.hits[line]]

    @property
    def percent(self) -> float:
        """0 to 100; a script without code is covered."""
        return percent(len(self.executable) - len(self.missed), len(self.executable))


def percent(covered: int, executable: int) -> float:
    """Covered lines in percent of the executable ones; 100 for none."""
    return 100.0 * covered / executable if executable else 100.0


def measure(
    suites: Iterable[Suite], lines: Iterable[Mapping[str, frozenset[int]]]
) -> list[ScriptCoverage]:
    """Coverage of every script of the suites, those without a case included.

    Args:
        suites: Whose scripts.
        lines: For each case the executed lines by script name and file (``key_of``).
    """
    from interpreter.engines.lua.active_lines import active_lines

    counts: dict[str, dict[int, int]] = {}
    for executed in lines:
        for key, numbers in executed.items():
            count = counts.setdefault(key, {})
            for number in numbers:
                count[number] = count.get(number, 0) + 1
    found: dict[str, ScriptCoverage] = {}
    for suite in suites:
        for rule in suite.rules.values():
            for script in rule.scripts:
                key = key_of(script)
                if key in found:
                    continue
                executable = tuple(sorted(active_lines(script.source)))
                count = counts.get(key, {})
                label = (
                    script.path if script.path.endswith(".lua") else f"{script.path} {script.name}"
                )
                hits = {line: count.get(line, 0) for line in executable}
                found[key] = ScriptCoverage(script, label, executable, hits)
    return list(found.values())


def key_of(script: ScriptFile) -> str:
    """File and name of a script; a name alone may occur in two folders."""
    return f"{script.path}\n{script.name}"


def total(measured: Iterable[ScriptCoverage]) -> tuple[int, int, float]:
    """Executable lines, missed lines and the percentage over all scripts."""
    scripts = list(measured)
    executable = sum(len(each.executable) for each in scripts)
    missed = sum(len(each.missed) for each in scripts)
    return executable, missed, percent(executable - missed, executable)


def table(measured: Iterable[ScriptCoverage]) -> list[str]:
    """A text table: script, lines, missed, cover, and which lines are missing."""
    scripts = list(measured)
    width = max([len("coverage"), *(len(each.label) for each in scripts)])
    rows = [f"{'coverage':<{width}}  lines  missed  cover  missing"]
    rows += [
        _row(each.label, width, len(each.executable), len(each.missed), each.percent, each.missed)
        for each in scripts
    ]
    executable, missed, share = total(scripts)
    rows.append(_row("total", width, executable, missed, share, []))
    return rows


def _row(label: str, width: int, lines: int, missed: int, share: float, missing: list[int]) -> str:
    numbers = f"{lines:>5}  {missed:>6}  {shown_percent(share):>5}"
    return f"{label:<{width}}  {numbers}  {ranges(missing)}".rstrip()


def shown_percent(share: float) -> str:
    """Whole percent, rounded down below 100 so that 100 % means all lines."""
    return f"{int(share)} %"


def ranges(lines: list[int]) -> str:
    """``[3, 4, 5, 9]`` as ``3-5, 9``."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and runs[-1][1] == line - 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def lcov(measured: Iterable[ScriptCoverage]) -> str:
    """LCOV tracefile; scripts inside YAML appear with the lines of the YAML file.

    The format is that of ``geninfo(1)``: a record per source file with ``SF``, ``DA``, ``LF``,
    ``LH``.
    """
    files: dict[str, dict[int, int]] = {}
    for each in measured:
        script = each.script
        # Lines of a folded or quoted text do not exist in the file; such a script gets a record of
        # its own.
        file = script.path if script.lines_before is not None else f"{script.path}#{script.name}"
        lines = files.setdefault(file, {})
        for line in each.executable:
            lines[line + (script.lines_before or 0)] = each.hits[line]
    out = []
    for file, lines in files.items():
        out += ["TN:", f"SF:{file}"]
        out += [f"DA:{line},{count}" for line, count in sorted(lines.items())]
        out += [f"LF:{len(lines)}", f"LH:{sum(map(bool, lines.values()))}", "end_of_record"]
    return "".join(line + "\n" for line in out)
