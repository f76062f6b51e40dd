"""Settings of a store: a text for each key. What they mean is the desk's."""

from sqlalchemy import select

from caucus_desk.store.actions import Action
from caucus_desk.store.schema import setting
from caucus_desk.store.statements import Prepared, putting
from caucus_desk.store.told import ToldReading, ToldWriting

_ALL = Prepared(select(setting.c.key, setting.c.value).order_by(setting.c.key))
_SET = putting(setting)


class SettingReading(ToldReading):
    def setting_values(self) -> dict[str, str]:
        """By key; a key that was never set is missing."""
        return dict(self._rows(_ALL))


class SettingWriting(SettingReading, ToldWriting):
    def set_setting(self, key: str, value: str, *, by: str, sentence: str) -> None:
        values = {**self.setting_values(), key: value}
        rows = ((one, None, values[one]) for one in sorted(values))
        seq = self._renewed(Action.SETTING, sentence, by, rows)
        self._run(_SET, key, seq, value)
