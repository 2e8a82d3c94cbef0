from django.db import migrations, models


class Migration(migrations.Migration):
    """Drafts remember what was shown of them."""

    dependencies = [("scoring", "0017_event_link")]

    operations = [
        migrations.AddField("draft", "revealed", models.BooleanField(default=False)),
        migrations.AddField("draft", "when_shown", models.CharField(blank=True, default="", max_length=400)),
        migrations.AlterField("draft", "when_shown", models.CharField(blank=True, max_length=400)),
    ]
