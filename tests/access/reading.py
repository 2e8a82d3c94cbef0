"""Reads a page as a machine does: its links, what its forms send, and what a browser would execute."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.http import HttpResponse
from django.test import Client

TYPED = {"text", "search", "email", "url", "tel", "number", None}


@dataclass
class Form:
    """A form's address and the values that it would send unchanged. ``typed`` are the fields that take text."""

    method: str
    action: str
    values: dict[str, str] = field(default_factory=dict)
    typed: list[str] = field(default_factory=list)


class Reading(HTMLParser):
    """A parsed page. ``faults`` are whatever a browser might execute."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self.url = url
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.faults: list[str] = []
        self.title = ""
        self.text: list[str] = []
        self._inside: list[str] = []
        self._select = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in {"input", "meta", "link", "img", "br", "hr"}:
            self._inside.append(tag)
        if (tag == "script" and "src" not in given) or tag in {"style", "iframe", "object", "embed", "base"}:
            self.faults.append(f"<{tag}>")
        self.faults += [f"<{tag} {name}>" for name in given if name.startswith(("on", "hx-on")) or name == "style"]
        self.faults += [
            f"{name}={value}" for name, value in attrs if (value or "").strip().lower().startswith("javascript:")
        ]
        for name in ("href", "hx-get"):
            if given.get(name) and tag not in {"link", "use"}:
                self.links.append(urljoin(self.url, given[name]))
        if tag == "form":
            action = urljoin(self.url, given.get("action") or self.url)
            self.forms.append(Form((given.get("method") or "get").lower(), action))
        elif self.forms and "form" in self._inside:
            self._field(tag, given)

    def _field(self, tag: str, given: dict[str, str | None]) -> None:
        form, name, value = self.forms[-1], given.get("name"), given.get("value") or ""
        if tag == "select":
            self._select = name or ""
        elif tag == "option" and self._select and ("selected" in given or self._select not in form.values):
            form.values[self._select] = value
        elif tag in {"input", "textarea"} and name:
            kind = given.get("type")
            if kind in {"radio", "checkbox"} and "checked" not in given:
                return
            form.values[name] = value
            if tag == "textarea" or kind in TYPED:
                form.typed.append(name)

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._inside[-1:] == ["title"]:
            self.title += data
        self.text.append(data)


def read(response: HttpResponse | Any, url: str) -> Reading:
    """Parse an answer that is a page.

    What its policy names by hash is no fault, because a browser executes nothing else in its place.
    """
    page = Reading(url, response.content.decode())
    policy = response.headers.get("Content-Security-Policy", "")
    named = [f"<{kind}>" for kind in ("style", "script") if f"{kind}-src 'sha256-" in policy]
    page.faults = [fault for fault in page.faults if fault not in named]
    return page


def is_page(response: HttpResponse | Any) -> bool:
    """Whether the answer is HTML and no redirect."""
    return response.status_code < 300 and response["Content-Type"].startswith("text/html")


def crawl(client: Client, *starts: str, most: int = 400) -> Iterator[tuple[str, Any]]:
    """Request every address that can be reached from these, once each."""
    queue, seen = deque(starts), set(starts)
    while queue:
        url = queue.popleft()
        response = client.get(url)
        response.getvalue()  # a download is a file that is closed when it has been read
        yield url, response
        found = []
        if is_page(response):
            found = read(response, url).links
        elif response.status_code in {301, 302}:
            found = [urljoin(url, response["Location"])]
        for link in found:
            parts = urlsplit(link)
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            if not (parts.scheme or parts.netloc) and path not in seen:
                assert len(seen) < most, "the pages never end"
                seen.add(path)
                queue.append(path)
