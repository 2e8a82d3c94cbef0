"""When the last backup and the last drill succeeded, in a file that figures are made from."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from django.conf import settings
from django.utils import timezone


def note(name: str) -> None:
    """Notes that a ``backup`` or a ``drill`` has succeeded now."""
    path = Path(settings.DATA_DIR) / "kept.json"
    try:
        kept = json.loads(path.read_text())
        kept = kept if isinstance(kept, dict) else {}
    except (OSError, ValueError):
        kept = {}
    kept[name] = timezone.now().isoformat()
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as whole:
        whole.write(json.dumps(kept))
    Path(whole.name).replace(path)
