"""The configurations of `docs/deploying.md`, each in the real server: pages, a hand, a stream, and who asks."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.install.browser import Secure
from tests.pages import follow, form
from tests.servers import ROOT, serving

pytestmark = pytest.mark.slow

NAME = "ofc.example.org"
DOCUMENT = (ROOT / "docs" / "deploying.md").read_text()
MODULES = Path("/usr/lib/apache2/modules")


def written(language: str) -> str:
    """What the document says for this server."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    return str(found)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def caddy(at: Path, app: int, port: int) -> list[str]:
    site = written("caddy").replace("127.0.0.1:8000", f"127.0.0.1:{app}")
    site = site.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\n    tls {at}/ofc.pem {at}/ofc.key", 1)
    (at / "Caddyfile").write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}")
    return ["caddy", "run", "--config", f"{at}/Caddyfile"]


def nginx(at: Path, app: int, port: int) -> list[str]:
    site = (
        written("nginx").replace("127.0.0.1:8000", f"127.0.0.1:{app}").replace("listen 443", f"listen 127.0.0.1:{port}")
    )
    paths = "".join(f"{kind}_temp_path {at}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    (at / "nginx.conf").write_text(
        f"{user}daemon off;\npid {at}/pid;\nerror_log {at}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{site.replace('/etc/ssl/', f'{at}/')}}}\n"
    )
    return ["nginx", "-c", f"{at}/nginx.conf", "-p", str(at)]


def apache2(at: Path, app: int, port: int) -> list[str]:
    site = written("apache").replace("127.0.0.1:8000", f"127.0.0.1:{app}").replace("*:443", f"127.0.0.1:{port}")
    modules = ("mpm_event", "authz_core", "ssl", "proxy", "proxy_http", "headers", "socache_shmcb")
    loaded = "".join(f"LoadModule {each}_module {MODULES}/mod_{each}.so\n" for each in modules)
    user = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
    (at / "apache.conf").write_text(
        f"ServerRoot {at}\nServerName {NAME}\nPidFile {at}/pid\nErrorLog {at}/error.log\nDefaultRuntimeDir {at}\n"
        f"{loaded}{user}Listen 127.0.0.1:{port}\n{site.replace('/etc/ssl/', f'{at}/')}"
    )
    return ["apache2", "-f", f"{at}/apache.conf", "-DFOREGROUND"]


KEY = "k" * 50


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a migrated database and the files that are handed out."""
    data = tmp_path_factory.mktemp("prepared")
    environment = {"DATA_DIR": str(data), "SECRET_KEY": KEY, "DEMO": "0", "PATH": os.environ["PATH"]}
    prepare = [sys.executable, "-c", "from ofcscore.command import prepare; prepare()"]
    environment["DJANGO_SETTINGS_MODULE"] = "ofcscore.settings"
    subprocess.run(prepare, cwd=ROOT, env=environment, check=True)
    return data


@contextmanager
def proxied(server: str, at: Path, prepared: Path, **environment: str) -> Iterator[int]:
    """The port of this server, in front of the app."""
    if shutil.which(server) is None:
        pytest.skip(f"{server} is not installed")
    at.chmod(0o755)
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run(
        [*certificate, "-keyout", at / "ofc.key", "-out", at / "ofc.pem"], check=True, stderr=subprocess.DEVNULL
    )
    port = free_port()
    shutil.copytree(prepared, at / "data")
    data = {"DATA_DIR": str(at / "data"), "SECRET_KEY": KEY, "DEMO": "0"}
    with serving(HTTPS="1", ALLOWED_HOSTS=NAME, **data, **environment) as (_, app):
        command = {"caddy": caddy, "nginx": nginx, "apache2": apache2}[server](at, app, port)
        home = {"PATH": os.environ["PATH"], "HOME": str(at), "XDG_DATA_HOME": str(at / "share")}
        with (at / "log").open("w") as log:
            running = subprocess.Popen(command, cwd=at, env=home, stdout=log, stderr=log)
        try:
            while not answers(port):
                assert running.poll() is None, (at / "log").read_text()
                time.sleep(0.05)
            yield port
        finally:
            running.terminate()
            running.wait()


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def until(stream: Iterator[bytes], wanted: bytes) -> None:
    """Read the stream until this comes; the connection's timeout ends a test that waits in vain."""
    for line in stream:
        if wanted in line:
            return
    pytest.fail(f"the stream ended without {wanted!r}")


BOARDS = {
    1: {"front": "QQ7", "middle": "66554", "back": "AAKK2"},
    2: {"front": "984", "middle": "TT832", "back": "JJ997"},
}
SERVERS = ["caddy", "nginx", "apache2"]


@pytest.mark.parametrize("server", SERVERS)
def test_a_hand_is_settled_and_told_through_the_proxy(server: str, prepared: Path, tmp_path: Path) -> None:
    with proxied(server, tmp_path, prepared) as port:
        browser = Secure(port, NAME)
        starting = form(browser.get("/new/"), "Start game").fill({"name-1": "Ann", "name-2": "Bob"})
        table = starting.press("Start game")
        table = form(table, "I’ve saved it").press("I’ve saved it")
        address = re.findall(r'"(/s/[^"]+/live\?[^"]+)"', table.text)[0].replace("&amp;", "&")
        with closing(browser.connection()) as connection:
            connection.request("GET", address, headers=browser.headers)
            stream = connection.getresponse()
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            lines = iter(stream.readline, b"")
            until(lines, b"retry:")  # it has come although the stream has not ended
            typed = {f"p{seat}-{row}": cards for seat, rows in BOARDS.items() for row, cards in rows.items()}
            preview = (
                form(follow(table, "Enter hand 1"), "Show the settlement").fill(typed).press("Show the settlement")
            )
            settled = form(preview, "Settle hand 1").press("Settle hand 1")
            assert "Two pair, Aces and Kings" in settled.text
            until(lines, b"id:")


@pytest.mark.parametrize("server", SERVERS)
def test_nobody_behind_the_proxy_can_pose_as_somebody_else(server: str, prepared: Path, tmp_path: Path) -> None:
    with proxied(server, tmp_path, prepared, WRONG_LINKS_PER_TEN_MINUTES="2") as port:
        browser = Secure(port, NAME)
        found = []
        for last in range(4):
            browser.headers |= {"X-Forwarded-For": f"203.0.113.{last}", "X-Forwarded-Proto": "http"}
            found.append(browser.get(f"/l/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA{last}").status_code)
        assert found[0] == 404
        assert found[-1] == 429
        assert browser.get("/metrics").status_code == 404
