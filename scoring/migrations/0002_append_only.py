from django.db import migrations

from scoring.ledger import append_only


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [migrations.RunPython(append_only.install, append_only.remove)]
