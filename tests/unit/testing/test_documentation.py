import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs/test.md"
BLOCK = re.compile(
    r"(?:^`(?P<file>[^`\n]+)`\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.S | re.M
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
        for step in re.split(r"^\$ ", block["text"], flags=re.M)[1:]:
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


def test_the_update_in_the_page_is_what_the_page_says(tmp_path):
    text = PAGE.read_text()
    assert "resourceRequest: {cpu: 1500m}" in text
    assert (
        text.index("cpu: 1500m") < text.index("--update") < text.index("{cpu: 500m}\n```\n\nRead")
    )
