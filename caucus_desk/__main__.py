"""`python -m caucus_desk`: the command line."""

import sys

from caucus_desk.commands import main

if __name__ == "__main__":
    sys.exit(main())
