from django.db import migrations, models
from django.db.models import Q

from scoring.ledger import append_only, line_sums


class Migration(migrations.Migration):
    """Chips may be paid for on the spot, and stacks counted in the end. Until now all chips were bought on credit.

    On SQLite this rebuilds the table of lines, so its triggers return.
    """

    dependencies = [("scoring", "0021_payments")]

    operations = [
        migrations.AddField("session", "cash", models.BooleanField(default=False)),
        migrations.RemoveConstraint("transfer", "transfer_payment_is_no_play"),
        migrations.AddConstraint(
            "transfer",
            models.CheckConstraint(
                condition=Q(("kind__in", ("payment", "cash")), _negated=True) | Q(("in_play", False), ("points", 0)),
                name="transfer_payment_is_no_play",
            ),
        ),
        migrations.AddConstraint(
            "transfer",
            models.CheckConstraint(
                condition=Q(("kind", "count"), _negated=True) | Q(("in_play", True), ("points", 0)),
                name="transfer_count_moves_chips",
            ),
        ),
        migrations.RunPython(append_only.install, migrations.RunPython.noop),
        migrations.RunPython(line_sums.restore, migrations.RunPython.noop),
    ]
