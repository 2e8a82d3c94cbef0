"""`serve` runs the app's server for this machine and the local network."""

import io
import signal
from collections.abc import Callable
from contextlib import suppress
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from typing import Any

import segno
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from ofcscore import network, serving, starting

EVERYWHERE = "0.0.0.0"  # noqa: S104 - the phones at the table connect over the network


class Command(BaseCommand):
    help = "Serve the app until interrupted, and print its addresses."

    def __init__(self, *args: Any, make: Callable[[], None] = lambda: None, **options: Any) -> None:
        """``make`` makes what the server needs, when nothing refuses its start."""
        super().__init__(*args, **options)
        self.make = make

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=EVERYWHERE, help="address to listen on (default: all interfaces)")
        parser.add_argument("--port", type=int, default=settings.PORT, help="port (default: PORT, or 8000)")

        parser.add_argument("--despite-clock", action="store_true", help="serve although an entry is from the future")

    def handle(self, *, host: str, port: int, despite_clock: bool, **options: Any) -> None:
        with starting.held(host, port, despite_clock=despite_clock) as listener:
            self.make()
            self._serve(listener, host)

    def _serve(self, listener: socket, host: str) -> None:
        config = serving.config(host, listener.getsockname()[1])
        # Every connection inherits TCP_NODELAY. Without it the second piece of a response waits for the phone to
        # acknowledge the first, and phones delay that by 40 ms. asyncio sets it only if a socket names its protocol.
        listener.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        listener.listen(config.backlog)  # a client that tries an address printed below is queued, not refused
        self.stdout.write("\n".join(filter(None, self._addresses(host, listener.getsockname()[1]))))
        if warning := serving.warning():
            self.stdout.write(warning)
        self.stdout.write("Stop with Ctrl-C.")
        self.stdout.flush()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the status then says what ended the server
        serving.spare_what_is_loaded()
        with suppress(KeyboardInterrupt):
            serving.Server(config).run(sockets=[listener])

    def _addresses(self, host: str, port: int) -> list[str]:
        path = f"{settings.URL_PREFIX}/"
        if settings.HTTPS:
            public = [f"  https://{name}{path}" for name in settings.ALLOWED_HOSTS if not network.is_local(name)]
            return [f"ofcscore waits on port {port} for the proxy that serves", *public]
        here = "localhost" if host == EVERYWHERE else host
        phones = [f"http://{address}:{port}{path}" for address in network.answering(port)]
        return [
            "ofcscore is at",
            *(f"  {address} (local network)" for address in phones),
            *([f"  http://{here}:{port}{path} (this machine)"] if not phones or host == EVERYWHERE else []),
            *([] if phones else ["No phone can reach it: this server has no address on a local network."]),
            *map(self._code, phones[:1]),
        ]

    def _code(self, address: str) -> str:
        """The address as a QR code for people at a terminal; a log needs none."""
        drawn = io.StringIO()
        if self.stdout.isatty():
            blocks = (self.stdout.encoding or "").lower().startswith("utf")  # otherwise spaces in reverse
            segno.make(address, error="l", micro=False).terminal(drawn, compact=blocks)
        return drawn.getvalue()
