"""The summary's bar chart: each group's share, in ballot order, in the one accent colour."""

from fractions import Fraction
from typing import Any, cast

from openpyxl.chart import BarChart, Reference
from openpyxl.chart.data_source import (
    AxDataSource,
    NumData,
    NumDataSource,
    NumRef,
    NumVal,
    StrData,
    StrRef,
    StrVal,
)
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.layout import Layout, ManualLayout
from openpyxl.chart.series import Series
from openpyxl.chart.series_factory import SeriesFactory
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import (
    CharacterProperties,
    Font,
    Paragraph,
    ParagraphProperties,
    RegularTextRun,
)
from openpyxl.worksheet.worksheet import Worksheet

from caucus_desk.reports.book import Book, Measure
from caucus_desk.reports.look import ACCENT, FACE, INK, RULE
from caucus_desk.reports.plan import column_letter
from caucus_desk.reports.summary import DOUBT_BLOCK, SUMMARY, SummaryPage

_CM_PER_POINT = 2.54 / 72


def add_chart(sheet: Worksheet, book: Book, summary: SummaryPage) -> None:
    """A chart beside where the night stands; none while there is nothing to show.

    Its values are kept in it, so that a preview can draw it without calculating.
    """
    if not book.state.sde_total:
        return
    chart = BarChart()
    chart.type = "bar"
    chart.gapWidth = 45
    chart.legend = None
    chart.style = 2
    chart.roundedCorners = False
    series = _series(book, summary)
    chart.series.append(series)
    chart.title = chart_title(f"Share of {book.unit}, as reported")
    chart.x_axis.scaling.orientation = "maxMin"  # the first group on top
    chart.x_axis.delete = False
    chart.x_axis.majorTickMark = "none"
    chart.x_axis.txPr = axis_text(900)
    chart.x_axis.spPr = GraphicalProperties(ln=LineProperties(solidFill=RULE))
    chart.y_axis.delete = True
    chart.y_axis.majorGridlines = None
    chart.y_axis.scaling.min = 0
    chart.layout = Layout(manualLayout=ManualLayout(xMode="edge", yMode="edge", x=0.2, y=0.11, w=0.7, h=0.88))
    chart.graphical_properties = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
    chart.anchor = f"F{summary.page.block_row(DOUBT_BLOCK)}"
    size = cast(Any, chart)  # both are centimetres, and need not be whole
    size.width = 14.5
    size.height = (summary.page.blocks[DOUBT_BLOCK].height - 1) * 13.2 * _CM_PER_POINT
    sheet.add_chart(chart)


def _series(book: Book, summary: SummaryPage) -> Series:
    lines = book.state.groups
    first = summary.first_group_row
    last = first + len(lines) - 1
    column = summary.cell(lines[0].group, Measure.SHARE)[1]
    series: Series = SeriesFactory(
        Reference(range_string=f"'{SUMMARY}'!$A${first}:$A${last}"), title=f"Share of {book.unit}"
    )
    total = book.state.sde_total
    letter = column_letter(column)
    values = [float(Fraction(line.sde) / total) for line in lines]
    series.val = NumDataSource(
        numRef=NumRef(
            f=f"'{SUMMARY}'!${letter}${first}:${letter}${last}",
            numCache=NumData(
                formatCode="0.0%",
                ptCount=len(values),
                pt=[NumVal(idx=index, v=repr(value)) for index, value in enumerate(values)],
            ),
        )
    )
    series.cat = AxDataSource(
        strRef=StrRef(
            f=f"'{SUMMARY}'!$A${first}:$A${last}",
            strCache=StrData(
                ptCount=len(lines),
                pt=[StrVal(idx=index, v=book.labels[line.group]) for index, line in enumerate(lines)],
            ),
        )
    )
    series.spPr = GraphicalProperties(solidFill=ACCENT, ln=LineProperties(noFill=True))
    series.invertIfNegative = False
    series.dLbls = DataLabelList(
        showVal=True,
        showSerName=False,
        showCatName=False,
        showLegendKey=False,
        showPercent=False,
        numFmt="0.0%",
        dLblPos="outEnd",
        txPr=axis_text(900),
    )
    return series


def chart_title(text: str) -> Title:
    look = CharacterProperties(sz=1000, b=True, latin=Font(typeface=FACE), solidFill=ACCENT)
    line = Paragraph(pPr=ParagraphProperties(defRPr=look), r=[RegularTextRun(rPr=look, t=text)])
    return Title(tx=Text(rich=RichText(p=[line])), overlay=False)


def axis_text(size: int) -> RichText:
    """`size` in hundredths of a point."""
    look = CharacterProperties(sz=size, latin=Font(typeface=FACE), solidFill=INK)
    return RichText(p=[Paragraph(pPr=ParagraphProperties(defRPr=look), endParaRPr=look)])
