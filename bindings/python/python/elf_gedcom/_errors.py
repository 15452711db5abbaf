"""The exceptions of this package. A file that cannot be opened raises OSError, such as FileNotFoundError."""

from __future__ import annotations


class ElfError(Exception):
    """An error about a file, with its place if that is known."""

    #: The name of the file.
    file: str | None
    #: The number of the line, from 1.
    line: int | None
    #: The path of the structure, such as ``@I1@/BIRT``.
    path: str | None

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, path: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.path = path

    def __str__(self) -> str:
        place = [self.file] if self.file is not None else []
        if self.line is not None:
            place.append(f"line {self.line}")
        return f"{', '.join(place)}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.file, self.line, self.path)


def _rebuild(kind: type[ElfError], message: str, file: str | None, line: int | None, path: str | None) -> ElfError:
    return kind(message, file=file, line=line, path=path)


class EditError(ElfError, ValueError):
    """An edit that cannot be applied. The document is unchanged."""


class ConfigError(ElfError, ValueError):
    """An invalid ``elf.toml``."""


class IncompleteError(ElfError):
    """The rules stopped reading the file early, so changing it would lose the rest."""


class StructureNotFoundError(ElfError, KeyError):
    """No structure has the tag, the path or the identifier, or several structures have the identifier."""


class PersonNotFoundError(ElfError, KeyError):
    """No person has the identifier, or several people have it."""


class PlanError(ElfError, ValueError):
    """A plan of a table that was made for another file, or by another release of this package."""
