import os
from pathlib import Path

from interpreter.testing.watching import snapshot, wait_for_change


def test_scripts_and_yaml_files_are_watched_and_nothing_else(tmp_path):
    for name in ("a.lua", "cases/b.yaml", "c.yml", "d.txt", ".git/e.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    watched = {os.path.relpath(path, tmp_path) for path in snapshot([tmp_path])}
    assert watched == {"a.lua", "cases/b.yaml", "c.yml"}


def test_a_case_file_stands_for_the_folder_of_its_scripts(tmp_path):
    (tmp_path / "cases").mkdir()
    (tmp_path / "a.lua").write_text("x")
    (tmp_path / "cases/b.yaml").write_text("x")
    assert len(snapshot([tmp_path / "cases/b.yaml"])) == 2
    assert len(snapshot([tmp_path / "a.lua"])) == 2


def test_waiting_ends_when_a_file_changes_appears_or_goes(tmp_path):
    script = tmp_path / "a.lua"
    script.write_text("x")
    changes = [
        lambda: script.write_text("longer"),
        lambda: os.utime(script, ns=(1, 1)),
        lambda: (tmp_path / "b.yaml").write_text("x"),
        script.unlink,
    ]
    for change in changes:
        before = snapshot([tmp_path])
        waits = []

        def sleep(seconds, change=change, waits=waits):
            waits.append(seconds)
            if len(waits) == 2:
                change()

        after = wait_for_change([Path(tmp_path)], before, interval_seconds=0.5, sleep=sleep)
        assert waits == [0.5, 0.5]
        assert after != before
