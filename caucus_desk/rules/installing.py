"""What to type where a library that only some desks need is not installed."""


def how_to_install(part: str) -> str:
    """The sentence for one of the program's extra parts, such as `packets` or `shared`.

    The program is on no index of packages, so that its parts are installed from its own folder.
    """
    return (
        f'Install it in the folder of the program with: .venv/bin/pip install ".[{part}]" '
        f'(on Windows: .venv\\Scripts\\pip install ".[{part}]")'
    )
