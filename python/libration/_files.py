"""Atomic writing of files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ._core import FileError


def write_text(target: Path, text: str) -> None:
    """Write a temporary file and rename it: after a failure, an existing file is unchanged."""
    try:
        content = text.encode("utf-8")
        real = Path(os.path.realpath(target))
        if real.is_dir():
            raise IsADirectoryError(0, "it is a directory")
        if real.exists() and not os.access(real, os.W_OK):
            raise PermissionError(0, "it is write-protected")
        handle, part = tempfile.mkstemp(prefix=real.name, suffix=".part", dir=real.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(part, real.stat().st_mode & 0o777 if real.exists() else 0o666 & ~_mask())
            os.replace(part, real)
        except BaseException:
            os.unlink(part)
            raise
    except UnicodeEncodeError as error:
        raise FileError(f"cannot write {target}: {error.reason}") from None
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror or error}") from None


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
