from django.db import migrations, models

from scoring.game.limits import KEY_LENGTH, ROW_LENGTH


class Migration(migrations.Migration):
    """Drafts remember the other rows of a phone on which somebody has yet to choose between the two."""

    dependencies = [("scoring", "0025_coin")]

    operations = [
        migrations.AddField(
            "draft", "unchosen", models.CharField(blank=True, default="", max_length=4 * ROW_LENGTH), preserve_default=False
        ),
        migrations.AddField(
            "draft", "unchosen_by", models.CharField(blank=True, default="", max_length=KEY_LENGTH), preserve_default=False
        ),
    ]
