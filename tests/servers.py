"""The server that `make run` starts, for tests: in a thread of this process or as a process of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection
from django.test.utils import modify_settings
from pytest_django.live_server_helper import LiveServer as DjangosLiveServer

from ofcscore.serving import Server, config

ROOT = Path(__file__).parent.parent
HOST = "localhost"


def address_of_the_database() -> str:
    """The DATABASE_URL by which another process uses this test's database."""
    at = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{at['NAME']}"
    user = ":".join(quote(part, safe="") for part in (at["USER"], at["PASSWORD"]) if part)
    host = ":".join(filter(None, (quote(at["HOST"], safe=""), str(at["PORT"]))))
    return f"postgres://{user}@{host}/{at['NAME']}"


class ServerThread(threading.Thread):
    """The app on the given port, or on a free one, with the tests' database."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(daemon=True)
        self.host = HOST
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self.listener.getsockname()[1]
        self.server = Server(config())

    def run(self) -> None:
        self.server.run(sockets=[self.listener])

    def terminate(self) -> None:
        """Stop as on SIGTERM."""
        self.server.should_exit = True
        self.join()


class LiveServer(DjangosLiveServer):
    """The fixture `live_server`, on the production server instead of Django's."""

    def __init__(self) -> None:
        self.thread = ServerThread()  # type: ignore[assignment]  # as much of Django's as the fixture uses
        self._live_server_modified_settings = modify_settings(ALLOWED_HOSTS={"append": HOST})
        self.thread.start()

    def stop(self) -> None:
        self.thread.terminate()


@contextmanager
def serving(**environment: str) -> Generator[tuple[subprocess.Popen[str], int]]:
    """Run `manage.py serve` in this environment: the process and its port."""
    command = [sys.executable, "manage.py", "serve", "--port", environment.pop("PORT", "0")]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONWARNINGS": "ignore", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        output = ""
        while "Stop" not in output:
            line = server.stdout.readline()
            assert line, "it did not come up"
            output += line
        yield server, int(re.findall(r":(\d+)/", output)[0])
    finally:
        server.send_signal(signal.SIGKILL)
        server.communicate()
