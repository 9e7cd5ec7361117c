"""Warnings that point at the line of the user."""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType
from typing import Optional

from ._errors import LibrationWarning


def warn_user(text: str) -> None:
    """Warns, as if the line had done it that called the package."""
    package = os.path.dirname(__file__)
    level = 1
    frame: Optional[FrameType] = sys._getframe(0)
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == package:
        level += 1
        frame = frame.f_back
    warnings.warn(text, LibrationWarning, stacklevel=level)
