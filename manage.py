#!/usr/bin/env python
"""Entry point of every management command."""

import os
import sys

from django.core.management import execute_from_command_line

from ofcscore.command import get_ready, plainly

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofcscore.settings")
    with plainly():
        get_ready(sys.argv[1:])
        execute_from_command_line(sys.argv)
