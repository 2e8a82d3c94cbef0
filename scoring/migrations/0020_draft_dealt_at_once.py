from typing import Any

from django.db import migrations, models


def hide(apps: Any, schema_editor: Any) -> None:
    """Boards that are hidden now stay hidden."""
    apps.get_model("scoring", "Draft").objects.filter(seat__fantasyland_cards__gt=0).update(dealt_at_once=True)


class Migration(migrations.Migration):
    """Drafts remember that their player was in Fantasyland, whatever becomes of the hand before."""

    dependencies = [("scoring", "0019_forgotten_browsers")]

    operations = [
        migrations.AddField("draft", "dealt_at_once", models.BooleanField(default=False)),
        migrations.RunPython(hide, migrations.RunPython.noop),
    ]
