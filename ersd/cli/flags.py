"""Flags of a command line, read so that what is wrong is said in one line."""

from __future__ import annotations

import argparse
from typing import NoReturn


class Flags(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, and not the whole usage above it."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")
