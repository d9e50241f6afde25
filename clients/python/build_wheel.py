"""Packs the client as a wheel (PEP 517), with nothing but the standard library: it is plain Python and has no dependencies."""

import base64
import hashlib
import pathlib
import re
import zipfile

from make_models import make_models

ROOT = pathlib.Path(__file__).parent
SOURCES = ROOT / "src"
PACKAGE = "atelier_client"
MODELS = f"{PACKAGE}/models.py"


def _project(field: str) -> str:
    # One line of pyproject.toml; a reader of TOML is in the standard library only from Python 3.11 on.
    found = re.search(rf'^{field} = "(.*)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"pyproject.toml does not say {field}")
    return found[1]


def _metadata() -> dict[str, bytes]:
    core = (
        "Metadata-Version: 2.1\n"
        f"Name: {_project('name')}\n"
        f"Version: {_project('version')}\n"
        f"Summary: {_project('description')}\n"
        f"License: {_project('license')}\n"
        f"Requires-Python: {_project('requires-python')}\n"
        "Description-Content-Type: text/markdown\n\n"
    )
    wheel = "Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    readme = (ROOT / "README.md").read_text("utf-8")
    scripts = "[console_scripts]\natelier-verify = atelier_client.verify:main\n"
    return {"METADATA": (core + readme).encode(), "WHEEL": wheel.encode(), "entry_points.txt": scripts.encode()}


def _write_wheel(folder: str, files: dict[str, bytes]) -> str:
    base = f"{PACKAGE}-{_project('version')}"
    info = f"{base}.dist-info"
    files = {**files, **{f"{info}/{name}": text for name, text in _metadata().items()}}
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{base}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return name


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    sources = sorted(path for path in (SOURCES / PACKAGE).rglob("*") if path.suffix in {".py", ".typed"})
    typed = SOURCES / PACKAGE / "py.typed"
    files = {path.relative_to(SOURCES).as_posix(): path.read_bytes() for path in {*sources, typed}}
    files[MODELS] = make_models().encode()
    return _write_wheel(wheel_directory, dict(sorted(files.items())))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    (SOURCES / MODELS).write_text(make_models(), "utf-8")
    return _write_wheel(wheel_directory, {f"{PACKAGE}.pth": f"{SOURCES.resolve()}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install the wheel, or from this folder")
