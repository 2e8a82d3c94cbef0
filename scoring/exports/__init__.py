"""Everything of a club or a session, to take along."""
