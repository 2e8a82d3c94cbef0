from django.db import migrations

from scoring.ledger import append_only


class Migration(migrations.Migration):
    """Which lines carry points follows from the category of their kind, so the table no longer lists two kinds.

    SQLite rebuilds the table, which drops its triggers.
    """

    dependencies = [("scoring", "0010_line_kinds")]

    operations = [
        migrations.RemoveConstraint("transfer", "transfer_points_only_from_play"),
        migrations.RunPython(append_only.install, migrations.RunPython.noop),
    ]
