"""Static files as they are served: under names that change with their content, and without their comments."""

from collections.abc import Callable, Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path
from re import Match

import brotli
from django.contrib.staticfiles.finders import find
from django.core.files.storage import Storage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from ofcscore.joining import joined, redirected

Paths = dict[str, tuple[Storage, str]]
"""The files that are collected: for each name where it is, and under which path there."""

# The scripts and styles that are our own, as patterns of their names.
SCRIPTS = (
    "answers", "app", "kept", "live", "memory", "network", "offline", "outbox", "page", "phone", "sharing",
    "words", "worker", "worker-gone", "pad/*", "verify/*",
)  # fmt: skip
PAGE = "page.js"
STYLES = ("app", "pages", "screen", "pad/*")

IMPORT = r"""(?P<matched>(?P<word>from|import) "(?P<url>\.\.?/[^"]+)")"""
LINE_OF_COMMENT = {"js": r"(?m)^[ \t]*//.*\n", "css": r"(?m)^[ \t]*/\*(?:(?!\*/).)*\*/\n"}
NOTHING = ""

LARGE = 100_000
"""From this many bytes on a file is none of ours; those that show the API to developers have megabytes."""


class SmallFiles(Compressor):  # type: ignore[misc]  # it ships no types
    """Compresses by gzip, and by Brotli for browsers that offer it: as well as it can, but large files faster."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(data, quality=11 if len(data) < LARGE else 5)
        return compressed


class ServedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it ships no types
    """Rewrites the imports in our own modules to the new names, and leaves out lines that are comments alone.

    Django can do the former for every script (`support_js_module_import_aggregation`), but it also takes examples in
    the comments of other people's scripts for imports, and then fails because the file is missing.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *((f"{ours}.js", ((IMPORT, '%(word)s "%(url)s"'),)) for ours in SCRIPTS),
        *((f"{ours}.js", ((LINE_OF_COMMENT["js"], NOTHING),)) for ours in SCRIPTS),
        *((f"{ours}.css", ((LINE_OF_COMMENT["css"], NOTHING),)) for ours in STYLES),
    )

    def post_process(self, paths: Paths, dry_run: bool = False, **options: object) -> Iterator[tuple[str, str, bool]]:
        """Joins the modules that every page loads, before anything else is done with them."""
        if PAGE in paths and not dry_run:
            paths = paths | {name: (self, name) for name in self._join(paths)}
        yield from super().post_process(paths, dry_run=dry_run, **options)

    @property
    def joined(self) -> list[str]:
        """The names of the modules that are in the joined one, so that nothing asks for them."""
        return joined(PAGE, lambda name: Path(str(find(name))).read_text(encoding="utf-8"))[1]

    def create_compressor(self, **options: object) -> Compressor:
        return SmallFiles(**options)

    def compress_files(self, paths: Collection[str]) -> Iterator[tuple[str, str]]:
        """Compresses no file under its plain name, which no page uses."""
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))

    def url_converter(
        self, name: str, hashed_files: dict[str, str], template: str | None = None
    ) -> Callable[[Match[str]], str]:
        """What takes the place of a match: nothing, or what Django makes of it."""
        if template == NOTHING:
            return lambda _: NOTHING
        converter: Callable[[Match[str]], str] = super().url_converter(name, hashed_files, template)
        return converter

    def _join(self, paths: Paths) -> list[str]:
        """Writes the joined module, and each module that imports what is in it. Returns their names."""

        def source(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        whole, members = joined(PAGE, source)
        written = {PAGE: whole}
        for name in set(paths) - {*members, PAGE}:
            if any(fnmatch(name, f"{ours}.js") for ours in SCRIPTS):
                text = redirected(name, source(name), members, PAGE)
                if text != source(name):
                    written[name] = text
        for name, text in written.items():
            Path(self.path(name)).write_text(text, encoding="utf-8")
        return list(written)
