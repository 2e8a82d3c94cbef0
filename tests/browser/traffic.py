"""Counts what a page asks for while its clock runs ahead."""

from playwright.sync_api import Page, Request


class Traffic:
    """The requests that scripts make on a page, except event streams, and the page's clock."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.made: list[str] = []
        self._open: set[Request] = set()
        page.clock.install()
        page.on("request", self._begins)
        page.on("requestfinished", self._ends)
        page.on("requestfailed", self._ends)

    def _begins(self, request: Request) -> None:
        if request.resource_type in {"xhr", "fetch"}:
            self.made.append(request.url)
            self._open.add(request)

    def _ends(self, request: Request) -> None:
        self._open.discard(request)

    def in_a_minute(self, but: str = "") -> list[str]:
        """What the page asks for in the next minute, without the addresses that contain ``but``."""
        self.made.clear()
        self.let_pass(60)
        return [url for url in self.made if not but or but not in url]

    def let_pass(self, seconds: int) -> None:
        """Let time pass second by second, each time until all requests are answered. A storm of them ends it."""
        for _ in range(seconds):
            self.page.clock.run_for(1000)
            while self._open and len(self.made) < 50:
                self.page.evaluate("0")  # Playwright tells of events only while it is called
