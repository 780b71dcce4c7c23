"""Environments in which pip installs our package without a network, using the dependencies of this Python."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.repositories import ROOT

_PARTS = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
    "mcp_contracts",
    "module_template",
    "specs",
)


def require(*modules: str) -> None:
    """Skip the tests of a module if other packages are not installed."""
    for name in modules:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed", allow_module_level=True)


def copy_package(folder: Path) -> None:
    """Copy the files that our package is built from to a folder."""
    for name in _PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)


def keep_pip_offline(patch: pytest.MonkeyPatch, dependencies: Path) -> None:
    """Let pip build with the packages of this Python, without an index.

    `dependencies` becomes a folder of links to all installed packages except ours.
    """
    if not dependencies.exists():
        dependencies.mkdir(parents=True)
        _link(dependencies)
    settings = {
        "PYTHONPATH": str(dependencies),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip uses the value for `build isolation`
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_COMPILE": "1",  # used modules are compiled on their first use
        "PYTHONDONTWRITEBYTECODE": "",
    }
    for name, value in settings.items():
        patch.setenv(name, value)
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        patch.delenv(name, raising=False)


def _link(folder: Path) -> None:
    for place in map(Path, sys.path):
        for item in place.iterdir() if place.name == "site-packages" and place.is_dir() else ():
            is_ours = item.name.startswith(("mcp_contracts", "_editable", "__editable")) or item.suffix == ".pth"
            if not is_ours and not (folder / item.name).exists():
                (folder / item.name).symlink_to(item)
