from django.db import migrations

from scoring.ledger import append_only


class Migration(migrations.Migration):
    """The audit compares the guards with their definitions, and a release before may have worded them differently."""

    dependencies = [("scoring", "0028_remove_draft_untouched")]

    operations = [
        migrations.RunPython(append_only.remove, migrations.RunPython.noop),
        migrations.RunPython(append_only.install, migrations.RunPython.noop),
    ]
