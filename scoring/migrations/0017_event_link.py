from django.db import migrations, models

from scoring.ledger import append_only


class Migration(migrations.Migration):
    """Events name the link that they came by; those so far do not."""

    dependencies = [("scoring", "0016_nothing_replaced")]

    operations = [
        migrations.AddField("event", "link", models.BigIntegerField(null=True, blank=True)),
        migrations.RunPython(append_only.install, migrations.RunPython.noop),
    ]
