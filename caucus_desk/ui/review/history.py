"""Everything that happened to one precinct, as a reviewer reads it: reports, calls, rulings, errands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from caucus_desk.desk.attachments import Attachment
from caucus_desk.desk.review import Case
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.call import Call
from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.form import field_label
from caucus_desk.tally.heads import supersedes
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.ui.widgets.table import ColumnSpec
from caucus_desk.ui.words import BLANK, channel_sign, clock, day_clock, tr

_NAMED = 6


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One event. `detail` is said in full where the line is chosen."""

    key: str
    at: datetime
    icon: str
    role: str
    what: str
    who: str
    detail: str


def history_of(rules: RuleSet, case: Case, attached: Iterable[Attachment] = ()) -> tuple[HistoryLine, ...]:
    """Oldest first. Nothing is left out: superseded and withdrawn ones say so."""
    lines = [*_reports(rules, case), *_rulings(case), *_acknowledged(case)]
    lines += [_call(call) for call in case.calls]
    for errand in case.errands:
        lines += _errand(rules, errand)
    lines += [_attached(one) for one in attached]
    return tuple(sorted(lines, key=lambda line: line.at))


def _reports(rules: RuleSet, case: Case) -> Iterable[HistoryLine]:
    standing = {one.id for one in case.heads.values()}
    beside = {one.id for one in case.rivals}
    for stored in case.history:
        report = stored.report
        sign = channel_sign(report.channel)
        stands = report.id in standing
        alike = (one for one in case.history if one.report.channel is report.channel and not one.withdrawn)
        after = next((one for one in alike if supersedes(one.report, report.id)), None)
        said = [] if report.confirmed else [tr("not confirmed: nobody has called back")]
        if report.origin:
            said.append(report.origin)
        if report.receipt:
            said.append(tr("receipt {0}").format(report.receipt))
        if stored.source:
            said.append(tr("from the file {0}").format(stored.source))
        caller = " ".join(part for part in (stored.caller.name, stored.caller.number) if part)
        if caller:
            said.append(tr("caller {0}").format(caller))
        if stored.withdrawn_by is not None:
            what = tr("{0} report, withdrawn").format(sign.word)
            said.append(tr("withdrawn by {0}: {1}").format(stored.withdrawn_by, stored.withdrawn_reason))
        elif report.id in beside:
            what = tr("{0} report, stands beside").format(sign.word)
        elif stands:
            what = tr("{0} report, stands").format(sign.word)
        else:
            what = tr("{0} report, superseded").format(sign.word)
        if not stands and after is not None:
            said.append(_moved(rules, report.sheet, after.report.sheet, clock(after.report.at)[:5]))
        role = "text" if stands else "muted"
        yield HistoryLine(f"report {report.id}", report.at, sign.icon, role, what, report.by, "; ".join(said))


def _moved(rules: RuleSet, old: ResultSheet, new: ResultSheet, at: str) -> str:
    """`Warren final 30, then 31 (21:14)`."""
    fields = differing_fields(old, new, rules.keys)
    if not fields:
        return tr("keyed again alike at {0}").format(at)
    named = [
        tr("{0} {1}, then {2}").format(
            field_label(rules, path), _count(old.count(path)), _count(new.count(path))
        )
        for path in fields[:_NAMED]
    ]
    if len(fields) > _NAMED:
        named.append(tr("and {0} more").format(len(fields) - _NAMED))
    return f"{', '.join(named)} ({at})"


def _count(count: int | None) -> str:
    return BLANK if count is None else str(count)


def _rulings(case: Case) -> Iterable[HistoryLine]:
    for stored in case.rulings:
        ruling = stored.ruling
        said = [ruling.reason]
        if ruling.approved_by:
            said.append(tr("approved by {0}").format(ruling.approved_by))
        if ruling.pending and not stored.withdrawn:
            what = tr("ruling, waits for approval")
        elif stored.withdrawn:
            what = tr("ruling, withdrawn")
            said.append(tr("withdrawn by {0}: {1}").format(stored.withdrawn_by, stored.withdrawn_reason))
        elif case.result.standing.ruling is not None and case.result.standing.ruling.id == ruling.id:
            what = tr("ruling, stands")
        else:
            what = tr("ruling, ended by a newer report")
        yield HistoryLine(f"ruling {ruling.id}", ruling.at, "ruled", "text", what, ruling.by, "; ".join(said))


def _acknowledged(case: Case) -> Iterable[HistoryLine]:
    given = {*case.result.acknowledgements, *case.said}
    for one in given:
        what = tr("{0} accepted").format(one.finding)
        key = f"{one.finding} {one.at} {one.by}"
        yield HistoryLine(
            key, one.at, "note", "muted", what, one.by, one.reason or tr("seen, no reason needed")
        )


def _call(call: Call) -> HistoryLine:
    who = " ".join(part for part in (call.caller_name, call.caller_number) if part)
    said = [tr("caller {0}").format(who)] if who else []
    said.append(tr("check {0}: {1}").format(call.check_kind.value, call.outcome.value))
    if call.notes:
        said.append(call.notes)
    what = tr("call: {0}").format(call.ended.value)
    return HistoryLine(f"call {call.seq}", call.at, "phone", "muted", what, call.by, "; ".join(said))


def errand_words(kind: ErrandKind, channel: Channel | None) -> str:
    """`to a clerk: paper`, `call back`, `fetch the sheet`."""
    if kind is ErrandKind.REKEY:
        where = "" if channel is None else channel_sign(channel).word
        return tr("to a clerk: {0} again").format(where)
    return tr("call back") if kind is ErrandKind.CALL_BACK else tr("fetch the sheet")


def _errand(rules: RuleSet, errand: Errand) -> Iterable[HistoryLine]:
    what = errand_words(errand.kind, errand.channel)
    names = ", ".join(field_label(rules, path) for path in errand.fields[:_NAMED])
    said = "; ".join(part for part in (names, errand.note) if part)
    yield HistoryLine(
        f"errand {errand.id}", errand.at, "back", "muted", tr("sent {0}").format(what), errand.by, said
    )
    end = errand.ended
    if end is not None:
        yield HistoryLine(
            f"errand {errand.id} end",
            end.at,
            "good",
            "muted",
            tr("done: {0}").format(what),
            end.by,
            end.outcome,
        )


def _attached(one: Attachment) -> HistoryLine:
    return HistoryLine(
        f"attachment {one.id}", one.at, "paper", "muted", tr("picture attached"), one.by, one.name
    )


def history_columns() -> Sequence[ColumnSpec[HistoryLine]]:
    return (
        ColumnSpec(tr("When"), 58, lambda line: clock(line.at)[:5], tip=lambda line: day_clock(line.at)),
        ColumnSpec(
            tr("What"), 168, lambda line: line.what, icon=lambda line: (line.icon, line.role), least=150
        ),
        ColumnSpec(tr("Who"), 92, lambda line: line.who, tip=lambda line: line.who, least=70),
        ColumnSpec(tr("Says"), 220, lambda line: line.detail, tip=lambda line: line.detail, least=110),
    )
