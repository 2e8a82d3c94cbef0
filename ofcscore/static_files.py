"""Static files as they are served: under names that change with their content, and without their comments."""

from collections.abc import Callable
from re import Match

from whitenoise.storage import CompressedManifestStaticFilesStorage

# The scripts and styles that are our own, as patterns of their names.
SCRIPTS = (
    "answers", "app", "kept", "live", "memory", "network", "offline", "outbox", "phone", "sharing",
    "words", "worker", "worker-gone", "pad/*", "verify/*",
)  # fmt: skip
STYLES = ("app", "screen", "pad/*")

IMPORT = r"""(?P<matched>(?P<word>from|import) "(?P<url>\.\.?/[^"]+)")"""
LINE_OF_COMMENT = {"js": r"(?m)^[ \t]*//.*\n", "css": r"(?m)^[ \t]*/\*(?:(?!\*/).)*\*/\n"}
NOTHING = ""


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

    def url_converter(
        self, name: str, hashed_files: dict[str, str], template: str | None = None
    ) -> Callable[[Match[str]], str]:
        """What takes the place of a match: nothing, or what Django makes of it."""
        if template == NOTHING:
            return lambda _: NOTHING
        converter: Callable[[Match[str]], str] = super().url_converter(name, hashed_files, template)
        return converter
