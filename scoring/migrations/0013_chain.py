from django.db import migrations, models
from django.db.models import CASCADE

from scoring.ledger import append_only


class Migration(migrations.Migration):
    """Columns for the chain of events, and for what its first event says about the session.

    SQLite rebuilds the table of events, which drops its triggers.
    """

    dependencies = [("scoring", "0012_line_sums")]

    operations = [
        migrations.AddField("club", "started", models.PositiveIntegerField(default=0, editable=False)),
        migrations.AddField("club", "dropped", models.JSONField(default=list, editable=False)),
        migrations.AddField(
            "session", "number", models.PositiveIntegerField(default=0, editable=False), preserve_default=False
        ),
        migrations.AddField(
            "session", "head", models.CharField(default="", max_length=64, editable=False), preserve_default=False
        ),
        migrations.AddField("event", "chained", models.JSONField(null=True, blank=True)),
        migrations.AddField("event", "hash", models.CharField(default="", max_length=64), preserve_default=False),
        migrations.CreateModel(
            "Merged",
            fields=[
                ("id", models.BigAutoField(primary_key=True, auto_created=True, serialize=False, verbose_name="ID")),
                ("gone", models.BigIntegerField(unique=True)),
                ("club", models.ForeignKey("scoring.club", CASCADE, related_name="+")),
                ("player", models.ForeignKey("scoring.player", CASCADE, related_name="merged")),
            ],
        ),
        migrations.RunPython(append_only.install, migrations.RunPython.noop),
    ]
