"""Entry point of `python -m fakebridge`; everything is in `fakebridge.cli`."""

import sys

from fakebridge.cli import main

if __name__ == "__main__":
    sys.exit(main())
