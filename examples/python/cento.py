"""Cento from Python: one process answers many requests."""

import json
import subprocess
import threading


class Refused(Exception):
    """What is wrong with a request: a code, a message, a place, a hint."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.position = error["position"]
        self.hint = error["hint"]


class Cento:
    """Answers requests over `cento call --stream`. Safe for several threads."""

    def __init__(self, program="cento"):
        self._process = subprocess.Popen(
            [program, "call", "--stream"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
        )
        self._lock = threading.Lock()
        self._last = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def call(self, op, **request):
        """Asks an operation and gives its answer. Raises Refused."""
        with self._lock:  # one at a time, so that answers come in order
            self._last += 1
            line = {"id": self._last, "op": op, "request": request}
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()
            said = self._process.stdout.readline()
        if not said:
            raise RuntimeError("cento ended before it answered")
        answer = json.loads(said)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]
