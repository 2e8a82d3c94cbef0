from django.db import migrations


class Migration(migrations.Migration):
    """The model of a settled board is called what it is, as `PairResult` is; its table keeps its name and its triggers."""

    dependencies = [("scoring", "0008_live_notices")]

    operations = [
        migrations.AlterModelTable("board", "scoring_board"),
        migrations.RenameModel("Board", "BoardResult"),
    ]
