"""What happens at a service, as it tells it: server-sent events."""

import http.client
import json
import socket
from typing import Any, Callable, Dict, Iterator, Optional


class Event:
    """Something that happened: its `id`, by which a listener goes on behind it, its
    `kind`, such as session.transition, and its `data`, in dicts and lists."""

    __slots__ = ("id", "kind", "data")

    def __init__(self, id: Optional[str], kind: str, data: Any) -> None:
        self.id = id
        self.kind = kind
        self.data = data

    def __repr__(self) -> str:
        return f"Event(id={self.id!r}, kind={self.kind!r}, data={self.data!r})"


class Stream(Iterator[Event]):
    """The events of a connection, which is closed with the last of them."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, lost: Callable[[Exception], Exception]) -> None:
        self._connection = connection
        self._response = response
        self._lost = lost

    def __next__(self) -> Event:
        fields: Dict[str, str] = {}
        while True:
            try:
                line = self._response.readline()
            except (OSError, ValueError, http.client.HTTPException) as e:
                closed = self._connection.sock is None
                self.hang_up()
                if closed:
                    raise StopIteration from None
                raise self._lost(e) from e
            if not line:
                self.hang_up()
                raise StopIteration
            text = line.decode("utf-8").rstrip("\r\n")
            if text == "" and "data" in fields:
                return Event(fields.get("id"), fields.get("event", "message"), json.loads(fields["data"]))
            name, colon, value = text.partition(":")
            if colon and name:
                fields[name] = value[1:] if value.startswith(" ") else value

    def hang_up(self) -> None:
        """Ends the stream, also for who waits for its next event."""
        sock = self._connection.sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed already
        self._connection.close()
        self._response.close()

    close = hang_up

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()
