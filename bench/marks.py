"""Measures the pages that people see most with Lighthouse, as a mobile phone, and fails if one is below the marks.

Run it with ``make lighthouse``, which installs Lighthouse first. It serves an evening of six hands from a temporary
directory, as ``make run`` would, to the host of its club. Lighthouse throttles the network and the processor; its marks
for speed need a machine that does nothing else meanwhile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import django
from playwright.sync_api import sync_playwright

from bench.live import manage, serving
from tests import chromium
from tests.browser.evening import EVENING, NAMES

LIGHTHOUSE: Final = Path(__file__).parent / "lighthouse" / "node_modules" / "lighthouse" / "cli" / "index.js"
NODE: Final = Path(sys.executable).parent / "node"
MARKS: Final = {"performance": 95, "accessibility": 100, "best-practices": 100}
TRIES: Final = 3
"""On a busy machine Lighthouse may lose the trace of a page, and says to run it again."""
DESCRIBED: Final = "meta-description"
"""The one audit of those for search engines: no search engine finds the pages of a club."""


def main() -> int:
    """Prints the marks of every page, and what cost a page its marks. Returns how many pages are below them."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "ofcscore.settings"
    os.environ.pop("DATABASE_URL", None)
    with ExitStack() as stack:
        os.environ["DATA_DIR"] = stack.enter_context(tempfile.TemporaryDirectory(prefix="ofcscore-lighthouse-"))
        django.setup()
        manage("migrate", "--verbosity", "0")
        manage("collectstatic", "--no-input", "--verbosity", "0")
        session, secret = evening()
        port = stack.enter_context(serving()).port
        profile = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="ofcscore-lighthouse-", ignore_cleanup_errors=True)
        )
        let_in(profile, f"http://localhost:{port}/l/{secret}")
        at = f"/s/{session}/"
        pages = {
            "start": "/",
            "new session": "/new/",
            "table": at,
            "card pad": f"{at}hand/",
            "ledger": f"{at}ledger/",
            "settled hand": f"{at}hands/6/",
            "rules": "/rules/",
        }
        print(f"{'':14}{'speed':>6}{'access':>8}{'practice':>10}{'shift':>8}")
        below = [
            name
            for name, path in pages.items()
            if not passes(name, measured(f"http://localhost:{port}{path}", profile))
        ]
    print(f"Below the marks: {', '.join(below)}" if below else "Every page has its marks.")
    return len(below)


def evening() -> tuple[str, str]:
    """An evening of six hands: its public id, and the secret of a host's link to it."""
    from django.db import connection

    from scoring import ledger
    from scoring.access import links
    from scoring.game.entry import Entry, Rows

    session = ledger.start_session(names=list(NAMES), stake=100, currency="EUR", button=3, key="evening", by="bench")
    for number, hand in enumerate(EVENING, start=1):
        boards = {NAMES.index(name) + 1: Rows(*board.split(" / ")) for name, board in hand.boards.items()}
        ledger.settle_deal(session=session, entry=Entry(boards=boards), number=number, key=f"hand {number}", by="bench")
    secret = links.issue(club=session.club, role=links.Role.HOST, key="bench", name="bench")[1]
    connection.close()
    return session.public_id, secret


def let_in(profile: str, link: str) -> None:
    """Opens a link in a browser with this profile, which keeps the cookie for later ones."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(profile, **chromium.options(*chromium.WHOLE))
        context.new_page().goto(link)
        context.close()


def measured(address: str, profile: str) -> dict[str, Any]:
    """Lighthouse's report of one page."""
    command = [str(NODE), str(LIGHTHOUSE), address, "--quiet", "--output=json", "--output-path=stdout"]
    command += [f"--only-categories={','.join(MARKS)}", f"--only-audits={DESCRIBED}"]
    flags = ["--headless=new", f"--user-data-dir={profile}", *chromium.options(*chromium.WHOLE)["args"]]
    command += [f"--chrome-flags={' '.join(flags)}"]
    environment = {**os.environ, "CHROME_PATH": chromium_path()}
    for _ in range(TRIES):
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True, env=environment)
        if done.returncode == 0:
            found: dict[str, Any] = json.loads(done.stdout)
            return found
    raise SystemExit(f"Lighthouse could not measure {address}")


def chromium_path() -> str:
    """The browser that Lighthouse drives."""
    if installed := chromium.options(*chromium.WHOLE)["executable_path"]:
        return str(installed)
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def passes(name: str, report: Mapping[str, Any]) -> bool:
    """Prints the marks of a page, and what it lost. Returns whether it has its marks."""
    audits = report["audits"]
    marks = {mark: round(100 * (report["categories"][mark]["score"] or 0)) for mark in MARKS}
    shift = audits["cumulative-layout-shift"]["numericValue"]
    print(f"{name:14}{marks['performance']:6}{marks['accessibility']:8}{marks['best-practices']:10}{shift:8.3f}")
    low = [mark for mark, least in MARKS.items() if marks[mark] < least]
    wanting = [each["id"] for mark in low for each in report["categories"][mark]["auditRefs"] if each["weight"]]
    wanting += [DESCRIBED] if audits[DESCRIBED]["score"] != 1 else []
    for audit in (audits[each] for each in wanting):
        if audit["score"] is not None and audit["score"] < 1:
            print(f"  {audit['id']}: {audit.get('displayValue') or audit['title']}")
    return not low and audits[DESCRIBED]["score"] == 1


if __name__ == "__main__":
    sys.exit(main())
