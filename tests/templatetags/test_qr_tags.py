"""A code is drawn as one path, module by module, with room around it for a scanner."""

import re

import segno

from scoring.templatetags.qr_tags import QUIET, qr

ADDRESS = "http://localhost:8000/l/a-secret"


def test_the_path_has_each_dark_module_in_its_place() -> None:
    code = segno.make(ADDRESS, error="m", micro=False)
    drawn = qr(ADDRESS, "Link")
    dark = {(int(x) - QUIET, int(y) - QUIET) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", drawn["path"])}
    assert dark == {(x, y) for y, row in enumerate(code.matrix) for x, module in enumerate(row) if module}
    assert drawn["side"] == str(len(code.matrix) + 8)
    assert drawn["label"] == "Link"


def test_a_finished_code_is_drawn_as_it_is() -> None:
    code = segno.make("six words", error="h", micro=False)
    assert qr(code, "")["side"] == str(len(code.matrix) + 8)
    assert qr(code, "")["path"] != qr("six words", "")["path"]
