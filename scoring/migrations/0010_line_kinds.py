from django.db import migrations, models


class Migration(migrations.Migration):
    """The kinds of lines are listed once, in `scoring.game.lines`; the column does not repeat them. No SQL is run."""

    dependencies = [("scoring", "0009_board_result")]

    operations = [migrations.AlterField("transfer", "kind", models.CharField(max_length=8))]
