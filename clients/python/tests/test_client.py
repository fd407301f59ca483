"""What the client does when things go wrong, with the real program and service.

CENTO_URL and CENTO_TOKEN name a service with a project shop; the program is in PATH.
"""

import asyncio
import os
import signal
import socket
import stat
import sys
import tempfile
import threading
import unittest

import cento
from cento import AsyncCento, Cento, Lost, Refused

URL, TOKEN = os.environ["CENTO_URL"], os.environ["CENTO_TOKEN"]
SHOP = os.environ["CENTO_SHOP"]


def program(text):
    """A program of a few lines that stands in for cento."""
    file = tempfile.NamedTemporaryFile("w", suffix=".py", delete=False)
    with file:
        file.write(f"#!{sys.executable}\nimport os, sys\nhere = {file.name!r}\n{text}")
    os.chmod(file.name, stat.S_IRWXU)
    return file.name


# Dies with its first request unanswered; the next one is the real program.
DIES_ONCE = """
if not os.path.exists(here + ".died"):
    sys.stdin.readline()
    open(here + ".died", "w").close()
    os._exit(3)
os.execvp("cento", ["cento"] + sys.argv[1:])
"""

DIES = "sys.stdin.readline()\nopen(here + '.count', 'a').write('x')\nsys.stderr.write('out of luck')\nsys.exit(7)\n"

# Never answers.
WAITS = "for line in sys.stdin: pass\n"


class ProcessTest(unittest.TestCase):
    def test_answers_are_objects(self):
        with Cento(project=SHOP) as c:
            explanation = c.explain()
            first = explanation.fragments[0]
            self.assertEqual(type(first).__name__, "Trace")
            self.assertIsInstance(first.included, bool)
            self.assertEqual(first, c.explain().fragments[0])
            with self.assertRaises(AttributeError):
                first.no_such_key
            self.assertIn("included", dir(first))

    def test_a_killed_process_is_started_again(self):
        with Cento(project=SHOP) as c:
            before = c.assemble()
            for _ in range(3):
                os.kill(c._process._child.process.pid, signal.SIGKILL)
                self.assertEqual(c.assemble(), before)

    def test_a_request_that_a_process_dies_of_is_asked_once_more(self):
        with Cento(program=program(DIES_ONCE)) as c:
            self.assertEqual(c.tokens(texts=["Hi."]).counts, [2])

    def test_then_it_is_lost(self):
        at = program(DIES)
        with Cento(program=at) as c:
            with self.assertRaises(Lost) as caught:
                c.tokens(texts=["Hi."])
            self.assertEqual(caught.exception.code, "client.process")
            self.assertIn("status 7: out of luck", str(caught.exception))
            with open(at + ".count") as f:
                self.assertEqual(f.read(), "xx")

    def test_a_transition_is_not_asked_again(self):
        at = program(DIES)
        with Cento(program=at) as c:
            with self.assertRaises(Lost):
                c.call("session", {"op": "turn", "id": "s"})
            with open(at + ".count") as f:
                self.assertEqual(f.read(), "x")

    def test_many_threads(self):
        with Cento(project=SHOP) as c:
            out = [None] * 64

            def ask(i):
                out[i] = c.reduce(fragments=[{"id": f"f{i}", "body": f"Text {i}."}]).system

            threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(out))]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(out, [f"Text {i}." for i in range(len(out))])

    def test_any_text(self):
        text = "".join(chr(c) for c in [*range(0x20, 0x7F), 0xE9, 0x4E2D, 0x1F600, 0x10FFFF]) + "\n\u2028\u2029 end"
        with Cento() as c:
            answer = c.render(files={"$workspace/a": "{{ vars.text }}"}, root="$workspace/a", vars={"text": text})
            self.assertEqual(answer.text, text)
            large = "A line of text.\n" * 700_000
            self.assertEqual(c.reduce(fragments=[{"id": "a", "body": large}], tokens=False).system, large.strip())

    def test_what_is_no_json(self):
        with Cento() as c:
            for bad in ["\ud800", float("nan"), object()]:
                with self.assertRaises(cento.Error) as caught:
                    c.tokens(texts=[bad])
                self.assertEqual(caught.exception.code, "client.request")

    def test_a_line_that_cannot_be_read_fails_alone(self):
        async def ask():
            async with AsyncCento(jobs=3) as c:
                deep = "x"
                for _ in range(900):
                    deep = [deep]
                asked = [c.tokens(texts=["Hi."]) for _ in range(10)]
                asked.insert(5, c.call("reduce", {"fragments": deep}))
                return await asyncio.gather(*asked, return_exceptions=True)

        got = asyncio.run(ask())
        self.assertIsInstance(got.pop(5), Refused)
        self.assertEqual([x.counts for x in got], [[2]] * 10)

    def test_an_unknown_key(self):
        with Cento(project=SHOP) as c:
            with self.assertRaises(Refused) as caught:
                c.call("assemble", {"without_tool": ["a"]})
            e = caught.exception
            self.assertEqual((e.code, e.position.file, e.position.line), ("key.unknown", "<request>.json", 1))
            self.assertIn("without_tools", e.hint)
            self.assertIn("hint: ", str(e))

    def test_no_answer_in_time(self):
        with Cento(program=program(WAITS), timeout=0.05) as c:
            with self.assertRaises(Lost) as caught:
                c.tokens(texts=["Hi."])
            self.assertEqual(caught.exception.code, "client.timeout")

    def test_no_answer_in_time_to_await(self):
        async def ask():
            async with AsyncCento(program=program(WAITS), timeout=0.05) as c:
                await c.tokens(texts=["Hi."])

        with self.assertRaises(Lost) as caught:
            asyncio.run(ask())
        self.assertEqual(caught.exception.code, "client.timeout")

    def test_a_program_that_is_not_there(self):
        with Cento(program="no-such-program") as c:
            with self.assertRaises(Lost) as caught:
                c.tokens(texts=[])
            self.assertEqual(caught.exception.code, "client.program")

    def test_a_program_that_is_another(self):
        with Cento(program=program("for line in sys.stdin: print(line, flush=True)")) as c:
            with self.assertRaises(Lost) as caught:
                c.tokens(texts=[])
            self.assertIn("answered what cento call --stream doesn't", str(caught.exception))

    def test_closed(self):
        c = Cento()
        c.close()
        c.close()
        with self.assertRaises(Lost):
            c.tokens(texts=[])

    def test_sessions_are_those_of_a_service(self):
        with Cento(project=SHOP) as c, self.assertRaises(cento.Error) as caught:
            c.sessions.start(id="a")
        self.assertEqual(caught.exception.code, "client.service")

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_a_fork_has_a_process_of_its_own(self):
        with Cento() as c:
            c.tokens(texts=[])
            pid = os.fork()
            if pid == 0:
                os._exit(0 if c.tokens(texts=["Hi."]).counts == [2] else 1)
            self.assertEqual(os.waitpid(pid, 0)[1], 0)


class Broken:
    """Stands before the service and loses the first answer of a path."""

    def __init__(self, path):
        self.path, self.lost = path, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        host, port = URL.split("//")[1].split(":")
        with client, socket.create_connection((host, int(port))) as service:
            request = b""
            while b"\r\n\r\n" not in request:
                request += client.recv(65536)
            head, body = request.split(b"\r\n\r\n", 1)
            lines = head.split(b"\r\n")
            length = next((int(x.split(b":")[1]) for x in lines if x.lower().startswith(b"content-length:")), 0)
            while len(body) < length:
                body += client.recv(65536)
            lines = [b"Host: %s:%s" % (host.encode(), port.encode()) if x.lower().startswith(b"host:") else x for x in lines]
            service.sendall(b"\r\n".join(lines) + b"\r\nConnection: close\r\n\r\n" + body)
            answer = b""
            while True:
                part = service.recv(65536)
                if not part:
                    break
                answer += part
            if self.path in lines[0] and not self.lost:
                self.lost += 1
                return
            client.sendall(answer)


class ServiceTest(unittest.TestCase):
    def client(self, **options):
        return Cento(**{"project": "shop", "url": URL, "token": TOKEN, **options})

    def test_sessions(self):
        with self.client() as c:
            s = c.sessions.start(id="python")
            self.assertEqual(s.session, "shop:python")
            with self.assertRaises(Refused) as caught:
                c.sessions.turn(s.session, expect=s.version + 5)
            self.assertEqual((caught.exception.code, caught.exception.status), ("store.conflict", 409))
            turn = c.sessions.turn(s.session, expect=s.version)
            self.assertEqual(turn.system, c.sessions.prompt(s.session))
            self.assertEqual(turn.system, c.assemble().system)
            c.sessions.turn_end(s.session)
            c.sessions.remind(s.session, reminder={"body": "Tests are red."})
            turn = c.sessions.turn(s.session)
            self.assertEqual(len(turn.reminders), 1)
            self.assertEqual(c.sessions.show(s.session).version, turn.version)
            self.assertEqual(c.sessions.timeline(s.session).session, c.sessions.show(s.session))
            self.assertEqual([x.name for x in c.sessions.cache(s.session, model="claude-opus-5").steps], ["turn 0", "turn 1"])
            self.assertEqual(c.sessions.fork(s.session, child="python2").parent, s.session)

    def test_every_session_method(self):
        with self.client() as c:
            s = c.sessions.start(id="every").session
            self.assertIn(s, [x.id for x in c.sessions.list(project="shop").sessions])
            turn = c.sessions.turn(s)
            c.sessions.usage(s, turn=turn.turn, usage={"prompt_tokens": 10, "completion_tokens": 2})
            c.sessions.turn_end(s)
            c.sessions.touch(s, files=["x.md"])
            c.sessions.remind(s, reminder={"body": "Tests are red.", "tags": ["t"]})
            c.sessions.clear(s, tag="t")
            c.sessions.compact(s)
            c.sessions.rematerialise(s)
            self.assertIsNotNone(c.sessions.drift(s))
            c.sessions.delete(s)
            with self.assertRaises(Refused):
                c.sessions.show(s)

    def test_every_operation(self):
        with self.client() as c:
            c.ablate(), c.assemble(), c.budget(budget=100_000), c.cache(to={"tools": []}, model="claude-sonnet-4-5"), c.check(), c.diff(to={"tools": []})
            c.explain(), c.instructions(), c.why(text="x"), c.wire(model="claude-sonnet-4-5")
            self.assertTrue(c.models(query="claude").models)
            c.reduce(fragments=[]), c.tokens(texts=["a"])

    def test_projects_records_and_standing(self):
        with self.client() as c:
            self.assertEqual([p.name for p in c.projects.list().projects], ["shop"])
            self.assertEqual(c.projects.show().name, "shop")
            self.assertEqual(c.projects.test(project="shop").results, [])
            s = c.sessions.start(id="recorded").session
            turn = c.sessions.turn(s)
            first, *_ = c.records.list(session=s, limit=10).records
            self.assertEqual(c.records.show(first.hash).session, s)
            self.assertTrue(c.records.replay(f"{s}@{turn.record}").same)
            self.assertEqual(c.records.diff(a=first.hash, b=first.hash).added, [])
            self.assertIn("recorded", c.records.export(session=s))
            self.assertTrue(c.standing.alive().ok and c.standing.ready().ok)
            self.assertIn("cento_requests_total", c.standing.metrics())
            self.assertIn("/v1/records", c.standing.document()["paths"])
        with Cento(url=URL, token=TOKEN) as c, self.assertRaises(ValueError):
            c.projects.show()

    def test_events(self):
        with self.client() as c:
            s = c.sessions.start(id="heard").session
            with c.events(session=s) as events:
                version = c.sessions.turn(s).version
                one = next(events)
                self.assertEqual((one.kind, one.data["version"]), ("session.transition", version))
            version = c.sessions.turn_end(s).version
            with c.events(session=s, last=one.id) as events:
                self.assertEqual(next(events).data["version"], version)
                waits = threading.Thread(target=lambda: list(events))
                waits.start()
                events.hang_up()
                waits.join(30)
                self.assertFalse(waits.is_alive())
            with self.assertRaises(Refused):
                c.events(project="nothing")
        with Cento(project=SHOP) as c, self.assertRaises(cento.Error):
            c.events()

    def test_events_to_await(self):
        async def both():
            async with AsyncCento(project="shop", url=URL, token=TOKEN) as c:
                s = (await c.sessions.start(id="heard-both")).session
                events = c.events(session=s)
                coming = asyncio.ensure_future(events.__anext__())
                version = 0
                while not coming.done():
                    version = (await c.sessions.remind(s, reminder={"body": "Again."})).version
                event = await coming
                await events.aclose()
                return event, version

        event, version = asyncio.run(both())
        self.assertEqual(event.kind, "session.transition")
        self.assertLessEqual(event.data["version"], version)

    def test_a_lost_answer_is_asked_again_and_done_once(self):
        with self.client() as c:
            s = c.sessions.start(id="lost")
        broken = Broken(b"/turn ")
        with self.client(url=broken.url) as c:
            turn = c.sessions.turn(s.session)
            self.assertEqual(broken.lost, 1)
            self.assertTrue(turn.replayed)
            self.assertEqual(c.sessions.show(s.session).version, turn.version)
        broken.listener.close()

    def test_a_wrong_token(self):
        for token in ["cento_wrong", None]:
            with self.client(token=token) as c, self.assertRaises(Refused) as caught:
                c.assemble()
            self.assertEqual((caught.exception.code, caught.exception.status), ("token.unknown", 401))
        for token in ["a\nb", "é", "a b"]:
            with self.assertRaises(ValueError):
                self.client(token=token)

    def test_an_unknown_key(self):
        with self.client() as c, self.assertRaises(Refused) as caught:
            c.call("assemble", {"without_tool": ["a"]})
        e = caught.exception
        self.assertEqual((e.code, e.status, e.position.file), ("key.unknown", 400, "<request>.json"))
        self.assertTrue(e.request)

    def test_too_large(self):
        with self.client() as c:
            for _ in range(3):
                with self.assertRaises(Refused) as caught:
                    c.tokens(texts=["x" * 20_000_000])
                self.assertEqual((caught.exception.code, caught.exception.status), ("request.too_large", 413))
            self.assertEqual(len(c.tokens(texts=["A line of text.\n" * 650_000]).counts), 1)

    def test_what_is_no_service(self):
        with socket.create_server(("127.0.0.1", 0)) as gone:
            url = "http://127.0.0.1:%d" % gone.getsockname()[1]
        with self.client(url=url) as c, self.assertRaises(Lost) as caught:
            c.assemble()
        self.assertEqual(caught.exception.code, "client.connection")
        with self.client(url=URL + "/elsewhere") as c, self.assertRaises(Refused) as caught:
            c.assemble()
        self.assertEqual(caught.exception.status, 404)
        for url in ["127.0.0.1:7420", "ftp://a", "http://user:secret@a", "http://a?token=b"]:
            with self.assertRaises(ValueError):
                self.client(url=url)

    def test_many_threads(self):
        with self.client() as c:
            out = []

            def ask(i):
                out.append(c.reduce(fragments=[{"id": f"f{i}", "body": f"Text {i}."}]).system)

            for round in range(4):
                threads = [threading.Thread(target=ask, args=(round * 8 + i,)) for i in range(8)]
                for t in threads:
                    t.start()
                for t in threads:
                    t.join()
            self.assertEqual(sorted(out), sorted(f"Text {i}." for i in range(32)))

    def test_to_await(self):
        async def ask():
            async with AsyncCento(project="shop", url=URL, token=TOKEN) as c:
                await c.sessions.start(id="await")
                turn, prompt = await asyncio.gather(c.sessions.turn("shop:await"), c.assemble())
                return turn.system, prompt.system

        a, b = asyncio.run(ask())
        self.assertEqual(a, b)

    def test_no_secret_is_shown(self):
        with self.client() as c:
            self.assertNotIn(TOKEN, repr(c) + repr(c.sessions) + str(vars(c).keys()))


if __name__ == "__main__":
    unittest.main()
