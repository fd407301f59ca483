"""What goes wrong."""

from typing import Any, Dict, List, Optional

from .answers import Position, Related


class Error(Exception):
    """Something went wrong. `str()` is what a person reads: place, message and hint.

    `code` is stable, and those of the service and the program stand in
    docs/reference/codes.md; those of the client begin with `client.`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        position: Optional[Position] = None,
        path: str = "",
        hint: str = "",
        related: Optional[List[Related]] = None,
        errors: Optional[List["Error"]] = None,
        status: Optional[int] = None,
        retry_after: Optional[float] = None,
        request: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        #: Where it is wrong: file, line and column, which may be 0; None for nowhere.
        self.position = position
        #: The file of the position from the root of the project, where the position names
        #: a prompt file by its reference; else empty.
        self.path = path
        self.hint = hint
        #: Other places that have to do with it, each with what stands there.
        self.related: List[Related] = related or []
        #: All errors where there are several, this one first; else none.
        self.errors: List[Error] = errors or []
        #: The status of an answer over HTTP.
        self.status = status
        #: Seconds after which to ask again, if the service says so.
        self.retry_after = retry_after
        #: The id under which the log of the service has the request.
        self.request = request

    def __str__(self) -> str:
        at = place(self.position)
        text = f"{at}: {self.message}" if at else self.message
        text = f"{self.code}: {text}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class Refused(Error):
    """The program or the service answered that it can't be done."""


class Lost(Error):
    """There is no answer: a process that ended, a service that isn't there, a time
    that is over."""


def place(position: Optional[Position]) -> str:
    """A position as a person writes it, FILE:LINE:COLUMN; empty for none."""
    if position is None:
        return ""
    file, line = position.file or "", position.line or 0
    return f"{file}:{line}:{position.column or 0}" if line else file


def refused(data: Dict[str, Any], status: Optional[int] = None, retry_after: Optional[float] = None) -> Refused:
    """The exception of an error object."""
    position = data.get("position")
    return Refused(
        data["code"],
        data["message"],
        position=Position(position) if position else None,
        path=data.get("path") or "",
        hint=data.get("hint") or "",
        related=[Related(x) for x in data.get("related") or ()],
        errors=[refused(x, status) for x in data.get("errors") or ()],
        status=status,
        retry_after=retry_after,
        request=data.get("request"),
    )
