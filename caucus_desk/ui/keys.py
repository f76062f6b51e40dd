"""The keys of the program: the help page lists the table, and pages show its words where a key works."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from caucus_desk.ui.key_table import PAGES, Shortcut, sections
from caucus_desk.ui.words import tr


def shortcut(name: str) -> Shortcut:
    """One of the table. KeyError for a name that is not in it: a page shows no key that help does not."""
    return _by_name()[name]


@cache
def _by_name() -> Mapping[str, Shortcut]:
    """Made once: pages ask for hints at each key."""
    return {one.name: one for section in sections() for one in section.shortcuts}


def hint(*names: str) -> str:
    """What a page shows of these keys, one after the other."""
    return " · ".join(shortcut(name).here for name in names)


def as_markdown(pages: Sequence[str]) -> str:
    """The tables for the help page. `pages`: the titles of the rail, in their order."""
    return "\n".join(_lines(pages))


def _lines(pages: Sequence[str]) -> Iterable[str]:
    listed = ", ".join(pages)
    for section in sections():
        yield f"## {section.title}\n"
        yield f"| {tr('key')} | {tr('does')} |\n| --- | --- |"
        for one in section.shortcuts:
            yield f"| {one.keys} | {one.does.replace(PAGES, listed)} |"
        yield f"\n{section.more}\n" if section.more else ""
