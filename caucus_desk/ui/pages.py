"""The pages of the rail, in their order."""

from caucus_desk.ui.calls.page import CallsPage
from caucus_desk.ui.chase.page import PaperPage
from caucus_desk.ui.entry.page import EntryPage
from caucus_desk.ui.help.page import HelpPage
from caucus_desk.ui.page import Page
from caucus_desk.ui.people.page import PeoplePage
from caucus_desk.ui.precincts.page import PrecinctsPage
from caucus_desk.ui.progress.page import ProgressPage
from caucus_desk.ui.releases.page import ReleasesPage
from caucus_desk.ui.results.page import ResultsPage
from caucus_desk.ui.review.page import ReviewPage

PAGES: tuple[type[Page], ...] = (
    EntryPage,
    ReviewPage,
    PaperPage,
    CallsPage,
    ProgressPage,
    ResultsPage,
    ReleasesPage,
    PrecinctsPage,
    PeoplePage,
    HelpPage,
)
