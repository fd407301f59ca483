"""Answers of a process: `cento call --stream`."""

import json
import os
import queue
import subprocess
import threading
from concurrent.futures import Future
from typing import Any, Dict, List, Optional, Set, Tuple

from .errors import Error, Lost, refused

# How much of what a process says on stderr an error tells.
_TAIL = 2000


class _Asked:
    """A request that waits for its answer."""

    def __init__(self, line: bytes, again: bool) -> None:
        self.line = line
        self.answer: "Future[Any]" = Future()
        # How often it may still be handed to a process.
        self.left = 2 if again else 1

    def settle(self, result: Any, error: Optional[Error] = None) -> None:
        if not self.answer.set_running_or_notify_cancel():
            return  # nobody waits any more
        if error is not None:
            self.answer.set_exception(error)
        else:
            self.answer.set_result(result)


def encoded(request: Dict[str, Any]) -> bytes:
    """A request as it is sent."""
    try:
        return json.dumps(request, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as e:
        raise Error("client.request", f"the request can't be written as JSON: {e}") from e


class _Child:
    """A process, with a thread that writes to it and two that read from it."""

    def __init__(self, command: List[str], folder: Optional[str]) -> None:
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.lines: "queue.SimpleQueue[Optional[bytes]]" = queue.SimpleQueue()
        self.said = b""
        self.strange = False
        self.listening = threading.Thread(target=self._listen, daemon=True)
        self.listening.start()
        threading.Thread(target=self._write, daemon=True).start()

    def _write(self) -> None:
        # A thread of its own: the process reads no further while it is busy, and
        # nobody who asks has to wait for that.
        stdin = self.process.stdin
        assert stdin is not None
        try:
            while True:
                line = self.lines.get()
                if line is None:
                    break
                stdin.write(line)
                stdin.flush()
        except (OSError, ValueError):
            pass  # it has ended, which its reader notices
        try:
            stdin.close()
        except OSError:
            pass

    def _listen(self) -> None:
        stderr = self.process.stderr
        assert stderr is not None
        for line in stderr:
            self.said = (self.said + line)[-_TAIL:]
        stderr.close()

    def ended(self) -> str:
        """How the process ended, and what it said last."""
        status = self.process.wait()
        self.lines.put(None)
        self.listening.join()
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        if self.strange:
            how = "answered what cento call --stream doesn't"
        said = self.said.decode("utf-8", "replace").strip()
        return f"{how}: {said}" if said else how


class Process:
    """One process that answers many requests. Safe for threads.

    A process that dies is started again, and what it left unanswered is asked once
    more. A request that a second process doesn't answer either fails.
    """

    def __init__(self, command: List[str], folder: Optional[str]) -> None:
        self._command = command
        self._folder = folder
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._of = os.getpid()
        self._lock = threading.Lock()
        self._child: Optional[_Child] = None
        self._last = 0
        self._asked: Dict[int, _Asked] = {}
        # Errors about lines that the process couldn't read, with the requests that
        # they may be about.
        self._unread: List[Tuple[Dict[str, Any], Set[int]]] = []

    def ask(self, op: str, request: Dict[str, Any]) -> "Future[Any]":
        """Asks an operation; gives what it will answer."""
        body = encoded(request)
        if os.getpid() != self._of:
            self._begin()  # threads and the answers that they wait for stay behind a fork
        # A transition of a session that was perhaps done isn't done again.
        again = op != "session" or "key" in request
        with self._lock:
            if self._closed:
                raise Lost("client.closed", "the client is closed")
            self._last += 1
            line = b'{"id":%d,"op":%s,"request":%s}\n' % (self._last, json.dumps(op).encode(), body)
            asked = self._asked[self._last] = _Asked(line, again)
            self._hand([self._last])
        return asked.answer

    def _hand(self, ids: List[int]) -> None:
        """Hands requests to the process, which is started if there is none."""
        if self._child is None:
            try:
                self._child = _Child(self._command, self._folder)
            except OSError as e:
                hint = "install Cento, or say where it is with program=" if isinstance(e, FileNotFoundError) else ""
                for number in ids:
                    lost = Lost("client.program", f"{self._command[0]} can't be started: {e.strerror or e}", hint=hint)
                    self._asked.pop(number).settle(None, lost)
                return
            threading.Thread(target=self._read, args=(self._child,), daemon=True).start()
        for number in ids:
            self._asked[number].left -= 1
            self._child.lines.put(self._asked[number].line)

    def _read(self, child: _Child) -> None:
        stdout = child.process.stdout
        assert stdout is not None
        for line in stdout:
            if not line.endswith(b"\n"):
                break  # it ended within an answer
            try:
                reply = json.loads(line)
                if "id" not in reply or ("result" in reply) == ("error" in reply):
                    raise ValueError(reply)
            except (TypeError, ValueError):
                child.strange = True
                child.process.kill()
                break
            self._answered(reply)
        stdout.close()
        how = child.ended()
        with self._lock:
            if self._child is child:
                self._child = None
            self._unread = []
            again = []
            for number, asked in list(self._asked.items()):
                if asked.left > 0 and not self._closed:
                    again.append(number)
                else:
                    del self._asked[number]
                    lost = Lost("client.process", f"{self._command[0]} {how}", hint="ask again: another process is started")
                    asked.settle(None, lost)
            if again:
                self._hand(again)

    def _answered(self, reply: Dict[str, Any]) -> None:
        with self._lock:
            number = reply["id"]
            if number is None:
                self._unread.append((reply["error"], set(self._asked)))
            else:
                self._settle(number, reply)
            # An error without an id is about a request of that time that gets no other
            # answer.
            for error, of in list(self._unread):
                of &= set(self._asked)
                if len(of) <= len(self._unread):
                    self._unread.remove((error, of))
                    if of:
                        self._settle(min(of), {"error": error})

    def _settle(self, number: int, reply: Dict[str, Any]) -> None:
        asked = self._asked.pop(number, None)
        if asked is not None:
            asked.settle(reply.get("result"), refused(reply["error"]) if "error" in reply else None)

    def close(self) -> None:
        """Ends the process when it has answered all that was asked."""
        with self._lock:
            self._closed = True
            child = self._child
        if child is not None:
            child.lines.put(None)
            child.process.wait()
