import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs/test.md"
BLOCK = re.compile(
    r"(?:^`(?P<file>[^`\n]+)`\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
PROCESS = "from interpreter.cli import main; main.COMMANDS.setdefault('test', ''); main.main()"


def test_the_session_in_the_page_is_what_a_run_prints(tmp_path):
    ran = 0
    for block in BLOCK.finditer(PAGE.read_text()):
        if block["file"]:
            path = tmp_path / block["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"])
        if block["kind"] != "console":
            continue
        for step in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
            line, _, shown = step.partition("\n")
            command, _, arguments = line.partition(" test")
            assert command == "interpret"
            result = subprocess.run(
                [sys.executable, "-c", PROCESS, "test", *arguments.split()],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                cwd=tmp_path,
                env={**os.environ, "COLUMNS": "100"},
                timeout=60,
                check=False,
            )
            assert result.stdout.rstrip("\n") == shown.rstrip("\n")
            ran += 1
    assert ran == 4
    written = (tmp_path / "lua_scripts/example.com/v1/Widget/cases/get_replicas.yaml").read_text()
    became = PAGE.read_text().split("`want` became\n\n```yaml\n")[1].split("```")[0]
    assert became in written
