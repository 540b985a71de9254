"""How far long work has come, where somebody can see it."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

SHORT = 0.5
"""What is over within so many seconds needs no bar."""


def _is_watched() -> bool:
    """Whether there is a terminal or a notebook."""
    if sys.stderr is not None and sys.stderr.isatty():
        return True
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")


class Bar:
    """A progress bar of tqdm; nothing where nobody sees it, or where tqdm is not installed."""

    def __init__(self, progress: bool | None, unit: str, total: int | None = None) -> None:
        self._bar: Any = None
        self._unit = unit
        self._total = total
        self._is_wanted = _is_watched() if progress is None else progress
        self._begin = time.monotonic() + (0 if progress else SHORT)

    def show(self, done: int) -> None:
        """So much is done."""
        if self._is_wanted and self._bar is None and time.monotonic() >= self._begin:
            self._open()
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def _open(self) -> None:
        try:
            with warnings.catch_warnings():
                # In a notebook without widgets it says so, and works.
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm
        except ImportError:
            self._is_wanted = False
            return
        self._bar = tqdm(total=self._total, unit=f" {self._unit}")

    def close(self) -> None:
        """The work has ended."""
        if self._bar is not None:
            self._bar.close()
