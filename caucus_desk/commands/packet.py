"""`packet`: county kits, packets and receipts, and merging copies of a store."""

import argparse
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Output, absolute, many, utc
from caucus_desk.commands.person import KIT_CODE, kit_code, person_for, who
from caucus_desk.commands.running import DONE, NEEDS_A_PERSON, REFUSED
from caucus_desk.rules.errors import CaucusError, Refused

if TYPE_CHECKING:
    from caucus_desk.desk.kits import CountyKey
    from caucus_desk.desk.packets import PrecinctThere
    from caucus_desk.desk.taking import Taken

HELP = "county kits and packets: kit, begin, export, take, receipt, keys, revoke, merge"
Part = Callable[[argparse.ArgumentParser], None]


def add_to(add: Callable[..., None], store: Part, by: Part) -> None:
    """The commands under `packet`; `add` takes name, handler, help and the parts of the arguments."""
    add(
        "kit",
        run_kit,
        "make a county's kit, and say its code once",
        store,
        _one("county", "COUNTY", "the county, as the roster names it"),
        _OUT,
        by,
    )
    add(
        "begin",
        run_begin,
        f"begin a county's own store from its kit; the code is in {KIT_CODE} or asked for",
        _one("kit", "KIT", "the file that headquarters sent"),
        _one("store", "STORE", "the store that is made"),
        by,
    )
    add("export", run_export, "write a packet of all that a county's store says", store, _OUT, by)
    add("take", run_take, "take packets in at headquarters, and write receipts", store, _take, by)
    add(
        "receipt",
        run_receipt,
        "show what headquarters has of this county's store",
        store,
        _one("receipt", "RECEIPT", "headquarters' file, or the short code that it said"),
    )
    add("keys", run_keys, "list the counties' keys and the packets taken", store)
    key = _one("key", "KEY", "its id, as `packet keys` lists it")
    add("revoke", run_revoke, "take no more packets under a key", store, key, _reason, by)
    add(
        "merge",
        run_merge,
        "take in the reports of another copy of this store",
        store,
        _one("other", "OTHER_STORE", "a copy of the same caucus; it is not changed"),
        by,
    )


def _one(name: str, metavar: str, help: str | None = None) -> Part:
    def part(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(name, metavar=metavar, help=help)

    return part


_OUT = _one("out", "OUT", "a new file, or a folder in which it gets a name of its own")


def _take(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="packets, in any order")
    parser.add_argument(
        "--receipts", metavar="DIR", help="where the receipts go (beside each packet without it)"
    )


def _reason(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", metavar="TEXT", required=True, help="such as: the laptop was stolen")


def run_kit(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.kits import make_kit
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        made = make_kit(desk, arguments.county, arguments.out, by=by)
    out.document(
        {
            "path": absolute(made.path),
            "county": made.county,
            "key": made.key,
            "code": made.code,
            "precincts": made.precincts,
            "earlier_keys": [one.id for one in made.earlier],
        }
    )
    out.line(f"Made the kit of {made.county}, {many(made.precincts, 'precinct')}: {made.path}")
    out.line(f"Its code, which is shown only now: {made.code}")
    out.line("Send the file, and say the code by telephone: whoever has both can sign for the county.")
    if made.earlier:
        keys = ", ".join(one.id for one in made.earlier)
        hold = "holds" if len(made.earlier) == 1 else "hold"
        out.line(f"{made.county} has {many(len(made.earlier), 'earlier key')} that still {hold}: {keys}.")
    return DONE


def run_begin(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.kits import begin_county

    begun = begin_county(
        arguments.kit, arguments.store, kit_code(Path(arguments.kit).name), by=arguments.by or who()
    )
    with closing(begun.desk) as desk:
        location = desk.location
    form = begun.form
    out.document(
        {
            "store": absolute(location),
            "county": begun.county,
            "precincts": begun.precincts,
            "form": None if form is None else absolute(form),
        }
    )
    out.line(f"Began the own store of {begun.county}, {many(begun.precincts, 'precinct')}: {location}")
    if form:
        out.line(f"The worksheet form to print or to fill: {form}")
    return DONE


def run_export(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.packets import export_packet
    from caucus_desk.desk.people import owner
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by or owner(desk))
        done = export_packet(desk, arguments.out, by=by)
    out.document(
        {
            "path": absolute(done.path),
            "county": done.county,
            "number": done.number,
            "digest": done.digest,
            "code": done.code,
            "reports": done.reports,
            "precincts": done.precincts,
            "attachments": done.attachments,
            "remarks": list(done.remarks),
        }
    )
    out.line(
        f"Wrote packet {done.number} of {done.county}, {many(done.reports, 'report')} of "
        f"{many(done.precincts, 'precinct')}: {done.path}"
    )
    out.line(f"Once headquarters has taken it, it says: {done.code}")
    for remark in done.remarks:
        out.complain(remark)
    return NEEDS_A_PERSON if done.remarks else DONE


def run_take(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk
    from caucus_desk.desk.taking import Refusal, take_packets

    files = [Path(one) for one in arguments.files]
    folder = None if arguments.receipts is None else Path(arguments.receipts)
    if folder is not None and not folder.is_dir():
        raise Refused(f"There is no folder {folder} for the receipts. Make it, or name another.")
    rows: list[dict[str, Any]] = []
    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        meter = out.progress()
        done = take_packets(
            desk, files, by=by, told=lambda count: meter(count, len(files), "Taking the packets")
        )
        for path, one in zip(files, done, strict=True):
            if isinstance(one, Refusal):
                rows.append({"file": absolute(path), "refused": one.sentence})
                out.complain(one.sentence)
                continue
            receipt, fault = _receipt(desk, one, folder or path.parent, by)
            written = None if receipt is None else absolute(receipt)
            rows.append({"file": absolute(path), **_taken_row(one), "receipt": written, "remark": fault})
            for line in told(one):
                out.line(line)
            out.line(fault or f"  Receipt: {receipt}")
    out.document({"packets": rows})
    refused = sum(isinstance(one, Refusal) for one in done)
    if refused == len(done):
        return REFUSED
    collide = any(not isinstance(one, Refusal) and one.collisions for one in done)
    return NEEDS_A_PERSON if refused or collide else DONE


def _receipt(desk: Any, taken: "Taken", folder: Path, by: str) -> tuple[str | None, str]:
    """Where the receipt is, or why there is none: the packet is taken all the same."""
    from caucus_desk.desk.receipts import write_receipt

    try:
        return str(write_receipt(desk, taken.digest, folder, by=by).path), ""
    except CaucusError as error:
        return None, f"  The packet was taken, but its receipt was not written: {error.sentence}"


def told(taken: "Taken") -> list[str]:
    """What a packet brought, in lines for a person."""
    what = f"packet {taken.number} of {taken.county}" if taken.county else "the copy"
    code = f" Code: {taken.code}" if taken.county else ""
    if taken.before is not None:
        return [
            f"{taken.file}: {what} was taken before, by {taken.before.by} at {utc(taken.before.at)}; nothing "
            f"new.{code}"
        ]
    came = taken.came
    lines = [
        f"{taken.file}: took {what}, {many(taken.new_reports, 'new report')} of {taken.reports:,}.{code}"
    ]
    beside = [
        many(count, one)
        for count, one in (
            (came.withdrawals, "withdrawal"),
            (came.confirmations, "confirmation"),
            (came.acknowledgements, "acknowledgement"),
            (came.attachments, "attachment"),
        )
        if count
    ]
    if came.control_totals:
        beside.append(f"control totals of {many(came.control_totals, 'county', 'counties')}")
    if beside:
        lines.append(f"  And {', '.join(beside)}.")
    if taken.collisions:
        named = ", ".join(f"{one.name} ({one.id})" for one in taken.collisions[:10])
        more = f" and {len(taken.collisions) - 10:,} more" if len(taken.collisions) > 10 else ""
        count = many(len(taken.collisions), "precinct")
        weight = f"{taken.of_weight}. For" if taken.of_weight else ", for"
        lines.append(f"  Reports differ in {count}{weight} a reviewer: {named}{more}.")
    lines += [f"  {one}" for one in taken.left]
    return lines


def _taken_row(taken: "Taken") -> dict[str, Any]:
    return {
        "county": taken.county or None,
        "number": taken.number if taken.county else None,
        "digest": taken.digest,
        "code": taken.code if taken.county else None,
        "reports": taken.reports,
        "new_reports": taken.new_reports,
        "withdrawals": taken.came.withdrawals,
        "confirmations": taken.came.confirmations,
        "acknowledgements": taken.came.acknowledgements,
        "attachments": taken.came.attachments,
        "control_totals": taken.came.control_totals,
        "mismatched": [one.id for one in taken.collisions],
        "were_verified": [one.id for one in taken.collisions if one.id in taken.were_verified],
        "were_released": [one.id for one in taken.collisions if one.id in taken.were_released],
        "release": taken.release,
        "taken_before": None if taken.before is None else utc(taken.before.at),
        "left": list(taken.left),
    }


def run_merge(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.session import open_desk
    from caucus_desk.desk.taking import merge_store

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        taken = merge_store(desk, arguments.other, by=by)
    out.document({"merged": {"file": absolute(arguments.other), **_taken_row(taken)}})
    for line in told(taken):
        out.line(line)
    return NEEDS_A_PERSON if taken.collisions or taken.left else DONE


def run_receipt(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.packets import looks_like_code, receipt, said_code, sent_packets

    with looking(arguments.store, out) as desk:
        if looks_like_code(arguments.receipt, Path(arguments.receipt)):
            sent = said_code(desk, arguments.receipt)
            newest = sent == sent_packets(desk)[-1]
            out.document({"packet": sent.number, "code": sent.code, "newest": newest})
            out.line(f"{sent.code} is packet {sent.number}: headquarters has all of it.")
            if not newest:
                out.line("A newer packet was written since. Has that been taken, too?")
            return DONE
        read = receipt(desk, arguments.receipt)
    said = read.receipt
    out.document(
        {
            "county": said.county,
            "packet": said.number,
            "code": read.code,
            "newest": read.newest,
            "taken_at": utc(said.taken_at),
            "made_at": utc(said.made_at),
            "by": said.by,
            "precincts": [_there(one) for one in read.precincts],
        }
    )
    out.table(
        ("precinct", "id", "reports of yours", "of yours there", "what"),
        [
            (one.precinct.name, one.precinct.id, str(one.here), str(one.there), one.words)
            for one in read.precincts
        ],
        numbers=(2, 3),
    )
    out.line(
        f"Headquarters took packet {said.number} of {said.county} at {utc(said.taken_at)}; this is as of "
        f"{utc(said.made_at)}, by {said.by}. Code: {read.code}"
    )
    if read.ours is None:
        out.line("That packet was written on another laptop of the county.")
    elif not read.newest:
        out.line("A newer packet was written here since.")
    if read.lacking:
        out.line(f"{many(len(read.lacking), 'precinct')} with a report that is not there yet.")
    return NEEDS_A_PERSON if read.lacking else DONE


def _there(one: "PrecinctThere") -> dict[str, Any]:
    return {
        "precinct_id": one.precinct.id,
        "here": one.here,
        "there": one.there,
        "lacking": list(one.lacking),
        "others": one.others,
        "state": one.state.value,
        "verified": one.verified,
    }


def run_keys(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.kits import county_keys, county_of, own_key_id
    from caucus_desk.desk.taking import packets_taken

    with looking(arguments.store, out) as desk:
        keys, packets = county_keys(desk), packets_taken(desk)
        county, own = county_of(desk), own_key_id(desk)
    out.document(
        {
            "county": county or None,
            "own_key": own or None,
            "keys": [_key_row(one) for one in keys],
            "packets": [
                {
                    "county": one.county,
                    "key": one.key_id,
                    "number": one.number,
                    "digest": one.digest,
                    "reports": one.reports,
                    "new_reports": one.new_reports,
                    "by": one.by,
                    "at": utc(one.at),
                }
                for one in packets
            ],
        }
    )
    if county:
        out.line(f"This is the own store of {county}. It signs its packets with the key {own}.")
        out.line(
            "Here `packet export` writes a packet for headquarters, and `packet receipt` reads what comes "
            "back. The keys of the counties are listed, and kits made, in headquarters' store."
        )
        return DONE
    if not keys:
        out.line("No county has a key yet. `packet kit` makes one.")
        return DONE
    taken = {one.id: [packet for packet in packets if packet.key_id == one.id] for one in keys}
    out.table(
        ("county", "key", "given", "by", "packets", "last taken", "revoked"),
        [
            (
                one.county,
                one.id,
                utc(one.at),
                one.by,
                str(len(taken[one.id])),
                utc(taken[one.id][-1].at) if taken[one.id] else "",
                "" if one.ended_at is None else f"{utc(one.ended_at)} by {one.ended_by}: {one.reason}",
            )
            for one in keys
        ],
        numbers=(4,),
    )
    return DONE


def run_revoke(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.kits import revoke_key
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        key = revoke_key(desk, arguments.key, reason=arguments.reason, by=by)
    out.document({"key": _key_row(key)})
    out.line(f"No more packets are taken under the key {key.id} of {key.county}. What was taken stays.")
    return DONE


def _key_row(key: "CountyKey") -> dict[str, Any]:
    return {
        "key": key.id,
        "county": key.county,
        "by": key.by,
        "at": utc(key.at),
        "revoked_at": None if key.ended_at is None else utc(key.ended_at),
        "revoked_by": key.ended_by or None,
        "reason": key.reason or None,
    }
