"""Static files as they are served: modules that can be loaded at once, and no comments."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from pytest_django import Settings
from whitenoise.middleware import WhiteNoiseMiddleware

from ofcscore.joining import joined, redirected
from scoring.access.links import Role
from tests.access.conftest import browser, issue
from tests.ledger.conftest import start
from tests.test_serving import environment, manage

ROOT = Path(__file__).parent.parent / "static"
PAGE = ROOT / "page.js"
IMPORT = re.compile(r"""^\s*(?:import|(?:import|export)\b[^"';]*\bfrom)\s*["']([^"']+)["']""", re.MULTILINE)
DYNAMIC = re.compile(r"\bimport\(")
HASHED_NAME = re.compile(r"\.[0-9a-f]{12}(?=\.js\b)")
HASHED = re.compile(HASHED_NAME.pattern + r"\.js$")


def imports(module: Path) -> set[Path]:
    """The files that a module imports."""
    source = module.read_text()
    assert not DYNAMIC.search(source), f"{module} imports something that nobody can foresee"
    return {(module.parent / name).resolve() for name in IMPORT.findall(source)}


def reached(entry: Path) -> set[Path]:
    """The module and everything that it imports, directly or not."""
    found = {entry}
    todo = [entry]
    while todo:
        new = imports(todo.pop()) - found
        found |= new
        todo += new
    return found


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of static files as an operator serves them."""
    folder = tmp_path_factory.mktemp("data")
    assert manage("collectstatic", "--no-input", env=environment(folder)).returncode == 0
    return folder / "static"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('import { a,\n  b } from "./a.js";', ["./a.js"]),
        ("import './a.js'", ["./a.js"]),
        ('export * from "./a.js";\nimport b from "./b.js";', ["./a.js", "./b.js"]),
        ("export const a = 1;\nconst b = 'import';", []),
        ("export function a() {\n  return 'b';\n}", []),
    ],
)
def test_an_import_is_noticed(source: str, names: list[str]) -> None:
    assert IMPORT.findall(source) == names


def test_a_page_preloads_every_module_that_it_imports_and_no_other() -> None:
    """But those that are one with the module of every page once they are collected."""
    head = render_to_string("hand/_pad_head.html", {"LANGUAGE_CODE": "en"}) + render_to_string("base.html")
    entries = re.findall(r'<script type="module" src="/static/([^"]+)"', head)
    preloaded = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)"', head)
    needed = set[Path]().union(*(reached(ROOT / entry) for entry in entries)) - (reached(PAGE) - {PAGE})
    assert sorted([*entries, *preloaded]) == sorted(str(path.relative_to(ROOT)) for path in needed)
    assert {path.name for path in (ROOT / "pad").glob("*.js")} <= {Path(name).name for name in [*entries, *preloaded]}


def test_modules_import_one_way() -> None:
    for module in (ROOT / "pad").glob("*.js"):
        for imported in imports(module):
            assert module not in reached(imported), f"{module.name} and {imported.name} import each other"


def test_collected_modules_import_each_other_by_hashed_names_alone(collected: Path) -> None:
    modules = [file.relative_to(ROOT) for file in ROOT.rglob("*.js")]
    for module in modules:
        served = hashed(collected, module)
        inside = reached(PAGE) - {PAGE}
        elsewhere = {PAGE if each in inside else each for each in imports(ROOT / module)}
        if ROOT / module not in {PAGE, *inside}:
            assert len(imports(served)) == len(elsewhere)
        for imported in imports(served):
            assert HASHED.search(imported.name), f"{module} imports {imported.name}"
            assert imported.is_file(), f"{module} imports {imported.name}, which does not exist"


def hashed(collected: Path, name: Path) -> Path:
    """The file that is served under this name."""
    (file,) = (collected / name.parent).glob(f"{name.stem}.*{name.suffix}")
    return file


@pytest.mark.parametrize("name", [str(file.relative_to(ROOT)) for file in [*ROOT.rglob("*.js"), *ROOT.rglob("*.css")]])
def test_static_files_are_served_without_their_comment_lines(collected: Path, name: str) -> None:
    begins, ends = ("//", "") if name.endswith(".js") else ("/*", "*/")
    written = (ROOT / name).read_text()
    expected = ""
    for line in written.splitlines(keepends=True):
        if line.strip().startswith(begins) and line.strip().endswith(ends):
            assert expected.count("`") % 2 == 0, f"{line} is no comment: it stands in a text of several lines"
        else:
            expected += line
    served = HASHED_NAME.sub("", hashed(collected, Path(name)).read_text())
    assert served == redirected(name, expected, members(), PAGE.name) or name in {PAGE.name, *members()}
    if name in members():
        alone = re.sub(r"(?m)^import .*\n|^export ", "", expected)
        assert alone in HASHED_NAME.sub("", hashed(collected, Path(PAGE.name)).read_text())


def members() -> list[str]:
    """The names of the modules that are joined as they are collected."""
    return joined(PAGE.name, lambda name: (ROOT / name).read_text())[1]


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"a.js": "export const x = 1;\n", "b.js": "export class x {}\n"}, "b.js exports what another"),
        (
            {"a.js": "export const x = 1;\n", "b.js": 'import { x as y } from "./a.js";\n'},
            "no module exports .*: x as y",
        ),
        (
            {"a.js": "export const x = 1, y = 2;\n", "b.js": 'import { x, y } from "./a.js";\n'},
            "b.js imports what no module exports by this name: y",
        ),
        (
            {"a.js": "export let x = 1;\n", "b.js": ""},
            "a line that begins with export",
        ),
        ({"a.js": "", "b.js": 'import * as a from "./a.js";\n'}, "a line that begins with import"),
        ({"a.js": "await 1;\n", "b.js": ""}, "a line that begins with await"),
        ({"page.js": 'import "./a.js";\nstart();\n', "a.js": ""}, "page.js may only import"),
    ],
)
def test_modules_that_would_be_something_else_are_not_joined(files: dict[str, str], why: str) -> None:
    sources = {"page.js": 'import "./a.js";\nimport "./b.js";\n', **files}
    with pytest.raises(ValueError, match=why):
        joined("page.js", sources.__getitem__)


@pytest.mark.django_db
def test_a_phone_loads_five_small_files_with_the_first_page_of_a_session(collected: Path) -> None:
    """In bytes as they are sent, without their heads: by Brotli over HTTPS, and by gzip otherwise."""
    session = start()
    page = browser(issue(session, Role.VIEWER)[1]).get(f"/s/{session.public_id}/").content.decode()
    tag = r'(?:<script[^>]* src|<link rel="(?:stylesheet|modulepreload|icon)" href)="/static/([^"]+)"(?! disabled)'
    own = re.findall(tag, page)
    files = [hashed(collected, Path(name)) for name in own]
    assert len(files) == 5
    for ending, most in ((".br", 32_600), (".gz", 37_000)):
        sent = [Path(f"{file}{ending}") for file in files]
        assert (
            sum((each if each.exists() else file).stat().st_size for each, file in zip(sent, files, strict=True)) < most
        )


def test_the_worker_keeps_the_files_by_the_names_under_which_they_are_served(collected: Path) -> None:
    script = "from scoring.views.kept import worker; print(worker.working())"
    said = manage("shell", "--verbosity", "0", "--command", script, env=environment(collected.parent)).stdout
    release = re.search(r"^self\.release = (.*);$", said, re.MULTILINE)
    assert release
    files = [Path(path).relative_to("/static") for path in json.loads(release[1])["files"]]
    for file in files:
        assert (collected / file).is_file()
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", file.name)
    unhashed = {Path(re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", str(file))) for file in files}
    own = {file.relative_to(ROOT) for file in ROOT.rglob("*") if file.is_file()}
    left_out = {"verify/verify.js", "worker.js", "worker-gone.js", "awake.mp4", "awake.webm"}
    left_out |= {file.name for file in reached(PAGE) - {PAGE}}
    assert {str(file) for file in own - unhashed if file.parent.name not in {"shown", "words"}} == left_out


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("offered", "encoding", "smallest"),
    [("gzip, deflate, br, zstd", "br", brotli.compress), ("gzip, deflate", "gzip", gzip.compress)],
)
def test_static_files_are_sent_as_small_as_the_browser_can_read_them(
    collected: Path, settings: Settings, offered: str, encoding: str, smallest: Callable[[bytes], bytes]
) -> None:
    settings.STATIC_ROOT = collected
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = False
    served = WhiteNoiseMiddleware(lambda _: HttpResponse(status=404))
    for name in ("app.css", "pad/pad.js", "django_htmx/htmx-2.min.js", "icon.svg"):
        file = hashed(collected, Path(name))
        address = f"/static/{file.relative_to(collected)}"
        answer = served(RequestFactory().get(address, headers={"Accept-Encoding": offered}))
        answer.close()
        assert answer["Content-Encoding"] == encoding
        assert answer["Vary"] == "Accept-Encoding"
        assert int(answer["Content-Length"]) == len(smallest(file.read_bytes()))


@pytest.mark.django_db
def test_static_files_carry_no_policy_of_pages(client: Client) -> None:
    """A new phone loads several files for its first page, and none of them has a use for it."""
    answer = client.get("/static/icon.svg")
    answer.close()  # its file
    headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Content-Security-Policy" not in headers


def test_dark_changes_colours_alone() -> None:
    """Otherwise a look at a page in light colours could not leave out what colours do not decide."""
    rules = []
    for sheet in ROOT.rglob("*.css"):
        css = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
        found = re.findall(r"@media \(prefers-color-scheme: dark\) \{\s*[^{}]+\{([^{}]*)\}\s*\}", css)
        assert len(found) == css.count("prefers-color-scheme"), sheet
        rules += found
    declared = [each.strip() for rule in rules for each in rule.split(";") if each.strip()]
    assert len(declared) > 20
    assert [each for each in declared if not re.fullmatch(r"--[a-z0-9-]+: #[0-9a-f]{6}", each)] == []
