"""The clients: one that waits, and one to await."""

import asyncio
import concurrent.futures
import os
import urllib.parse
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Optional, Type, TypeVar

from .errors import Error, Lost
from .events import Event, Stream
from .operations import (
    PROJECT_OPERATIONS,
    SERVED_OPERATIONS,
    AsyncOperations,
    AsyncProjects,
    AsyncRecords,
    AsyncSessions,
    AsyncStanding,
    Operations,
    Projects,
    Records,
    Sessions,
    Standing,
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
        self, method: str, path: str, places: Dict[str, Optional[str]], body: Optional[Dict[str, Any]], query: Dict[str, Any], headers: Dict[str, Any]
    ) -> Any:
        """Asks a service at one of its addresses."""
        if self._service is None:
            raise _not_served(path)
        for name, value in places.items():
            if value is None:
                raise ValueError(f"name the {name}, here or for the client")
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


def _not_served(path: str) -> Error:
    hint = "name one with url="
    if path.startswith("/v1/sessions"):
        hint += "; call('session', ...) asks the store of a project"
    return Error("client.service", "it is a service that has this", hint=hint)


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
        #: What a service has besides: its sessions, projects and records, and how it stands.
        self.sessions = Sessions(self._route, self._project)
        self.projects = Projects(self._route, self._project)
        self.records = Records(self._route, self._project)
        self.standing = Standing(self._route, self._project)

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

    def events(
        self, *, project: Optional[str] = None, session: Optional[str] = None, last: Optional[str] = None
    ) -> Stream:
        """What happens to the sessions and projects of a service, from now on, until it
        ends or the iterator is closed.

        project: Of this project alone.
        session: Of this session alone.
        last: The id of the last event that came: it goes on behind that one. An event of
            the kind reset says that some are missed.
        """
        if self._service is None:
            raise _not_served("/v1/events")
        return self._service.events({"project": project, "session": session}, last)

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
        #: What a service has besides: its sessions, projects and records, and how it stands.
        self.sessions = AsyncSessions(self._await_route, self._project)
        self.projects = AsyncProjects(self._await_route, self._project)
        self.records = AsyncRecords(self._await_route, self._project)
        self.standing = AsyncStanding(self._await_route, self._project)

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

    async def events(
        self, *, project: Optional[str] = None, session: Optional[str] = None, last: Optional[str] = None
    ) -> AsyncIterator[Event]:
        """What happens to the sessions and projects of a service, as `Cento.events`."""
        if self._service is None:
            raise _not_served("/v1/events")
        stream = self._service.events({"project": project, "session": session}, last)
        listening = ThreadPoolExecutor(max_workers=1)  # it waits, and nobody waits for it
        try:
            while True:
                event = await asyncio.get_running_loop().run_in_executor(listening, next, stream, None)
                if event is None:
                    return
                yield event
        finally:
            stream.hang_up()
            listening.shutdown(wait=False)

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
