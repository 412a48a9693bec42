import pytest

REPLICAS = """\
function GetReplicas(obj)
  local workers = obj.spec.workers
  if workers == nil then
    workers = 1
  end
  if obj.spec.cpu == nil then
    return workers
  end
  return workers, { resourceRequest = { cpu = obj.spec.cpu } }
end
"""


@pytest.fixture
def widget(tmp_path, monkeypatch):
    """Writes lua_scripts/example.com/v1/Widget from texts by file name, and works beside it."""
    monkeypatch.chdir(tmp_path)

    def write(files):
        folder = tmp_path / "lua_scripts/example.com/v1/Widget"
        for name, text in {"get_replicas.lua": REPLICAS, **files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return write
