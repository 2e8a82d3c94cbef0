"""The shape of the code: imports go one way, few rooms write, and pages have nothing inline or from other hosts."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCORING = ROOT / "scoring"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STATIC = sorted(path for path in (ROOT / "static").rglob("*") if path.suffix in {".css", ".js", ".svg"})


# --- Python -----------------------------------------------------------------------------------


def imports(source: str, package: str) -> set[str]:
    """The dotted names of everything that ``source`` imports anywhere; relative imports are resolved from ``package``.

    `from a import b` gives `a.b`, because `b` may be a module.
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = [*parents[: len(parents) - node.level + 1]] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return found


def modules(folder: Path) -> Iterator[tuple[Path, str, str]]:
    """File, package and source of every module below ``folder``."""
    for file in sorted(folder.rglob("*.py")):
        yield file.relative_to(ROOT), ".".join(file.parent.relative_to(ROOT).parts), file.read_text()


PURE = ("rules", "game", "actions")
"""The rooms that know no database, clock, chance or settings. The import contract forbids them Django."""

# Modules that would make a score depend on when, where or by whom it is computed.
IMPURE = {"datetime", "locale", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess", "time", "uuid"}


def impure_imports(source: str, package: str) -> set[str]:
    """The imports that a rules module may not have: all but its own room and the pure part of the standard library."""
    pure = sys.stdlib_module_names - IMPURE
    return {
        name
        for name in imports(source, package)
        if not name.startswith("scoring.rules.") and name.partition(".")[0] not in pure
    }


def test_the_rules_import_only_themselves_and_the_standard_library() -> None:
    offenders = {str(file): impure_imports(source, package) for file, package, source in modules(SCORING / "rules")}
    assert offenders, "scoring/rules is gone"
    assert {file: names for file, names in offenders.items() if names} == {}


def test_pure_rooms_import_no_clock_chance_or_database() -> None:
    files = [(file, imports(source, package)) for room in PURE for file, package, source in modules(SCORING / room)]
    assert len({file.parts[1] for file, _ in files}) == len(PURE)
    assert {
        str(file): found for file, names in files if (found := {n for n in names if n.partition(".")[0] in IMPURE})
    } == {}


@pytest.mark.parametrize(
    ("source", "offenders"),
    [
        (
            "import json\nfrom dataclasses import field\nfrom scoring.rules.cards import Card\nfrom .errors import X",
            set(),
        ),
        ("import django", {"django"}),
        ("def f():\n    from django.db import models", {"django.db.models"}),
        ("from scoring import models", {"scoring.models"}),
        ("from ..models import Deal", {"scoring.models.Deal"}),
        ("import random", {"random"}),
        ("from datetime import date", {"datetime.date"}),
    ],
)
def test_an_impure_import_is_noticed(source: str, offenders: set[str]) -> None:
    assert impure_imports(source, "scoring.rules") == offenders


def layers() -> dict[str, int]:
    """The level of each module of `scoring`, by the import contract in pyproject.toml. The rules are lowest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    order = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {
        name.strip("() "): height for height, layer in enumerate(reversed(order)) for name in re.split("[:|]", layer)
    }


def upward_imports(source: str, package: str, module: str) -> set[str]:
    """The imports of `scoring.<module>` from a higher layer."""
    height = layers()
    return {
        name
        for name in imports(source, package)
        if name.startswith("scoring.") and height.get(name.split(".")[1], 0) > height[module]
    }


def test_imports_go_one_way() -> None:
    offenders = {}
    for file, package, source in modules(SCORING):
        module = file.parts[1].removesuffix(".py")
        if module not in {"__init__", "apps", "migrations"}:
            assert module in layers(), f"{file} has no place among the layers in pyproject.toml"
            offenders[str(file)] = upward_imports(source, package, module)
    assert {file: names for file, names in offenders.items() if names} == {}


def test_a_private_name_stays_in_its_module() -> None:
    """A line of text that a module imports as ``_`` is none: it is named otherwise where it is defined."""
    offenders = {
        str(file): {name for name in imports(source, package) if re.search(r"\._(?!_)", name)}
        for room in (SCORING, ROOT / "ofcscore")
        for file, package, source in modules(room)
    }
    assert {file: names for file, names in offenders.items() if names} == {}


def test_an_upward_import_is_noticed() -> None:
    assert upward_imports("from scoring.views import home", "scoring", "models") == {"scoring.views.home"}
    assert upward_imports("from . import ledger", "scoring.rules", "rules") == set()
    assert upward_imports("from .. import ledger", "scoring.rules", "rules") == {"scoring.ledger"}
    assert upward_imports("from scoring.models import Deal", "scoring", "ledger") == set()


GUIDE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_drawing_of_the_rooms_has_all_of_them() -> None:
    drawing = GUIDE.partition("```mermaid\n")[2].partition("```")[0]
    assert {room for room in layers() if not re.search(rf"\b{room}(?:/|\.py\b)", drawing)} == set()


def test_the_glossary_has_at_most_forty_words() -> None:
    words = re.findall(r"^\| ([^|]+) \|", GUIDE.partition("## Words\n")[2], re.MULTILINE)[1:]
    assert 0 < len(words) <= 40


def classes(source: str) -> list[str]:
    """The classes of a module. Those within another class are told apart by its name."""
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]


def types(source: str) -> list[str]:
    """The other names of a module that stand for a type: assigned, with a capital, and longer than a letter."""
    assigned = [
        target.id
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    return [name for name in assigned if name[0].isupper() and not name.isupper()]


def named_alike(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """The modules in which each name stands that several classes or other types have, private ones too."""
    places: dict[str, list[str]] = {}
    for file, source in sources.items():
        for name in (*classes(source), *types(source)):
            places.setdefault(name.lstrip("_"), []).append(file)
    return {name: files for name, files in places.items() if len(files) > 1}


NAMED_BY_DJANGO = {"scoring.management.commands", "scoring.migrations"}
"""The packages in which Django looks for a class by its name, which is the same in each module."""


def test_no_two_classes_share_a_name() -> None:
    ours = [*modules(SCORING), *modules(ROOT / "ofcscore")]
    sources = {str(file): source for file, package, source in ours if package not in NAMED_BY_DJANGO}
    assert named_alike(sources) == {}


def test_a_name_of_two_classes_is_noticed() -> None:
    assert named_alike({"a.py": "class Entry: ...", "b.py": "class Entry: ...\nclass Line: ..."}) == {
        "Entry": ["a.py", "b.py"]
    }
    assert named_alike({"a.py": "class _Unit: ...", "b.py": "class Unit: ..."}) == {"Unit": ["a.py", "b.py"]}
    assert named_alike({"a.py": "class Row: ...", "b.py": "Row = tuple[int, int]\nT = 1"}) == {"Row": ["a.py", "b.py"]}
    assert named_alike({"a.py": 'T = TypeVar("T")\nMOST = 1', "b.py": "T: str = 1\nMOST = 2"}) == {}
    nested = "class {}:\n    class Kind: ..."
    assert named_alike({"a.py": nested.format("Link"), "b.py": nested.format("Session")}) == {}


def test_text_is_normalised_in_one_place_that_bounds_its_length() -> None:
    found = {str(file) for file, _, source in modules(SCORING) if words(source, {"normalize"})}
    assert found == {"scoring/game/text.py"}


WRITES = {
    "save", "create", "get_or_create", "update_or_create", "bulk_create", "bulk_update", "delete",
    "aupdate", "asave", "acreate", "adelete", "abulk_create", "abulk_update", "aget_or_create", "aupdate_or_create",
    "raw", "execute", "executemany", "insert_rows",
}  # fmt: skip
READS = {"objects", "get_object_or_404", "get_list_or_404", "filter", "exclude", "events", "current_revisions"}
WRITERS = {"ledger", "club", "drafts", "access", "backup", "migrations"}
"""The rooms that may write: the ledger, the club, the drafts, and the links with their limits."""
MAY_WRITE = {
    "club": {
        "Club", "Merged", "PayAddress", "Player", "SavedRules", "Seat", "TabPayment", "Total", "UsualStake",
    },
    "drafts": {"Draft"},
    "access": {"Forgotten", "Link", "Tally"},
}  # fmt: skip
"""The tables that the rooms beside the ledger may write. A backup is restored whole, whatever it holds."""
WRITERS_OF_THE_LEDGER = {
    "append_only.py",
    "disputes.py",
    "evening.py",
    "line_sums.py",
    "record.py",
    "store.py",
    "triggers.py",
    "turn.py",
}


def words(source: str, wanted: set[str]) -> set[str]:
    """The ``wanted`` names that ``source`` uses, bare or as an attribute."""
    nodes = list(ast.walk(ast.parse(source)))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return wanted & (used | {node.id for node in nodes if isinstance(node, ast.Name)})


def updates(source: str) -> set[str]:
    """Calls of ``update`` that may be those of a query set.

    A set or a dictionary has a plain name, and is given another one; a query set is given fields by their names.
    """
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {
        "update"
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "update"
        and (not isinstance(call.func.value, ast.Name) or (call.keywords and not call.args))
    }


def writes(source: str) -> set[str]:
    """The ways in which ``source`` writes to the database."""
    return words(source, WRITES) | updates(source)


def written(source: str) -> set[str]:
    """The names with which the calls begin that write to the database, such as ``Deal`` of ``Deal.objects.create``."""
    found = set()
    for call in ast.walk(ast.parse(source)):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in WRITES | {"update"}
        ):
            node: ast.AST = call.func
            while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
                node = node.func if isinstance(node, ast.Call) else node.value
            if isinstance(node, ast.Name):
                found.add(node.id)
    return found


def readers() -> list[Path]:
    """Every module that may not write: all but `WRITERS`, and of the ledger all but `WRITERS_OF_THE_LEDGER`."""
    # A page called delete is named in urls.py; transactions.py wraps every statement and makes none; what statements.py
    # makes for others is noticed where they use it.
    rooms = {*WRITERS, "urls.py", "transactions.py", "statements.py"}
    found = [file for file in SCORING.rglob("*.py") if file.relative_to(SCORING).parts[0] not in rooms]
    of_the_ledger = [file for file in (SCORING / "ledger").rglob("*.py") if file.name not in WRITERS_OF_THE_LEDGER]
    return sorted(found + of_the_ledger + list((ROOT / "ofcscore").rglob("*.py")))


@pytest.mark.parametrize("file", readers(), ids=lambda file: str(file.relative_to(ROOT)))
def test_only_writers_write(file: Path) -> None:
    # PostgreSQL's NOTIFY is a statement, and so is the question whether the server is read-only; a QR code saves itself
    # to a stream; one dictionary has a dotted name; and a command of Django is executed.
    allowed = {
        "scoring/live": {"execute"},
        "scoring/exports/qr.py": {"save"},
        "ofcscore/asgi.py": {"update"},
        "ofcscore/command.py": {"execute"},
        "ofcscore/database.py": {"execute"},
    }
    name = file.relative_to(ROOT)
    here = allowed.get(name.as_posix(), set()) | allowed.get(name.parent.as_posix(), set())
    assert writes(file.read_text()) - here == set()


def test_every_writer_is_a_room_that_exists() -> None:
    assert {room for room in WRITERS if not (SCORING / room).is_dir()} == set()
    assert set(MAY_WRITE) == WRITERS - {"ledger", "backup", "migrations"}


@pytest.mark.parametrize("room", MAY_WRITE)
def test_a_room_beside_the_ledger_writes_its_own_tables(room: str) -> None:
    models = {name for _, _, source in modules(SCORING / "models") for name in classes(source)}
    found = {name for _, _, source in modules(SCORING / room) for name in written(source)}
    assert found & models == MAY_WRITE[room]


@pytest.mark.parametrize(
    "file",
    sorted([*(SCORING / "views").rglob("*.py"), SCORING / "api.py"]),
    ids=lambda file: str(file.relative_to(SCORING)),
)
def test_pages_look_nothing_up_by_themselves(file: Path) -> None:
    assert words(file.read_text(), READS) == set()


def test_a_write_or_a_lookup_is_noticed() -> None:
    assert words("deal.save()\nDeal.objects.get(pk=1)", WRITES | READS) == {"save", "objects"}
    assert words("get_object_or_404(Deal, pk=1)", READS) == {"get_object_or_404"}
    assert writes("Deal.objects.filter(pk=1).update(number=2)") == {"update"}
    assert writes("deal.session.deal_set.update(number=2)") == {"update"}
    assert writes("cursor.execute('DELETE')") == {"execute"}
    assert writes("rows = Deal.objects.all()\nrows.update(number=2)") == {"update"}
    assert writes("values.update(more)") == set()
    assert written("Deal.objects.filter(pk=1).update(number=2)\nlinks[0].delete()\nDeal()") == {"Deal", "links"}


# --- Pages ------------------------------------------------------------------------------------

ELSEWHERE = re.compile(r"^\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
SCRIPTED = re.compile(r"^\s*(?:javascript|js):", re.IGNORECASE)
MAY_POINT_ELSEWHERE = {("a", "href"), ("svg", "xmlns")}  # a link, and a name that browsers never fetch


class Strict(HTMLParser):
    """Collects what the content security policy would refuse, and what refers to another host."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag == "style" or (tag == "script" and "src" not in names):
            self.faults.append(f"inline <{tag}>")
        for name, value in attrs:
            text = value or ""
            if name == "style" or name.startswith(("on", "hx-on", "data-hx-on")):
                self.faults.append(f"<{tag} {name}>")
            elif SCRIPTED.match(text) or (ELSEWHERE.match(text) and (tag, name) not in MAY_POINT_ELSEWHERE):
                self.faults.append(f"<{tag} {name}={text}>")


def faults(template: str) -> list[str]:
    parser = Strict()
    # Template tags may contain quotes and brackets that are not HTML's.
    parser.feed(re.sub(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}", "", template, flags=re.DOTALL))
    parser.close()
    return parser.faults


# A saved copy of this page must work without any other file. The policy of its view names both by their hashes.
MAY_BE_INLINE = {"start/verify.html": ["inline <style>", "inline <script>"]}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_has_nothing_inline_and_nothing_from_elsewhere(template: Path) -> None:
    name = template.relative_to(ROOT / "templates").as_posix()
    assert faults(template.read_text()) == MAY_BE_INLINE.get(name, [])


@pytest.mark.parametrize(
    "template",
    [
        "<script>alert(1)</script>",
        "<style>p {}</style>",
        '<p style="color: red">',
        '<button onclick="go()">',
        '<div hx-on:click="go()">',
        '<div hx-on::after-request="go()">',
        '<a href="javascript:go()">',
        "<div hx-vals='js:{a: 1}'>",
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//cdn.example/x.css">',
        '<img src="http://cdn.example/x.png">',
        '<form action="https://elsewhere.example/">',
        '{% if a == "b" %}<p\n  style="{{ c }}">{% endif %}',
    ],
)
def test_a_fault_in_a_template_is_noticed(template: str) -> None:
    assert len(faults(template)) == 1


@pytest.mark.parametrize(
    "template",
    [
        "<script src=\"{% static 'app.js' %}\" defer></script>",
        '<a href="https://en.wikipedia.org/">the rules elsewhere</a>',
        '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
        '<p class="{% if a == "style=" %}b{% endif %}" {# onclick="x" #}>',
    ],
)
def test_an_innocent_template_passes(template: str) -> None:
    assert faults(template) == []


LONGEST = 160


def long_lines(template: str) -> list[int]:
    """The numbers of the lines that are too long to read."""
    return [number for number, line in enumerate(template.split("\n"), 1) if len(line) > LONGEST]


def test_no_line_of_a_template_is_too_long_to_read() -> None:
    read = {template.relative_to(ROOT / "templates").as_posix(): template.read_text() for template in TEMPLATES}
    found = {name: long_lines(text) for name, text in read.items()}
    assert {name: numbers for name, numbers in found.items() if numbers} == {}


def test_a_long_line_in_a_template_is_noticed() -> None:
    assert long_lines(f"<p>\n{'–' * LONGEST}\n{'–' * (LONGEST + 1)}\n</p>\n") == [3]


NAMED = re.compile(r"`(scoring\.[\w.]+)`")


def missing_names(template: str) -> list[str]:
    """The names in comments of a template, `scoring.package.module.Name`, that do not exist."""
    named = [name for comment in re.findall(r"\{#.*?#\}", template) for name in NAMED.findall(comment)]
    return [name for name in named if not exists(name)]


def exists(name: str) -> bool:
    """Whether a module of the app has this name: `scoring.package.module.Name`."""
    module, _, name = name.rpartition(".")
    file = ROOT / f"{module.replace('.', '/')}.py"
    return file.is_file() and any(
        isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
        for node in ast.parse(file.read_text()).body
    )


def test_what_a_comment_in_a_template_names_exists() -> None:
    read = {template.relative_to(ROOT / "templates").as_posix(): template.read_text() for template in TEMPLATES}
    assert any(NAMED.search(text) for text in read.values())
    assert {name: missing for name, text in read.items() if (missing := missing_names(text))} == {}


def test_a_comment_that_names_what_is_gone_is_noticed() -> None:
    assert (
        missing_names("{# a `scoring.wording.boards.BoardShown` #}{# of `scoring.views.shared.settle_up.squared` #}")
        == []
    )
    assert missing_names("{# a `scoring.wording.boards.Gone` #}\n{# a `scoring.gone.Board` #}") == [
        "scoring.wording.boards.Gone",
        "scoring.gone.Board",
    ]


NAMESPACE = re.compile(r"http://www\.w3\.org/[\w/]+")
HOST = re.compile(r"""https?://[^\s"'<>)]+|(?<=["'(])//[^\s"'<>)]+""")


def hosts(text: str) -> list[str]:
    return HOST.findall(NAMESPACE.sub("", text))


@pytest.mark.parametrize("file", STATIC, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_static_file_refers_to_no_other_host(file: Path) -> None:
    assert hosts(file.read_text()) == []


def test_a_reference_to_another_host_is_noticed() -> None:
    assert hosts('@import "https://fonts.example/a.css"; b { background: url(//c.example/d.png) }') == [
        "https://fonts.example/a.css",
        "//c.example/d.png",
    ]
    assert hosts('// a comment\ndocument.createElementNS("http://www.w3.org/2000/svg", "svg")') == []


# --- Below a path -----------------------------------------------------------------------------

ABSOLUTE = {
    # A text or a template that is an address, but none in a selector; and a pattern of one.
    ".js": re.compile(r"""(?<!=)["'`]/[A-Za-z$][^"'`]*|/\^\\/[^/]*/"""),
    ".css": re.compile(r"""url\(["']?/[^)]*\)"""),
    ".svg": re.compile(r"""(?:href|src)=["']/[^"']*"""),
    ".html": re.compile(r"""=\s*["']/[^"']*"""),
}
"""Addresses from the root of the host, where the app need not stand."""


def absolute(suffix: str, text: str) -> list[str]:
    if suffix == ".html":
        text = re.sub(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}", "", text, flags=re.DOTALL)
    return ABSOLUTE[suffix].findall(text)


@pytest.mark.parametrize("file", [*STATIC, *TEMPLATES], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_address_begins_at_the_root_of_the_host(file: Path) -> None:
    assert absolute(file.suffix, file.read_text()) == []


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".js", 'fetch("/healthz")'),
        (".js", "link.href = `/s/${session}/hand/`"),
        (".js", "address = `/${session}`"),
        (".js", "pathname.startsWith('/admin/')"),
        (".js", r"pathname.match(/^\/s\/([^/]+)\//)"),
        (".css", 'b { background: url("/static/icon.svg") }'),
        (".svg", '<use href="/static/icon.svg#mark"/>'),
        (".html", '<a href="/rules/{{ preset }}/">'),
        (".html", "<form action='/forget/'>"),
    ],
)
def test_an_address_from_the_root_is_noticed(suffix: str, text: str) -> None:
    assert len(absolute(suffix, text)) == 1


SHARED = {"static/memory.js", "static/worker.js", "static/worker-gone.js"}
"""The scripts that give what a browser keeps its name, which has the app's path in it."""
KEPT = re.compile(
    r"""localStorage|sessionStorage|indexedDB|document\.cookie|getRegistration\(|"""
    r"""(?:caches\??\.\w+|locks\.request|BroadcastChannel)\(["'`]"""
)


@pytest.mark.parametrize("file", [file for file in STATIC if file.suffix == ".js"], ids=lambda path: path.stem)
def test_what_a_browser_keeps_has_the_apps_path_in_its_name(file: Path) -> None:
    """Apps at other paths of the same host have the same storage."""
    if file.relative_to(ROOT).as_posix() not in SHARED:
        assert KEPT.findall(file.read_text()) == []


def test_a_name_without_the_path_is_noticed() -> None:
    for script in ("localStorage.clear()", 'caches?.open("pads")', "navigator.locks.request('outbox')"):
        assert len(KEPT.findall(script)) == 1
    assert KEPT.findall("caches.open(PADS); memory.clear()") == []


def without_path(source: str) -> list[str]:
    """The calls that set or delete a cookie for every path of the host."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        ast.unparse(call)
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in {"set_cookie", "set_signed_cookie", "delete_cookie"}
        and "path" not in {keyword.arg for keyword in call.keywords}
    ]


def test_every_cookie_has_its_path() -> None:
    found = {
        str(file): without_path(source) for room in ("scoring", "ofcscore") for file, _, source in modules(ROOT / room)
    }
    assert {file: calls for file, calls in found.items() if calls} == {}


def test_a_cookie_for_every_path_is_noticed() -> None:
    assert without_path("response.delete_cookie(KEYS, samesite='Lax')\nresponse.set_cookie('a', path='/a/')") == [
        "response.delete_cookie(KEYS, samesite='Lax')"
    ]


# --- Tests ------------------------------------------------------------------------------------

MAY_POST = {
    "tests/pages.py": "sends the forms of pages for all other tests",
    "tests/api/test_score.py": "documents that programs send",
    "tests/drafts/conftest.py": "sends what htmx would read from the page of the card pad",
    "tests/access/test_table.py": "the access matrix: every address, by every kind of link",
    "tests/access/test_limits.py": "documents that programs send, too many of them",
    "tests/access/test_operator.py": "attacks: guessed passwords, and bodies that are too large",
    "tests/access/test_hostile_text.py": "attacks: hostile text in every field of every form",
}
"""The test modules that may make up what they send, and why."""


def posts(source: str) -> bool:
    """Whether ``source`` uses the ``post`` of a client, or of anything else."""
    return any(isinstance(node, ast.Attribute) and node.attr == "post" for node in ast.walk(ast.parse(source)))


def test_no_test_makes_up_the_fields_of_a_form() -> None:
    """A form is read from its page, filled in and sent by its button, with `tests.pages`."""
    found = {str(file) for file, _, source in modules(ROOT / "tests") if posts(source)}
    assert found - MAY_POST.keys() == set()
    assert MAY_POST.keys() - found == set(), "these need no permission any more"


def test_a_test_that_posts_is_noticed() -> None:
    assert posts("client.post('/new/', {'name-1': 'Ann'})")
    assert posts("send = Client().post")
    assert not posts("form(client.get('/new/'), 'Sit down').press()")
