"""Who a workbook is for: leadership, the press, or the chair of one county."""

from enum import StrEnum


class Edition(StrEnum):
    """The value is what is typed on the command line and stands in file names."""

    LEADERSHIP = "leadership"
    """Everything."""
    PRESS = "press"
    """No names of people, nothing that anybody wrote, and no outlook: figures and what is wrong with them."""
    COUNTY = "county"
    """One county or pool of sites, for its chair."""

    @property
    def people(self) -> bool:
        """Whether it may say who keyed, acknowledged, ruled, made or approved, and why."""
        return self is not Edition.PRESS

    @property
    def whole(self) -> bool:
        """Whether it holds the whole caucus."""
        return self is not Edition.COUNTY
