"""When the last backup and the last drill succeeded, in a file that figures are made from."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.utils import timezone


def note(name: str, complain: Callable[[str], object]) -> None:
    """Notes that a ``backup`` or a ``drill`` has succeeded now, or complains in a line that it cannot.

    It is no error: what has succeeded was made, and a full disk does not undo it.
    """
    path = Path(settings.DATA_DIR) / "kept.json"
    try:
        kept = json.loads(path.read_text())
        kept = kept if isinstance(kept, dict) else {}
    except (OSError, ValueError):
        kept = {}
    kept[name] = timezone.now().isoformat()
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        unfinished.write_text(json.dumps(kept))
        unfinished.replace(path)
    except OSError as error:
        complain(f"This is not noted, because {path} cannot be written: {error.strerror}.")
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
