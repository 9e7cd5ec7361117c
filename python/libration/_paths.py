"""Names of files."""

from __future__ import annotations

import os
from typing import Union

PathLike = Union[str, "os.PathLike[str]"]


def path_text(path: PathLike) -> str:
    """A path as the core takes it: a text that ends where it ends, and that every file system can hold."""
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"a path must be a str or a pathlib.Path, not {type(path).__name__}")
    if "\0" in text:
        raise ValueError(f"embedded null byte in the path {text!r}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the path {text!r} is not Unicode") from None
    return text
