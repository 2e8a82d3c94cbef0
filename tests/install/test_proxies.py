"""The configurations of `docs/deploying.md`, each in the real server: pages, a hand, a stream, and who asks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import pytest
from lxml import etree, html

from bench.load.machines import answers, reserved_port
from tests.access.reading import Reading
from tests.install.browser import Browser, Page, Secure
from tests.pages import follow, form
from tests.servers import KEY, ROOT, prepare, serving

pytestmark = pytest.mark.slow

NAME = "ofc.example.org"
DOCUMENT = (ROOT / "docs" / "deploying.md").read_text()
MODULES = Path("/usr/lib/apache2/modules")


PREFIX = "/ofc"
REPLACED = {
    "caddy": r"    reverse_proxy .*?\n",
    "nginx": r"    location / .*?\n    \}\n",
    "apache": r"    ProxyPreserveHost .*?(?=</VirtualHost>)",
}
"""The lines of each site in whose place those for an app below a path stand."""


def written(language: str, prefix: str) -> str:
    """What the document says for this server, with the app at the root of its host or below a path."""
    site, below = re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    if not prefix:
        return str(site)
    found, times = re.subn(REPLACED[language], lambda _: below, site, flags=re.DOTALL)
    assert times == 1
    return found


def caddy(at: Path, app: int, port: int, prefix: str) -> list[str]:
    site = written("caddy", prefix).replace("127.0.0.1:8000", f"127.0.0.1:{app}")
    site = site.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\n    tls {at}/ofc.pem {at}/ofc.key", 1)
    (at / "Caddyfile").write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}")
    return ["caddy", "run", "--config", f"{at}/Caddyfile"]


def nginx(at: Path, app: int, port: int, prefix: str) -> list[str]:
    site = written("nginx", prefix).replace("127.0.0.1:8000", f"127.0.0.1:{app}")
    site = site.replace("listen 443", f"listen 127.0.0.1:{port}")
    paths = "".join(f"{kind}_temp_path {at}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    (at / "nginx.conf").write_text(
        f"{user}daemon off;\npid {at}/pid;\nerror_log {at}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{site.replace('/etc/ssl/', f'{at}/')}}}\n"
    )
    return ["nginx", "-c", f"{at}/nginx.conf", "-p", str(at)]


def apache2(at: Path, app: int, port: int, prefix: str) -> list[str]:
    site = written("apache", prefix).replace("127.0.0.1:8000", f"127.0.0.1:{app}")
    site = site.replace("*:443", f"127.0.0.1:{port}")
    modules = ("mpm_event", "authz_core", "ssl", "proxy", "proxy_http", "headers", "socache_shmcb")
    loaded = "".join(f"LoadModule {each}_module {MODULES}/mod_{each}.so\n" for each in modules)
    user = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
    (at / "apache.conf").write_text(
        f"ServerRoot {at}\nServerName {NAME}\nPidFile {at}/pid\nErrorLog {at}/error.log\nDefaultRuntimeDir {at}\n"
        f"{loaded}{user}Listen 127.0.0.1:{port}\n{site.replace('/etc/ssl/', f'{at}/')}"
    )
    return ["apache2", "-f", f"{at}/apache.conf", "-DFOREGROUND"]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a migrated database and the files that are handed out."""
    data = tmp_path_factory.mktemp("prepared")
    prepare(data)
    return data


@contextmanager
def proxied(server: str, at: Path, prepared: Path, prefix: str = "", **environment: str) -> Iterator[tuple[int, int]]:
    """The port of this server, and that of the app behind it."""
    if shutil.which(server) is None:
        pytest.skip(f"{server} is not installed")
    at.chmod(0o755)
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run(
        [*certificate, "-keyout", at / "ofc.key", "-out", at / "ofc.pem"], check=True, stderr=subprocess.DEVNULL
    )
    shutil.copytree(prepared, at / "data")
    data = {"DATA_DIR": str(at / "data"), "SECRET_KEY": KEY, "DEMO": "0"}
    with serving(HTTPS="1", ALLOWED_HOSTS=NAME, URL_PREFIX=prefix, **data, **environment) as (_, app):
        port = reserved_port()
        command = {"caddy": caddy, "nginx": nginx, "apache2": apache2}[server](at, app, port, prefix)
        home = {"PATH": os.environ["PATH"], "HOME": str(at), "XDG_DATA_HOME": str(at / "share")}
        with (at / "log").open("w") as log:
            running = subprocess.Popen(command, cwd=at, env=home, stdout=log, stderr=log)
        try:
            while not answers(port):
                assert running.poll() is None, (at / "log").read_text()
                time.sleep(0.05)
            yield port, app
        finally:
            running.terminate()
            running.wait()


def until(stream: Iterator[bytes], wanted: bytes) -> None:
    """Read the stream until this comes; the connection's timeout ends a test that waits in vain."""
    for line in stream:
        if wanted in line:
            return
    pytest.fail(f"the stream ended without {wanted!r}")


def streams(app: int) -> int:
    """How many are open, as a monitor learns it that asks the app itself, and knows of no path."""
    (found,) = re.findall(r"(?m)^ofcscore_streams (\S+)$", Browser(app).get("/metrics").text)
    return int(float(found))


BOARDS = {
    1: {"front": "QQ7", "middle": "66554", "back": "AAKK2"},
    2: {"front": "984", "middle": "TT832", "back": "JJ997"},
}
SERVERS = ["caddy", "nginx", "apache2"]


def started(browser: Secure, prefix: str) -> Page:
    """The table of a session that begins, once its host has kept their link."""
    page = form(browser.get(f"{prefix}/new/"), "Start game").fill({"name-1": "Ann", "name-2": "Bob"}).press()
    table: Page = form(page, "I’ve saved it").press()
    return table


def settled(table: Page) -> Page:
    """The first hand of this table."""
    typed = {f"p{seat}-{row}": cards for seat, rows in BOARDS.items() for row, cards in rows.items()}
    entered = form(follow(table, "Enter hand 1"), "Show the settlement").fill(typed)
    hand: Page = form(entered.press("Show the settlement"), "Settle hand 1").press("Settle hand 1")
    return hand


@pytest.mark.parametrize("prefix", ["", PREFIX])
@pytest.mark.parametrize("server", SERVERS)
def test_a_hand_is_settled_and_told_through_the_proxy(server: str, prefix: str, prepared: Path, tmp_path: Path) -> None:
    with proxied(server, tmp_path, prepared, prefix, METRICS="1") as (port, app):
        browser = Secure(port, NAME)
        table = started(browser, prefix)
        address = re.findall(rf'"({prefix}/s/[^"]+/live\?[^"]+)"', table.text)[0].replace("&amp;", "&")
        with closing(browser.connection()) as connection:
            connection.request("GET", address, headers=browser.headers)
            with connection.getresponse() as stream:  # a proxy would wait for its end
                assert stream.headers["Content-Type"].startswith("text/event-stream")
                lines = iter(stream.readline, b"")
                until(lines, b"retry:")  # it has come although the stream has not ended
                assert "Two pair, Aces and Kings" in settled(table).text
                until(lines, b"id:")
                assert streams(app) == 1
        name = f"{address.partition('live?')[0]}name/"
        end = time.monotonic() + 30
        while streams(app):  # the proxy notices that the phone has left when something is sent to it, if not before
            assert time.monotonic() < end
            form(browser.get(name), "Rename session").fill({"name": f"At {time.monotonic()}"}).press()


@pytest.mark.parametrize("prefix", ["", PREFIX])
@pytest.mark.parametrize("server", SERVERS)
def test_nobody_behind_the_proxy_can_pose_as_somebody_else(
    server: str, prefix: str, prepared: Path, tmp_path: Path
) -> None:
    with proxied(server, tmp_path, prepared, prefix, WRONG_LINKS_PER_TEN_MINUTES="2", METRICS="1") as (port, _):
        browser = Secure(port, NAME)
        found = []
        for last in range(4):
            browser.headers |= {"X-Forwarded-For": f"203.0.113.{last}", "X-Forwarded-Proto": "http"}
            found.append(browser.get(f"{prefix}/l/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA{last}").status_code)
        assert found[0] == 404
        assert found[-1] == 429
        assert browser.get(f"{prefix}/metrics").status_code == 404


def addresses(page: Page, origin: str) -> Iterator[str]:
    """The paths of this host to which anything on a page leads: its own attributes, and whole addresses in its text."""
    for element in html.document_fromstring(page.text).iter(etree.Element):
        for value in element.attrib.values():
            if value.startswith("/") and not value.startswith("//"):
                yield value
    yield from re.findall(rf"{re.escape(origin)}([^\s\"'<&?]*)", page.text)


@pytest.mark.parametrize("server", SERVERS)
def test_nothing_leads_out_of_the_path(server: str, prepared: Path, tmp_path: Path) -> None:
    with proxied(server, tmp_path, prepared, PREFIX) as (port, _):
        browser = Secure(port, NAME)
        assert browser.get(PREFIX).request["PATH_INFO"] == f"{PREFIX}/"
        settled(started(browser, PREFIX))
        queue, pages = deque([f"{PREFIX}/"]), dict[str, Page]()
        wrong, files = set(), set()
        while queue:
            address = queue.popleft()
            page = pages[address] = browser.get(address)
            assert page.status_code == 200, address
            found = list(addresses(page, browser.origin))
            wrong |= {(address, each) for each in found if not each.startswith(f"{PREFIX}/")}
            files |= {each for each in found if each.startswith((f"{PREFIX}/static/", f"{PREFIX}/sw.js"))}
            reading = Reading(address, page.text)
            wrong |= {(address, each.action) for each in reading.forms if not each.action.startswith(f"{PREFIX}/")}
            for link in (urldefrag(each).url for each in reading.links):
                if urlsplit(link).path.endswith("/") and link.startswith("/") and link not in {*pages, *queue}:
                    queue.append(link)
        assert wrong == set()
        assert len(pages) > 40
        assert f"{PREFIX}/sw.js" in files
        for file in files:
            assert browser.get(file).status_code == 200, file
        told = [headers["Location"] for headers in browser.answers if headers["Location"]]
        assert len(told) > 3
        assert [each for each in told if not urlsplit(each).path.startswith(f"{PREFIX}/")] == []
        cookies = [each for headers in browser.answers for each in headers.get_all("Set-Cookie", [])]
        assert {name.partition("=")[0] for name in cookies} == {"csrftoken-ofc", "keys", "device", "recovery", "seat"}
        assert [each for each in cookies if f"; Path={PREFIX}/" not in each] == []
