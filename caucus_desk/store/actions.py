"""What an audit event can be about."""

from enum import StrEnum


class Action(StrEnum):
    CREATED = "created"
    REPORTED = "reported"
    REPORT_WITHDRAWN = "report withdrawn"
    RULED = "ruled"
    RULING_WITHDRAWN = "ruling withdrawn"
    ACKNOWLEDGED = "acknowledged"
    VERIFIED = "verified"
    CONTROL_TOTALS = "control totals"
    LOADED = "loaded"
    DOES_NOT_MATCH = "does not match"
    REFUSED = "refused"
    CALLER_REFUSED = "caller refused"
    NUISANCE = "nuisance call"
    CLAIMED = "draft begun"
    TAKEN_OVER = "draft taken over"
    DISCARDED = "draft discarded"
    LOOKED = "looked"
    EXPORTED = "exported"
    BACKED_UP = "backed up"
    STATES_REBUILT = "states rebuilt"
