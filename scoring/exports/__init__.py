"""Exports of a club or a session."""
