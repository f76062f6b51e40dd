"""Opens the program; without arguments, the window."""

import sys

from caucus_desk.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["open"]))
