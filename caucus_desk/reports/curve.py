"""The chart of reporting over time: two lines, precincts reporting and precincts verified."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from openpyxl.chart import ScatterChart
from openpyxl.chart.axis import ChartLines
from openpyxl.chart.data_source import AxDataSource, NumData, NumDataSource, NumRef, NumVal
from openpyxl.chart.layout import Layout, ManualLayout
from openpyxl.chart.legend import Legend
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import SeriesLabel, XYSeries
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.worksheet import Worksheet

from caucus_desk.reports.book import Book
from caucus_desk.reports.chart import axis_text, chart_title
from caucus_desk.reports.look import ACCENT, RULE
from caucus_desk.reports.overtime import OVER_TIME, OverTime

_VERIFIED = "D9A520"
_SECONDS = 86_400


def add_curve(sheet: Worksheet, book: Book, night: OverTime) -> None:
    """To the right of the figures. Its values are kept in it, so that a preview can draw it."""
    times = [_day(book.local(point.at)) for point in night.points]
    chart = ScatterChart()
    chart.scatterStyle = "lineMarker"
    chart.style = 2
    chart.roundedCorners = False
    chart.title = chart_title("Precincts reporting and verified")
    first = night.page.block_data_row(0)
    reporting = [float(point.reporting) for point in night.points]
    verified = [float(point.verified) for point in night.points]
    chart.series.append(_line("Reporting", "B", ACCENT, first, times, reporting))
    chart.series.append(_line("Verified", "C", _VERIFIED, first, times, verified))
    chart.legend = Legend()
    chart.legend.position = "t"
    for axis in (chart.x_axis, chart.y_axis):
        axis.delete = False
        axis.txPr = axis_text(900)
        axis.spPr = GraphicalProperties(ln=LineProperties(solidFill=RULE))
        axis.majorTickMark = "none"
    long = times[-1] - times[0] > 1.5
    chart.x_axis.number_format = "mm-dd hh:mm" if long else "hh:mm"
    chart.x_axis.majorGridlines = None
    chart.x_axis.scaling.min, chart.x_axis.scaling.max = times[0], max(times[-1], times[0] + 1 / 24)
    chart.y_axis.scaling.min = 0
    chart.y_axis.scaling.max = max(book.coverage.total, 1)
    chart.y_axis.number_format = "#,##0"
    chart.y_axis.majorGridlines = ChartLines(spPr=GraphicalProperties(ln=LineProperties(solidFill=RULE)))
    chart.layout = Layout(
        manualLayout=ManualLayout(xMode="edge", yMode="edge", x=0.08, y=0.18, w=0.88, h=0.7)
    )
    chart.graphical_properties = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
    chart.anchor = f"F{night.page.first_row}"
    size = cast(Any, chart)  # both are centimetres, and need not be whole
    size.width, size.height = 18.0, 10.0
    sheet.add_chart(chart)


def _line(
    name: str, letter: str, colour: str, first: int, times: Sequence[float], values: Sequence[float]
) -> XYSeries:
    line = XYSeries(tx=SeriesLabel(v=name), marker=Marker(symbol="none"), smooth=False)
    line.xVal = AxDataSource(numRef=_reference("A", first, times, "hh:mm"))
    line.yVal = NumDataSource(numRef=_reference(letter, first, values, "#,##0"))
    line.spPr = GraphicalProperties(ln=LineProperties(solidFill=colour, w=22_000))
    return line


def _reference(letter: str, first: int, values: Sequence[float], code: str) -> NumRef:
    return NumRef(
        f=f"'{OVER_TIME}'!${letter}${first}:${letter}${first + len(values) - 1}",
        numCache=NumData(
            formatCode=code,
            ptCount=len(values),
            pt=[NumVal(idx=index, v=repr(value)) for index, value in enumerate(values)],
        ),
    )


def _day(moment: datetime) -> float:
    """Days since Excel's first, to the second: floating point carries noise."""
    value: float = to_excel(moment)  # type: ignore[no-untyped-call]
    return round(value * _SECONDS) / _SECONDS
