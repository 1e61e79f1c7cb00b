"""Entry point of `python -m conformance`; everything is in `conformance.cli`."""

import sys

from conformance.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
