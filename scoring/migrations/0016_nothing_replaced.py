from django.db import migrations

from scoring.ledger import append_only


class Migration(migrations.Migration):
    """On SQLite, another trigger on each append-only table refuses a row that would replace one."""

    dependencies = [("scoring", "0015_session_number_once")]

    operations = [migrations.RunPython(append_only.install, migrations.RunPython.noop)]
