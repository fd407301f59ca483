"""The clients: one that waits, and one to await."""

import asyncio
import concurrent.futures
import os
import urllib.parse
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Awaitable, Callable, Dict, List, Optional, Type, TypeVar

from .errors import Error, Lost
from .operations import (
    PROJECT_OPERATIONS,
    SERVED_OPERATIONS,
    AsyncOperations,
    AsyncSessions,
    Operations,
    Sessions,
)
from .process import Process
from .service import Service
from .value import Value

V = TypeVar("V", bound=Value)


class _Base:
    """What both clients have: where the answers come from."""

    def __init__(
        self,
        project: Optional[str],
        url: Optional[str],
        token: Optional[str],
        program: str,
        folder: Optional[str],
        jobs: int,
        timeout: Optional[float],
    ) -> None:
        if url is None and token is not None:
            raise ValueError("a token is for a service: name its url")
        if jobs < 1:
            raise ValueError("jobs is a number from 1 on")
        self._project = project if url is not None or project is None else os.fspath(project)
        self._timeout = timeout
        self._service: Optional[Service] = None
        self._process: Optional[Process] = None
        if url is not None:
            self._service = Service(url, token, timeout)
        else:
            self._process = Process([program, "call", "--stream", "--jobs", str(jobs)], folder)

    def _with_project(self, op: str, request: Dict[str, Any]) -> Dict[str, Any]:
        """The request, about the client's project unless it brings another one."""
        request = {key: value for key, value in request.items() if value is not None}
        if self._project is not None and op in PROJECT_OPERATIONS and not _BRINGS.intersection(request):
            request["project"] = self._project
        return request

    def _path(self, op: str, request: Dict[str, Any]) -> str:
        """Where a service answers an operation: at the project, if it is one of its own."""
        if op in SERVED_OPERATIONS and "project" in request and not _BRINGS.intersection(request) - {"project"}:
            return f"/v1/projects/{urllib.parse.quote(str(request.pop('project')), safe='')}/{op}"
        return "/v1/" + urllib.parse.quote(op, safe="")

    def _route(
        self, method: str, path: str, places: Dict[str, str], body: Optional[Dict[str, Any]], query: Dict[str, Any], headers: Dict[str, Any]
    ) -> Any:
        """Asks a service at one of its addresses."""
        if self._service is None:
            raise Error("client.service", "sessions are those of a service", hint="name one with url=; call('session', ...) asks the store of a project")
        for name, value in places.items():
            path = path.replace("{%s}" % name, urllib.parse.quote(value, safe=""))
        asked = {k: str(v) for k, v in query.items() if v is not None}
        if asked:
            path += "?" + urllib.parse.urlencode(asked)
        sent = {k: str(v) for k, v in headers.items() if v is not None}
        if "Idempotency-Key" in headers:
            # What is done once can be asked again when the answer is lost.
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        if body is not None:
            body = {k: v for k, v in body.items() if v is not None}
        return self._service.send(method, path, body, sent, again=method == "GET" or "Idempotency-Key" in sent)

    def _service_ask(self, op: str, request: Dict[str, Any]) -> Any:
        assert self._service is not None
        path = self._path(op, request)
        return self._service.send("POST", path, request)

    def _late(self) -> Lost:
        return Lost("client.timeout", f"there is no answer within {self._timeout} s")

    def __repr__(self) -> str:
        return f"{type(self).__name__}(project={self._project!r})"


# The keys with which a request says what project it is about.
_BRINGS = {"project", "manifest", "files", "input"}


class Cento(_Base, Operations):
    """Asks a process of the program, or a service. Safe for threads.

    `project` is the folder of the project that requests are about, over HTTP its name;
    a request that brings `manifest`, `files`, `input` or another `project` is about
    that. `url` and `token` name a service. Else `program` is started in the folder
    `folder`, answers up to `jobs` requests at once, and is started again once if it
    dies. `timeout` is how many seconds an answer may take; None for any.

        with Cento(project="shop") as cento:
            print(cento.assemble().system)
    """

    def __init__(
        self,
        project: Optional[str] = None,
        *,
        url: Optional[str] = None,
        token: Optional[str] = None,
        program: str = "cento",
        folder: Optional[str] = None,
        jobs: int = 4,
        timeout: Optional[float] = 60.0,
    ) -> None:
        super().__init__(project, url, token, program, folder, jobs, timeout)
        #: The sessions of a service.
        self.sessions = Sessions(self._route, self._project)

    def call(self, op: str, request: Dict[str, Any]) -> Any:
        """Asks an operation by its name; gives the answer as it is, in dicts and lists.

        Raises `Refused` for what is answered with an error, and `Lost` for no answer.
        """
        request = self._with_project(op, request)
        if self._process is None:
            return self._service_ask(op, request)
        waiting = self._process.ask(op, request)
        try:
            return waiting.result(self._timeout)
        except concurrent.futures.TimeoutError:
            waiting.cancel()
            raise self._late() from None

    def _ask(self, op: str, request: Dict[str, Any], answer: Type[V]) -> V:
        return answer(self.call(op, request))

    def close(self) -> None:
        """Ends the process, when it has answered what was asked, or the connections."""
        for of in (self._process, self._service):
            if of is not None:
                of.close()

    def __enter__(self) -> "Cento":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncCento(_Base, AsyncOperations):
    """`Cento` with methods to await.

        async with AsyncCento(project="shop") as cento:
            a, b = await asyncio.gather(cento.assemble(), cento.explain())
    """

    def __init__(
        self,
        project: Optional[str] = None,
        *,
        url: Optional[str] = None,
        token: Optional[str] = None,
        program: str = "cento",
        folder: Optional[str] = None,
        jobs: int = 4,
        timeout: Optional[float] = 60.0,
    ) -> None:
        super().__init__(project, url, token, program, folder, jobs, timeout)
        self._threads = ThreadPoolExecutor(max_workers=jobs) if url is not None else None
        #: The sessions of a service.
        self.sessions = AsyncSessions(self._await_route, self._project)

    async def call(self, op: str, request: Dict[str, Any]) -> Any:
        """Asks an operation by its name, as `Cento.call` does."""
        request = self._with_project(op, request)
        if self._process is None:
            return await self._in_thread(lambda: self._service_ask(op, request))
        waiting = asyncio.wrap_future(self._process.ask(op, request))
        try:
            return await asyncio.wait_for(waiting, self._timeout)
        except asyncio.TimeoutError:
            raise self._late() from None

    async def _ask(self, op: str, request: Dict[str, Any], answer: Type[V]) -> V:
        return answer(await self.call(op, request))

    def _in_thread(self, do: Callable[[], Any]) -> Awaitable[Any]:
        return asyncio.get_running_loop().run_in_executor(self._threads, do)

    async def _await_route(self, *args: Any) -> Any:
        return await self._in_thread(lambda: self._route(*args))

    async def close(self) -> None:
        """Ends the process, when it has answered what was asked, or the connections."""
        ends: List[Any] = [of for of in (self._process, self._service) if of is not None]
        for of in ends:
            await asyncio.get_running_loop().run_in_executor(None, of.close)
        if self._threads is not None:
            self._threads.shutdown(wait=False)

    async def __aenter__(self) -> "AsyncCento":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
