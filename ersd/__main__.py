"""`python -m ersd`: see `ersd.cli.main`."""

import sys

from .cli.main import main

if __name__ == "__main__":
    sys.exit(main())
