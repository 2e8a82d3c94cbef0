"""The modules that every page loads, joined into one file as they are collected: one request, and fewer bytes.

Each becomes a function that is called once, so that what is its own stays its own. What it exports becomes a name of
the joined module, under which the modules behind it find it. Names and line breaks stay as they are.
"""

import posixpath
import re
from collections.abc import Callable

_IMPORT = re.compile(r'(?m)^import (?:\{ (?P<names>[^}]+) \} from )?"(?P<address>\.[^"]+)";\n')
_EXPORT = re.compile(r"(?m)^export (?=(?:async )?(?:const|function|class) (\w+))")
_LEFT = re.compile(r"(?m)^(import|export|await)\b")


def joined(entry: str, source: Callable[[str], str]) -> tuple[str, list[str]]:
    """Everything that ``entry`` imports, and the names of those files, each after what it imports itself.

    Raises `ValueError` if ``entry`` does anything else, if two modules export the same name, if one imports what none
    exports, or if one imports or exports in any way but the plain one.
    """
    order: list[str] = []
    _visit(entry, source, order)
    order.remove(entry)
    if re.sub(r"(?m)^//.*$", "", _IMPORT.sub("", source(entry))).strip():
        raise ValueError(f"{entry} may only import.")
    exported: list[str] = []
    parts = []
    for name in order:
        text = source(name)
        names = _EXPORT.findall(text)
        if twice := set(names) & set(exported):
            raise ValueError(f"{name} exports what another module exports, too: {', '.join(sorted(twice))}")
        wanted = {each.strip() for names, _ in _IMPORT.findall(text) for each in names.split(",") if each.strip()}
        if missing := wanted - set(exported):
            raise ValueError(f"{name} imports what no module exports by this name: {', '.join(sorted(missing))}")
        exported += names
        body = _EXPORT.sub("", _IMPORT.sub("", text))
        if left := _LEFT.search(body):
            raise ValueError(f"{name} cannot be joined because of a line that begins with {left[0]}.")
        given = f"{{ {', '.join(names)} }}"
        before, after = (f"export const {given} = ", f"return {given};\n") if names else ("", "")
        parts.append(f"{before}(() => {{\n{body}{after}}})();\n")
    return "".join(parts), order


def redirected(name: str, text: str, members: list[str], entry: str) -> str:
    """The text of another module, whose imports of ``members`` lead to ``entry`` now."""

    def aimed(found: re.Match[str]) -> str:
        if imported(name, found["address"]) not in members:
            return found[0]
        return found[0].replace(found["address"], f"{posixpath.dirname(found['address'])}/{entry}")

    return _IMPORT.sub(aimed, text)


def imported(by: str, address: str) -> str:
    """The name of the file that a module imports."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(by), address))


def _visit(name: str, source: Callable[[str], str], order: list[str]) -> None:
    for found in _IMPORT.finditer(source(name)):
        if imported(name, found["address"]) not in order:
            _visit(imported(name, found["address"]), source, order)
    order.append(name)
