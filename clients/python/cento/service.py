"""Answers of a service: `cento serve`."""

import http.client
import json
import threading
import urllib.parse
from typing import Any, Dict, List, Optional, Tuple

from .errors import Error, Lost, Refused, refused
from .events import Stream
from .process import encoded

# Seconds within which a service that has nothing to tell says at least that it is there.
HEARTBEATS = 45.0


class Service:
    """A service, asked over connections that are kept. Safe for threads."""

    def __init__(self, url: str, token: Optional[str], timeout: Optional[float]) -> None:
        at = urllib.parse.urlsplit(url)
        if at.scheme not in ("http", "https") or not at.hostname or at.username or at.query or at.fragment:
            raise ValueError(f"url is no address of a service: {url!r}; as in http://127.0.0.1:7420")
        if token is not None and not (token.isascii() and token.isprintable() and " " not in token):
            raise ValueError("the token has characters that no token has")
        self._kind = http.client.HTTPSConnection if at.scheme == "https" else http.client.HTTPConnection
        self._host, self._port = at.hostname, at.port
        self._base = at.path.rstrip("/")
        self._name = f"{at.scheme}://{at.netloc}{self._base}"
        self._headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
        self._timeout = timeout
        self._lock = threading.Lock()
        self._idle: List[http.client.HTTPConnection] = []
        self._closed = False

    def send(
        self,
        method: str,
        path: str,
        body: Optional[Dict[str, Any]] = None,
        headers: Optional[Dict[str, str]] = None,
        again: bool = True,
    ) -> Any:
        """Sends a request and gives the answer: JSON, or a text; None for none. One
        whose connection turns out to be closed is sent once more, if it may be."""
        data = None if body is None else encoded(body)
        headers = {**self._headers, **(headers or {})}
        if data is not None:
            headers["Content-Type"] = "application/json"
        tries = 2 if again else 1
        while True:
            tries -= 1
            connection = self._connection()
            try:
                response, answer = _exchange(connection, method, self._base + path, data, headers)
            except (ConnectionError, http.client.HTTPException) as e:
                connection.close()
                if tries > 0 and not isinstance(e, ConnectionRefusedError):
                    self._drop()  # those that were kept are as old
                    continue
                raise self._lost(e) from e
            except OSError as e:
                connection.close()
                raise self._lost(e) from e
            except BaseException:  # an answer that nobody read would be the next one's
                connection.close()
                raise
            self._keep(connection, response)
            return _read(response, answer)

    def events(self, query: Dict[str, Optional[str]], last: Optional[str]) -> Stream:
        """Listens, over a connection of its own."""
        with self._lock:
            if self._closed:
                raise Lost("client.closed", "the client is closed")
        asked = urllib.parse.urlencode({k: v for k, v in query.items() if v is not None})
        headers = dict(self._headers) if last is None else {**self._headers, "Last-Event-ID": last}
        connection = self._kind(self._host, self._port, timeout=HEARTBEATS)
        try:
            connection.request("GET", self._base + "/v1/events" + (asked and "?" + asked), headers=headers)
            response = connection.getresponse()
            if response.status != 200:
                _read(response, response.read())
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            raise self._lost(e) from e
        except BaseException:
            connection.close()
            raise
        return Stream(connection, response, self._lost)

    def _lost(self, e: Exception) -> Lost:
        if isinstance(e, TimeoutError) or "timed out" in str(e):
            return Lost("client.timeout", f"{self._name} didn't answer within {self._timeout} s")
        hint = "is the service running?" if isinstance(e, ConnectionRefusedError) else ""
        return Lost("client.connection", f"{self._name} can't be asked: {e or type(e).__name__}", hint=hint)

    def _connection(self) -> http.client.HTTPConnection:
        with self._lock:
            if self._closed:
                raise Lost("client.closed", "the client is closed")
            if self._idle:
                return self._idle.pop()
        return self._kind(self._host, self._port, timeout=self._timeout)

    def _keep(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        with self._lock:
            if not response.will_close and not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _drop(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Closes the connections."""
        with self._lock:
            self._closed = True
        self._drop()


def _exchange(
    connection: http.client.HTTPConnection, method: str, path: str, data: Optional[bytes], headers: Dict[str, str]
) -> Tuple[http.client.HTTPResponse, bytes]:
    try:
        connection.request(method, path, data, headers)
    except ConnectionRefusedError:
        raise
    except ConnectionError:
        # A service that takes no more of a body answers before it hangs up.
        try:
            response = connection.getresponse()
            return response, response.read()
        except (OSError, http.client.HTTPException):
            pass
        raise
    response = connection.getresponse()
    return response, response.read()


def _read(response: http.client.HTTPResponse, answer: bytes) -> Any:
    """What was answered, or the exception of it."""
    kind = (response.headers.get_content_type() or "").lower()
    if response.status >= 300:
        after = response.headers.get("Retry-After", "")
        retry = float(after) if after.isdigit() else None
        if kind == "application/problem+json":
            raise refused(json.loads(answer), response.status, retry)
        raise Refused(
            "client.answer",
            f"something else than Cento answered: {response.status} {response.reason}",
            hint="does url lead to a service?",
            status=response.status,
            retry_after=retry,
        )
    if response.status == 204:
        return None
    if kind == "application/json":
        try:
            return json.loads(answer)
        except ValueError as e:
            raise Error("client.answer", f"the answer is no JSON: {e}") from e
    return answer.decode("utf-8")
