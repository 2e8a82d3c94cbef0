from typing import Any

from django.db import migrations, models
from django.db.models import F


def note_undone(apps: Any, schema_editor: Any) -> None:
    """Rows of a deal that was undone were marked as shown; no device has sent them."""
    laid_again = apps.get_model("scoring", "Draft").objects.filter(device="")
    laid_again.update(undone_deal=F("number") - 1, when_shown="", revealed=False, dealt_at_once=False)
    for draft in laid_again:
        draft.undone = "/".join([draft.front, draft.middle, draft.back, *filter(None, [draft.ruling])])
        draft.untouched = [row for row in ("front", "middle", "back") if getattr(draft, row)]
        draft.save(update_fields=["undone", "untouched"])


class Migration(migrations.Migration):
    """Drafts remember which rows lie there from a deal that was undone."""

    dependencies = [("scoring", "0026_draft_unchosen")]

    operations = [
        migrations.AddField("draft", "undone", models.CharField(blank=True, default="", max_length=400)),
        migrations.AlterField("draft", "undone", models.CharField(blank=True, max_length=400)),
        migrations.AddField("draft", "undone_deal", models.PositiveIntegerField(default=0)),
        migrations.AddField("draft", "untouched", models.JSONField(blank=True, default=list)),
        migrations.RunPython(note_undone, migrations.RunPython.noop, elidable=True),
    ]
