from django.db import migrations


class Migration(migrations.Migration):
    """After an undo no board is shown by itself any more, so that nobody needs to know which rows are still old."""

    dependencies = [("scoring", "0027_draft_undone")]

    operations = [migrations.RemoveField("draft", "untouched")]
