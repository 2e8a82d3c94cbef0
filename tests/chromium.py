"""The browser for tests, screenshots and the benchmark of pages."""

import os
import shutil
from typing import Any

QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def options() -> dict[str, Any]:
    """Playwright's launch options: a Chromium on the PATH if there is one, else the one that Playwright downloaded."""
    installed = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses to sandbox itself as root
    return {"executable_path": installed, "args": QUIET + sandbox}
