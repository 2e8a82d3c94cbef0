"""A browser without scripts, for a server that is a process of its own. `tests.pages` reads and sends its forms."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Mapping
from contextlib import closing
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit


class Page(NamedTuple):
    """An answer with what `tests.pages` asks of one."""

    client: Browser
    status_code: int
    content: bytes
    request: dict[str, str]

    @property
    def text(self) -> str:
        return self.content.decode()


class Browser:
    """Keeps cookies and follows redirects on one server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.cookies: dict[str, str] = {}
        self.headers = {"Accept": "text/html"}
        self.answers: list[http.client.HTTPMessage] = []
        """The headers of every answer, redirects included."""

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def get(self, address: str, data: Any = None, headers: Any = None) -> Page:
        query = f"?{urlencode(data, doseq=True)}" if data else ""
        return self._ask("GET", address + query, None)

    def post(self, address: str, data: Mapping[str, Any] | None = None, headers: Any = None) -> Page:
        return self._ask("POST", address, urlencode(data or {}, doseq=True))

    def _ask(self, method: str, address: str, body: str | None) -> Page:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": kept, **self.headers}
        if body is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        with closing(self.connection()) as connection:
            connection.request(method, address, body, headers)
            response = connection.getresponse()
            content = response.read()
        self.answers.append(response.headers)
        for header in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: each.value for name, each in SimpleCookie(header).items()}
        if response.status in {301, 302, 303}:
            to = urlsplit(response.headers["Location"])
            return self.get(f"{to.path}?{to.query}" if to.query else to.path)
        path, _, query = address.partition("?")
        return Page(self, response.status, content, {"PATH_INFO": path, "QUERY_STRING": query})


class Secure(Browser):
    """The same, over TLS with a certificate that nobody vouches for, on a server that goes by this name."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(port)
        self.name = name
        self.origin = f"https://{name}:{port}"
        self.headers |= {"Host": f"{name}:{port}"}

    def connection(self) -> http.client.HTTPConnection:
        unchecked = ssl.create_default_context()
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30)
        # The server chooses its certificate by the name that it is called by, and the name leads nowhere here.
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.sock = unchecked.wrap_socket(plain, server_hostname=self.name)
        return connection
