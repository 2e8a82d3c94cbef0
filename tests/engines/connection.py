"""The way between a phone and the server, which a test can cut."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class Connection:
    """Carries bytes from a port of its own to the server's port and back, until it is cut.

    It is cut as by a router without a line: what is open breaks off, and nobody answers what is opened. All engines see
    the same, and the port stays the same, so that the phone stays on its pages.
    """

    def __init__(self, server: int) -> None:
        self.server = server
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.lock = threading.Lock()  # so that nothing is opened while it is being cut
        self.is_cut = False
        self.open: set[socket.socket] = set()
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        with self.lock:
            self.is_cut = True
            for end in self.open:
                _break_off(end)

    def mend(self) -> None:
        self.is_cut = False

    def _listen(self) -> None:
        while True:
            try:
                phone, _ = self.listener.accept()
            except OSError:  # the test is over
                return
            with self.lock:
                if self.is_cut:
                    phone.close()
                    continue
                server = socket.create_connection(("127.0.0.1", self.server))
                self.open |= {phone, server}
            for source, target in ((phone, server), (server, phone)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(65_536):
                target.sendall(piece)
        # Each direction has a thread, and the source is its own to close.
        with self.lock:
            self.open.discard(source)
            _break_off(target)
            source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cut()
        _break_off(self.listener)
        self.listener.close()


def _break_off(end: socket.socket) -> None:
    """Wake up the thread that waits at this end."""
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
