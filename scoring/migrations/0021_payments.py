from django.db import migrations, models

from scoring.ledger import append_only, line_sums


class Migration(migrations.Migration):
    """A line of a payment moves neither points nor chips. On SQLite this rebuilds the table, so its triggers return."""

    dependencies = [("scoring", "0020_draft_dealt_at_once")]

    operations = [
        migrations.AddConstraint(
            "transfer",
            models.CheckConstraint(
                condition=models.Q(("kind", "payment"), _negated=True) | models.Q(("in_play", False), ("points", 0)),
                name="transfer_payment_is_no_play",
            ),
        ),
        migrations.RunPython(append_only.install, migrations.RunPython.noop),
        migrations.RunPython(line_sums.restore, migrations.RunPython.noop),
    ]
