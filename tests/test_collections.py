"""What a server has loaded is no garbage, and no garbage collection looks at it during long pages."""

import gc
import signal
import socket
import sys
from typing import Any

import pytest

from ofcscore import serving
from scoring.management.commands.serve import Command


def test_a_server_spares_what_it_has_loaded_before_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    spared: list[int] = []

    def run(server: serving.Server, **_: Any) -> None:
        spared.append(gc.get_freeze_count())
        assert "scoring.urls" in sys.modules, "what is loaded later is looked at"

    monkeypatch.setattr(serving.Server, "run", run)
    before, terminate = gc.get_freeze_count(), signal.getsignal(signal.SIGTERM)
    try:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            Command()._serve(listener, "127.0.0.1")
    finally:
        gc.unfreeze()
        signal.signal(signal.SIGTERM, terminate)
    assert spared[0] > before + 100_000
