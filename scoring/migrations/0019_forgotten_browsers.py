from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    """Browsers that forgot their links, and until when the first link of a club may be shown again."""

    dependencies = [("scoring", "0018_draft_revealed")]

    operations = [
        migrations.CreateModel(
            name="Forgotten",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("browser", models.CharField(max_length=24, unique=True)),
                ("at", models.DateTimeField(db_index=True, default=timezone.now)),
            ],
        ),
        migrations.AddField("link", "recoverable_until", models.DateTimeField(blank=True, editable=False, null=True)),
    ]
