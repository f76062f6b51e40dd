"""Another computer: a clerk at a window of its own process, who is killed in the middle of a sheet.

`python -m tests.e2e.killed_clerk STORE NAME PIN PRECINCT CHAIR CALLER_PIN COUNT...`: signs in, takes the
call, types the counts field after field from the attendance on, says in JSON what its boxes hold once the
window says that the draft is saved, and goes on typing until it is killed.
"""

import json
import sys

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from caucus_desk.desk.session import open_desk
from caucus_desk.tally.report import Channel
from tests.e2e.hands import Seat


def main(store: str, name: str, pin: str, precinct_id: str, chair: str, proof: str, *counts: str) -> None:
    app = QApplication(sys.argv[:1])
    with open_desk(store) as desk:
        seat = Seat(desk, [])
        seat.sit(name, pin)
        seat.find(precinct_id, Channel.PHONE)
        for text in (chair, "515 555 0199", proof, *counts):
            seat.type_line(text)
        page = seat.window.shell.pages["entry"]
        seat.wait_until(lambda: not page.writer.owing and seat.sees("draft saved"))
        typed = {
            box.accessibleName(): box.text()
            for box in seat.window.findChildren(QLineEdit)
            if box.isVisible() and box.text()
        }
        sys.stdout.write(json.dumps(typed) + "\n")
        sys.stdout.flush()
        while app is not None:  # the caller goes on reading, until the power fails
            seat.keys("1")
            QTest.qWait(100)


if __name__ == "__main__":
    main(*sys.argv[1:])
