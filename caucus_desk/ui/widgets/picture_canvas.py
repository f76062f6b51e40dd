"""One page of a source on the screen: its size, turn and place, and how it is painted."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from caucus_desk.rules.errors import Refused
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.pictures import Source

_LEAST, _MOST = 0.05, 8.0
_SHARPEN_AFTER = 60
"""Milliseconds without a change of size before a page is drawn anew."""


class PictureCanvas(QWidget):
    """Paints the picture. Sizes of the picture are turned, those of `_image` are not."""

    changed = Signal()

    def __init__(self, viewer: QWidget) -> None:
        super().__init__(viewer)
        self._viewer = viewer
        self.message = ""
        self.page = 0
        self.quarter = 0
        self.zoom = 1.0
        self.fitted = True
        self.offset = QPointF(0, 0)
        self.sharp = True
        self._source: Source | None = None
        self._image = QImage()
        self._drawn_for = 0.0
        self._grip: QPoint | None = None
        self._sharpening = QTimer(self, singleShot=True, interval=_SHARPEN_AFTER)
        self._sharpening.timeout.connect(self._sharpen)
        self.setMinimumSize(120, 90)
        theme().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(420, 320)

    @property
    def pages(self) -> int:
        return self._source.pages if self._source is not None else 0

    # ---- what is shown ----

    def show_source(self, source: Source) -> None:
        self._drop()
        self._source = source
        self.message = ""
        self.page = self.quarter = 0
        try:
            self._fit_now()
            self._draw()
        except Refused:
            self._drop()
            raise
        self._done()

    def show_message(self, sentence: str) -> None:
        self._drop()
        self.message = sentence
        self._done()

    def _drop(self) -> None:
        self._sharpening.stop()
        self._source = None
        self._image = QImage()
        self.sharp = True

    def _draw(self) -> None:
        """The page for the size in which it is shown; a photo is what it is at every size."""
        assert self._source is not None
        self._drawn_for = self._wanted()
        self._image = self._source.picture(self.page, self._drawn_for)
        self.sharp = True

    def _wanted(self) -> float:
        return self.zoom * self.devicePixelRatioF()

    def _sharpen(self) -> None:
        if self._source is None or self._drawn_for == self._wanted():
            self.sharp = True
            return
        try:
            self._draw()
        except Refused as refusal:
            self.show_message(refusal.sentence)
        self.update()

    def _done(self) -> None:
        if self._source is not None and self._drawn_for != self._wanted():
            self.sharp = False
            self._sharpening.start()
        self._keep_inside()
        self.update()
        self.changed.emit()

    # ---- size, turn, page, place ----

    def _size(self) -> QSizeF:
        """Of the turned page at 100 %."""
        assert self._source is not None
        size = self._source.size(self.page)
        return size.transposed() if self.quarter % 2 else size

    def _fit_now(self) -> None:
        size = self._size()
        across, down = self.width() / size.width(), self.height() / size.height()
        self.zoom = min(max(min(across, down), _LEAST / 10), _MOST)
        self.fitted = True
        self.offset = QPointF(0, 0)

    def fit(self) -> None:
        self._fit_now()
        self._done()

    def zoom_by(self, factor: float) -> None:
        """The middle of what is in view stays there."""
        before = self.zoom
        self.zoom = min(max(before * factor, min(_LEAST, before)), _MOST)
        middle = QPointF(self.width() / 2, self.height() / 2)
        self.offset = (self.offset + middle) * (self.zoom / before) - middle
        self.fitted = False
        self._done()

    def turn(self) -> None:
        self.quarter = (self.quarter + 1) % 4
        if self.fitted:
            self._fit_now()
        else:
            self.offset = QPointF(0, 0)
        self._done()

    def go_to(self, page: int) -> None:
        """Another page, from its top; the size stays unless it was fitted. No wrap at the ends."""
        page = min(max(page, 0), self.pages - 1)
        if page == self.page:
            return
        self.page = page
        self.offset = QPointF(0, 0)
        try:
            if self.fitted:
                self._fit_now()
            self._draw()
        except Refused as refusal:
            self._image = QImage()
            self.message = refusal.sentence
        else:
            self.message = ""
        self._done()

    def move_by(self, across: float, down: float) -> None:
        self.offset = self.offset + QPointF(across, down)
        self._done()

    def _keep_inside(self) -> None:
        if self._source is None:
            return
        try:
            size = self._size() * self.zoom
        except Refused:
            return
        most_x, most_y = max(0.0, size.width() - self.width()), max(0.0, size.height() - self.height())
        self.offset = QPointF(min(max(self.offset.x(), 0.0), most_x), min(max(self.offset.y(), 0.0), most_y))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._source is not None and not self.message:
            if self.fitted:
                self._fit_now()
            self._done()

    # ---- mouse ----

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls, whatever is held with it."""
        if self._source is None:
            event.ignore()
            return
        moved = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta() / 2
        self.move_by(-moved.x(), -moved.y())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._grip = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None and self._source is not None:
            here = event.position().toPoint()
            moved = self._grip - here
            self._grip = here
            self.move_by(moved.x(), moved.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    # ---- painting ----

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().colour("stripe"))
        if self._source is not None and not self._image.isNull() and not self.message:
            self._paint_picture(painter)
        if self.message:
            painter.setPen(theme().colour("muted"))
            wrap = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignCenter
            painter.drawText(QRectF(self.rect()).adjusted(24, 24, -24, -24), wrap, self.message)
        focused = self._viewer.hasFocus()
        painter.setPen(QPen(theme().colour("accent" if focused else "edge"), 2 if focused else 1))
        inset = 1 if focused else 0
        painter.drawRect(self.rect().adjusted(inset, inset, -1, -1))

    def _paint_picture(self, painter: QPainter) -> None:
        size = self._size() * self.zoom
        left = (self.width() - size.width()) / 2 if size.width() < self.width() else -self.offset.x()
        top = (self.height() - size.height()) / 2 if size.height() < self.height() else -self.offset.y()
        painter.save()
        painter.setClipRect(self.rect())
        ratio = self.devicePixelRatioF()
        drawn = QSizeF(self._image.size()) / ratio
        if not self.quarter and abs(drawn.width() - size.width()) < 2 > abs(drawn.height() - size.height()):
            # Drawn for this very size: dot on dot, or every letter would be blurred.
            place = QRectF(QPointF(round(left), round(top)), drawn)
            painter.fillRect(place, Qt.GlobalColor.white)
            painter.drawImage(place, self._image)
            painter.restore()
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(left + size.width() / 2, top + size.height() / 2)
        painter.setTransform(QTransform().rotate(90 * self.quarter), True)
        flat = size.transposed() if self.quarter % 2 else size
        place = QRectF(-flat.width() / 2, -flat.height() / 2, flat.width(), flat.height())
        painter.fillRect(place, Qt.GlobalColor.white)
        painter.drawImage(place, self._image)
        painter.restore()
