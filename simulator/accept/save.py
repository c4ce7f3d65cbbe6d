"""Writes the new text of a file: all of it or nothing, and never over somebody's newer work."""

import os
import shutil
from codecs import BOM_UTF8
from pathlib import Path
from tempfile import NamedTemporaryFile

from simulator.accept.proposal import Proposal


class FileChangedError(Exception):
    """The file is no longer the one that was played."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: it was changed in the meantime. Run falai accept again.")


def save(proposal: Proposal) -> None:
    """Put the proposed text in the place of the old one, under the same rights.

    Raises FileChangedError, and OSError when the file or its folder cannot be written.
    """
    path = Path(os.path.realpath(proposal.document.path))
    with path.open("r+b") as file:  # a file that may not be written is not replaced either
        old = file.read()
    mark = BOM_UTF8 if old.startswith(BOM_UTF8) else b""
    if old != mark + proposal.document.text.encode():
        raise FileChangedError(proposal.document.path)
    _replace(path, mark + proposal.text.encode())


def _replace(path: Path, content: bytes) -> None:
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as new:
        try:
            new.write(content)
            new.close()
            shutil.copymode(path, new.name)
            os.replace(new.name, path)
        except BaseException:
            os.unlink(new.name)
            raise
