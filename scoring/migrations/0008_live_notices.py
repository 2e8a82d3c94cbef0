from typing import Any

from django.db import migrations

# On PostgreSQL the database itself tells every process that a session moved, in the transaction that moves it and
# without a statement of its own. `live.postgres.listen` reads it; a session that is deleted is one version further.
NOTICES = """
CREATE OR REPLACE FUNCTION scoring_session_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('ofcscore_live', json_build_object(
        'session', OLD.public_id,
        'version', CASE TG_OP WHEN 'DELETE' THEN OLD.version + 1 ELSE NEW.version END
    )::text);
    RETURN NULL;
END $$;
CREATE TRIGGER scoring_session_moved AFTER UPDATE OF version OR DELETE ON scoring_session
    FOR EACH ROW EXECUTE FUNCTION scoring_session_moved();
"""
SILENCE = "DROP TRIGGER scoring_session_moved ON scoring_session; DROP FUNCTION scoring_session_moved();"


def run(sql: str) -> Any:
    def on_postgresql(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(sql, params=None)

    return on_postgresql


class Migration(migrations.Migration):
    dependencies = [("scoring", "0007_drafts")]

    operations = [migrations.RunPython(run(NOTICES), run(SILENCE))]
