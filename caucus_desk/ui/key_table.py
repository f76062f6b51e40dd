"""Every key of the program, once."""

from dataclasses import dataclass

from caucus_desk.ui.words import tr

PAGES = "{pages}"
"""Stands where the help page names the pages of the rail."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One key, or several that do the same.

    `keys` and `does` are how the help page tells it; `here` is what a page shows where the key works, key
    first and as short as can be ("" where nothing is shown).
    """

    name: str
    keys: str
    does: str
    here: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    shortcuts: tuple[Shortcut, ...]
    more: str = ""
    """A sentence below the table."""


def sections() -> tuple[Section, ...]:
    """Every key, where it works; the pages in the order of the rail."""
    return (
        _everywhere(),
        _before(),
        _find(),
        _call(),
        _sheet(),
        _reasons(),
        _review(),
        _paper(),
        _calls(),
        _progress(),
        _results(),
        _releases(),
        _recanvass(),
        _precincts(),
        _people(),
    )


def _everywhere() -> Section:
    return Section(
        tr("Everywhere"),
        (
            Shortcut("pages", tr("Ctrl+1 … Ctrl+9, Ctrl+0"), PAGES),
            Shortcut("find", tr("Ctrl+F"), tr("finds a precinct on the Entry page, from any page")),
            Shortcut("help", "F1", tr("this page"), tr("F1 keys")),
            Shortcut("person", "F8", tr("locks, or asks who is at the desk")),
            Shortcut("press", tr("Enter or Space, on a button"), tr("presses it")),
            Shortcut("tab", tr("Tab, Shift+Tab"), tr("next and previous field")),
            Shortcut(
                "uncover",
                tr("S, where figures are covered"),
                tr("shows them; who has looked can no longer key that precinct"),
            ),
            Shortcut(
                "copy",
                tr("Ctrl+C in a table"),
                tr("copies the whole table as it is shown, for a spreadsheet or an e-mail"),
            ),
            Shortcut(
                "sort",
                tr("click on a column's head"),
                tr("sorts; a third click gives back the order of the ballot or the roster"),
            ),
        ),
    )


def _before() -> Section:
    return Section(
        tr("Before a caucus is open"),
        (
            Shortcut(
                "new",
                tr("Enter, in a field of a new caucus"),
                tr("goes on to what is still wanted; when nothing is, makes the caucus"),
            ),
            Shortcut("letter", tr("Alt with the underlined letter"), tr("goes to that field")),
        ),
    )


def _find() -> Section:
    return Section(
        tr("Entry: whose sheet"),
        (
            Shortcut(
                "find.type",
                tr("any text"),
                tr("narrows the list: county, name or id, also shortened, misspelt or in another order"),
                tr("Type to narrow"),
            ),
            Shortcut(
                "find.walk", tr("Down, Up, Page Down, Page Up"), tr("go through the list"), tr("↓ ↑ choose")
            ),
            Shortcut(
                "find.take",
                tr("Enter"),
                tr("takes the one that is named in full, or the row you went to; never an unseen first one"),
                tr("Enter takes it, or a name typed in full"),
            ),
            Shortcut("find.empty", tr("Esc"), tr("empties the line"), tr("Esc empties the line")),
            Shortcut("find.channel", "P, A", tr("a sheet told by phone, a sheet of paper")),
        ),
        tr("A code that is scanned twice answers no question."),
    )


def _call() -> Section:
    return Section(
        tr("Entry: the call"),
        (
            Shortcut("call.check", tr("Enter, in the caller's check"), tr("compares it with the roster")),
            Shortcut(
                "call.nuisance",
                "F9",
                tr("ends a nuisance call, also before a precinct is named; twice where counts were typed"),
                tr("F9 Nuisance"),
            ),
            Shortcut(
                "call.cut",
                "F10",
                tr("the call was cut off: the sheet stays for anybody at the desk"),
                tr("F10 Cut off"),
            ),
            Shortcut("call.back", "F2", tr("somebody has to call back; with a note"), tr("F2 Call back")),
            Shortcut(
                "call.other",
                "F3",
                tr("another end: Q a question, W a wrong number, P a wrong PIN; with a note"),
                tr("F3 Other"),
            ),
        ),
        tr("Every call is recorded when it ends, whether or not results were taken."),
    )


def _calls() -> Section:
    return Section(
        tr("Calls"),
        (
            Shortcut("calls.open", tr("Enter, in the list"), tr("opens whom to call back, and what to ask")),
            Shortcut("calls.done", "C", tr("confirmed: by the receipt code on the paper, or with a note")),
            Shortcut("calls.vain", "N, W", tr("not reached, a wrong number: it stays in the list")),
            Shortcut("calls.key", "R", tr("keys the whole sheet as the chair reads it")),
            Shortcut("calls.leave", "Esc", tr("back")),
        ),
    )


def _sheet() -> Section:
    return Section(
        tr("Entry: the sheet"),
        (
            Shortcut("next", tr("Enter or Down"), tr("next field"), tr("Enter next")),
            Shortcut("back", tr("Shift+Enter or Up"), tr("field before"), tr("↑ back")),
            Shortcut(
                "jump",
                tr("a letter"),
                tr("jumps to the group that begins with it; the same again, to the next such"),
                tr("a letter jumps to its group"),
            ),
            Shortcut(
                "undo",
                tr("Ctrl+Z"),
                tr("takes back what was typed in a box, pasted, or set to 0"),
                tr("Ctrl+Z undoes"),
            ),
            Shortcut("redo", tr("Ctrl+Y or Ctrl+Shift+Z"), tr("does again what was taken back")),
            Shortcut(
                "paste",
                tr("Ctrl+V"),
                tr(
                    "pastes a number, or a column or block of a spreadsheet with its first cell where you are"
                ),
            ),
            Shortcut("zeros", "F4", tr("says that all boxes still empty are 0, after asking"), tr("F4")),
            Shortcut(
                "paper",
                tr("F6, on paper"),
                tr("the boxes that only a paper sheet has: Y yes, N no, Space goes round"),
                tr("F6"),
            ),
            Shortcut("note", "F7", tr("notes the warnings as read"), tr("F7 notes the warnings as read")),
            Shortcut(
                "photo",
                tr("F5, on paper"),
                tr("shows the attached image beside the sheet, and hides it; Shift+F5 goes into it and back"),
                tr("F5 image"),
            ),
            Shortcut("submit", tr("Enter, on Submit"), tr("submits, once"), tr("Enter submits")),
            Shortcut(
                "submit.anywhere",
                tr("Ctrl+Enter"),
                tr("submits from anywhere; before that, leads to what is missing"),
                tr("Ctrl+Enter"),
            ),
            Shortcut(
                "leave",
                tr("Esc"),
                tr("asks: K keeps the draft and leaves, D and then Enter discards it, Esc stays"),
                tr("Esc leaves"),
            ),
            Shortcut(
                "window",
                tr("W or M and then Enter"),
                tr("where two windows saved one sheet: what the other window saved, or what stands here"),
            ),
            Shortcut(
                "replace",
                tr("R and then Enter"),
                tr("where another person's report came in meanwhile: yours takes its place"),
            ),
        ),
        tr(
            "Only digits go into a count. With NumLock off the number pad still types the digits printed on "
            "its keys. The wheel of the mouse never changes anything."
        ),
    )


def _reasons() -> Section:
    return Section(
        tr("Entry: a reason for an error"),
        (
            Shortcut(
                "reason.pick",
                tr("Alt+1 … Alt+5, or Down and Up"),
                tr("picks one of the usual reasons"),
                tr("Reason in words, or ↓ picks a usual one"),
            ),
            Shortcut("reason.next", tr("Enter"), tr("next error, then Submit"), tr("Enter next")),
            Shortcut(
                "reason.all",
                tr("Ctrl+Enter"),
                tr("gives this reason to all errors that have none"),
                tr("Ctrl+Enter gives this reason to all errors"),
            ),
        ),
        tr("A reason holds for the numbers it was given for: when one of them changes, it falls."),
    )


def _review() -> Section:
    return Section(
        tr("Review"),
        (
            Shortcut(
                "review.open", tr("Enter, in the list"), tr("opens the case; that is looking at its figures")
            ),
            Shortcut("review.filter", "/", tr("into the filter of the list")),
            Shortcut("review.choices", "K, C, T", tr("turn the choices of kind, channel and time waited")),
            Shortcut("review.take", "P, A, G", tr("takes phone, paper, app for every field that differs")),
            Shortcut(
                "review.take_beside",
                tr("T, U, V …"),
                tr("takes a second report of a channel, as its button says"),
            ),
            Shortcut(
                "review.field",
                tr("Enter, or Down and Up"),
                tr("field by field: then P, A and G take the value for that field; Esc ends it"),
            ),
            Shortcut(
                "review.sheet",
                tr("Shift with P, A or G"),
                tr("takes the whole sheet also while you go field by field"),
            ),
            Shortcut("review.value", tr("digits"), tr("type another value; Backspace takes it back")),
            Shortcut(
                "review.reason",
                tr("Enter, when all is chosen, or R"),
                tr("to the reason; there 1 to 4 pick a usual one"),
            ),
            Shortcut("review.send", "B, C, S", tr("sends back to a clerk, to call back, to fetch the sheet")),
            Shortcut("review.panel", "F, H, I", tr("findings, history, the worksheet's picture")),
            Shortcut("review.accept", "K", tr("accepts an error with a reason, or notes what was changed")),
            Shortcut("review.approve", "Y, X", tr("approves a ruling, or refuses it with a reason")),
            Shortcut("review.withdraw", "W", tr("withdraws the ruling")),
            Shortcut("review.whole", "D", tr("shows the whole sheet, or only what differs")),
            Shortcut("review.onward", "N", tr("next case")),
            Shortcut(
                "review.rule",
                tr("Ctrl+Enter"),
                tr("records the ruling, when every field is chosen and the reason is given"),
            ),
            Shortcut(
                "review.order",
                tr("O, in the list"),
                tr("orders it by what is at stake in each case, or by what can still change who leads"),
            ),
            Shortcut("review.back", tr("Esc"), tr("back")),
        ),
    )


def _paper() -> Section:
    return Section(
        tr("Paper: missing worksheets"),
        (
            Shortcut(
                "chase.send", "A", tr("sends a runner for the sheet; empty, nobody any more"), tr("A runner")
            ),
            Shortcut(
                "chase.county",
                tr("Shift+A, or A on a county"),
                tr("sends one runner for the whole county"),
                tr("Shift+A for the county"),
            ),
            Shortcut(
                "chase.try", tr("T, then a digit"), tr("notes an attempt and how it ended"), tr("T attempt")
            ),
            Shortcut(
                "chase.received", "R", tr("the sheet is here: its paper entry is due"), tr("R received")
            ),
            Shortcut("chase.undo", "U", tr("it is not here after all"), tr("U undo received")),
            Shortcut("chase.note", "N", tr("notes something"), tr("N note")),
            Shortcut("chase.key", tr("Enter"), tr("opens the paper entry"), tr("Enter key it")),
            Shortcut(
                "chase.attach",
                tr("I, or drop a file onto the page"),
                tr("attaches an image or a PDF of the sheet"),
                tr("I attach an image"),
            ),
            Shortcut("chase.view", "V", tr("shows it; Esc goes back"), tr("V show it")),
            Shortcut("chase.lists", "H", tr("next list: to fetch; here, to key; all"), tr("H next list")),
            Shortcut("chase.filter", tr("/ or Up, in the first row"), tr("into the filter"), tr("/ filter")),
            Shortcut("chase.counties", tr("← and →"), tr("to the counties and back"), tr("← counties")),
            Shortcut("chase.export", "X", tr("writes the list of the county, or of all"), tr("X export")),
            Shortcut("chase.print", "P", tr("prints it, or makes a PDF"), tr("P print")),
            Shortcut(
                "chase.packets",
                "C",
                tr("county packets: takes them, makes kits; in a county's own store, writes one"),
                tr("C packets"),
            ),
            Shortcut("view.zoom", tr("+ − 0, in an image"), tr("larger, smaller, fitted")),
            Shortcut("view.turn", tr("R, in an image"), tr("turns it")),
            Shortcut("view.page", tr("Page Down, Page Up, in an image"), tr("pages of a PDF")),
            Shortcut(
                "view.move", tr("arrows, in an image"), tr("move it; the wheel scrolls and never zooms")
            ),
            Shortcut("view.other", tr("comma, point, in an image"), tr("the image before, the next one")),
            Shortcut(
                "view.withdraw", tr("W, in an image; Shift+W in Review"), tr("withdraws it, with a reason")
            ),
            Shortcut("view.outside", tr("O, in an image"), tr("opens it in the system's own viewer")),
        ),
    )


def _people() -> Section:
    return Section(
        tr("People"),
        (
            Shortcut(
                "people.open",
                tr("Enter, in the list"),
                tr("changes that account: its role, its PIN, its closing"),
                tr("Enter changes it"),
            ),
            Shortcut("people.new", tr("N, in the list"), tr("makes a new account"), tr("N makes a new one")),
            Shortcut("people.next", tr("Enter, in a box"), tr("goes to the next one; in the last, does it")),
            Shortcut("people.back", tr("Esc"), tr("back to the list")),
        ),
    )


def _progress() -> Section:
    return Section(
        tr("Progress"),
        (
            Shortcut("progress.wall", "F11", tr("the wall screen; Esc or F11 leaves it")),
            Shortcut("progress.map", tr("arrows, on the map"), tr("go from county to county")),
            Shortcut("progress.county", tr("Enter, on the map"), tr("shows the county's precincts")),
        ),
    )


def _results() -> Section:
    return Section(
        tr("Results"),
        (
            Shortcut(
                "results.section",
                "1 … 6",
                tr("tally, realignment, map of leaders, departures, outlook, national delegates"),
            ),
            Shortcut("results.by", "B", tr("by state, district, county or precinct")),
            Shortcut("results.filter", "/", tr("into the list of districts, counties or precincts")),
            Shortcut("results.counting", "C", tr("counts every standing sheet, or verified precincts only")),
            Shortcut(
                "results.turn",
                tr("T, in the outlook"),
                tr("what to check next, who can still pass the leader, the projection"),
            ),
            Shortcut(
                "results.open",
                tr("Enter, in a list or on the map"),
                tr("opens the precinct, or the county's tally"),
            ),
            Shortcut("results.print", "P", tr("prints what is shown, or makes a PDF")),
            Shortcut("results.export", "X", tr("writes the workbook")),
        ),
    )


def _releases() -> Section:
    return Section(
        tr("Releases"),
        (
            Shortcut("releases.section", "1, 2, 3", tr("the releases, the gate, the comparison")),
            Shortcut(
                "releases.compare", tr("Enter, in the list"), tr("compares the release with the one before")
            ),
            Shortcut("releases.write", tr("W, in the list"), tr("writes it: workbook, CSV or JSON")),
            Shortcut("releases.approve", tr("A, in the list"), tr("approves it, as the second person")),
            Shortcut("releases.look", tr("L, at the gate"), tr("looks again")),
            Shortcut(
                "releases.walk",
                tr("Down, Up, Enter, at the gate"),
                tr("from item to item; Enter goes on to the next that wants a reason"),
            ),
            Shortcut(
                "releases.make",
                tr("Ctrl+Enter, at the gate"),
                tr("makes the release; before that, leads to the reason that is missing"),
            ),
            Shortcut("releases.out", tr("Esc"), tr("out of a box; then 1, 2 and 3 lead on")),
            Shortcut("releases.print", "P", tr("prints what is shown, or makes a PDF")),
        ),
    )


def _recanvass() -> Section:
    return Section(
        tr("Releases: recanvass and recount"),
        (
            Shortcut("recanvass.new", "N", tr("opens a recanvass or a recount; a lead's"), tr("N open one")),
            Shortcut(
                "recanvass.key",
                tr("Enter, on a precinct"),
                tr("keys it again from the worksheet or the cards, as in Entry"),
                tr("Enter keys the precinct"),
            ),
            Shortcut(
                "recanvass.take",
                "T",
                tr("takes what was keyed again as the paper report, with a reason; a reviewer's"),
                tr("T take it as correction"),
            ),
            Shortcut("recanvass.end", "E", tr("says how it ended; a lead's"), tr("E end it")),
            Shortcut(
                "recanvass.aside",
                tr("← and →"),
                tr("between the recanvasses and the precincts of one"),
                tr("← → tables"),
            ),
            Shortcut("recanvass.back", tr("Esc"), tr("back to the releases"), tr("Esc releases")),
        ),
    )


def _precincts() -> Section:
    return Section(
        tr("Precincts"),
        (
            Shortcut("precincts.type", tr("any text"), tr("narrows the list at each key")),
            Shortcut("precincts.down", tr("Down"), tr("from the text into the list")),
            Shortcut(
                "precincts.open",
                tr("Enter"),
                tr("opens the precinct; from the text only if a single one is left"),
            ),
            Shortcut("precincts.back", tr("Esc"), tr("empties the text; in a precinct, back to the list")),
        ),
    )
