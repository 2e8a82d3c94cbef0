"""Static files under names that change with their content, so that a browser may keep each of them for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it ships no types
    """Rewrites the imports in the app's own modules to those names as well.

    Django can do so for every script (`support_js_module_import_aggregation`), but it also takes examples in the
    comments of other people's scripts for imports, and then fails because the file is missing.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("pad/*.js", ((r"""(?P<matched>(?P<word>from|import) "(?P<url>\./[^"]+)")""", '%(word)s "%(url)s"'),)),
    )
