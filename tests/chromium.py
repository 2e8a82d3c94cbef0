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

SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome")

# Chromium 156 loads two pages of its own into each new window, which show suggestions under its address bar. Nobody
# types there, and they take longer than most of our pages. The others are those that Playwright turns off, because
# Chromium heeds only the last such list; `test_a_browser_does_without_all_that_playwright_turns_off` compares them.
UNUSED = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "msForceBrowserSignIn",
    "msEdgeUpdateLaunchServicesPreferredVersion",
]


def options(*names: str) -> dict[str, Any]:
    """Playwright's launch options: the first of these on the PATH, else the Chromium that Playwright downloaded.

    Without ``names`` it is the headless shell, if it is installed: Chromium without windows, which shows pages as the
    other does, for two thirds of the work.
    """
    installed = next(filter(None, map(shutil.which, names or (SHELL, *WHOLE))), None)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses to sandbox itself as root
    return {"executable_path": installed, "args": [*QUIET, f"--disable-features={','.join(UNUSED)}", *sandbox]}
