from django.db import migrations, models


class Migration(migrations.Migration):
    """Drafts remember the other rows of phones on which somebody has yet to choose between the two."""

    dependencies = [("scoring", "0025_coin")]

    operations = [migrations.AddField("draft", "unchosen", models.JSONField(blank=True, default=list))]
