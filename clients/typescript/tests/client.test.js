// What the client does when things go wrong, with the real program and service.
// CENTO_URL and CENTO_TOKEN name a service with a project shop; the program is in PATH.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { Cento, CentoError, Lost, Refused } from "cento";

const { CENTO_URL: url, CENTO_TOKEN: token, CENTO_SHOP: shop } = process.env;

/** A program of a few lines that stands in for cento. */
function program(text) {
  const at = join(mkdtempSync(join(tmpdir(), "cento-")), "program");
  writeFileSync(at, `#!/bin/sh\nhere=${at}\n${text}\n`);
  chmodSync(at, 0o700);
  return at;
}

const diesOnce = 'if [ ! -e $here.died ]; then read line; touch $here.died; exit 3; fi; exec cento "$@"';
const dies = "read line; printf x >> $here.count; echo out of luck >&2; exit 7";
const waits = "cat > /dev/null";

async function using(options, do_) {
  const cento = new Cento(options);
  try {
    return await do_(cento);
  } finally {
    await cento.close();
  }
}

const caught = async (promise) => await promise.then(() => assert.fail("it is answered"), (e) => e);

test("a killed process is started again", () => {
  const at = program('echo $$ > $here.pid; exec cento "$@"');
  return using({ program: at, project: shop }, async (c) => {
    const before = await c.assemble();
    for (let i = 0; i < 3; i++) {
      process.kill(Number(readFileSync(at + ".pid", "utf8")), "SIGKILL");
      assert.deepEqual(await c.assemble(), before);
    }
  });
});

test("a request that a process dies of is asked once more", () =>
  using({ program: program(diesOnce) }, async (c) => {
    assert.deepEqual((await c.tokens({ texts: ["Hi."] })).counts, [2]);
  }));

test("then it is lost", async () => {
  const at = program(dies);
  const e = await caught(using({ program: at }, (c) => c.tokens({ texts: ["Hi."] })));
  assert(e instanceof Lost);
  assert.equal(e.code, "client.process");
  assert.match(e.message, /status 7: out of luck/);
  assert.equal(readFileSync(at + ".count", "utf8"), "xx");
});

test("a transition is not asked again", async () => {
  const at = program(dies);
  const e = await caught(using({ program: at }, (c) => c.call("session", { op: "turn", id: "s" })));
  assert(e instanceof Lost);
  assert.equal(readFileSync(at + ".count", "utf8"), "x");
});

test("many at once", () =>
  using({}, async (c) => {
    const wanted = Array.from({ length: 64 }, (_, i) => `Text ${i}.`);
    const got = await Promise.all(wanted.map((body, i) => c.reduce({ fragments: [{ id: `f${i}`, body }] })));
    assert.deepEqual(got.map((x) => x.system), wanted);
  }));

test("any text", () =>
  using({}, async (c) => {
    const text = "é中😀\u{10FFFF}\u2028\u2029 \"\\\n\t end";
    const answer = await c.render({ files: { "$workspace/a": "{{ vars.text }}" }, root: "$workspace/a", vars: { text } });
    assert.equal(answer.text, text);
    const large = "A line of text.\n".repeat(700_000);
    assert.equal((await c.reduce({ fragments: [{ id: "a", body: large }], tokens: false })).system, large.trim());
  }));

test("what is no JSON", () =>
  using({}, async (c) => {
    for (const bad of ["\ud800", NaN, 1n, () => 1]) {
      const e = await caught(c.call("tokens", { texts: [bad] }));
      assert.equal(e.code, "client.request", inspect(bad));
    }
  }));

test("a line that cannot be read fails alone", () =>
  using({ jobs: 3 }, async (c) => {
    let deep = "x";
    for (let i = 0; i < 900; i++) deep = [deep];
    const asked = Array.from({ length: 10 }, () => c.tokens({ texts: ["Hi."] }));
    asked.splice(5, 0, c.call("reduce", { fragments: deep }));
    const got = await Promise.allSettled(asked);
    assert(got.splice(5, 1)[0].reason instanceof Refused);
    for (const x of got) assert.deepEqual(x.value?.counts, [2]);
  }));

test("an unknown key", () =>
  using({ project: shop }, async (c) => {
    const e = await caught(c.assemble({ without_tool: ["a"] }));
    assert(e instanceof Refused && e instanceof CentoError && e instanceof Error);
    assert.deepEqual([e.code, e.position?.file, e.position?.line], ["key.unknown", "<request>.json", 1]);
    assert.match(e.hint, /without_tools/);
    assert.match(String(e), /^key\.unknown: <request>\.json:1:\d+: unknown key "without_tool"\n  hint: /);
    assert.throws(() => new Cento({ projekt: "." }), TypeError);
  }));

test("no answer in time", async () => {
  const e = await caught(using({ program: program(waits), timeout: 50 }, (c) => c.tokens({ texts: [] })));
  assert.equal(e.code, "client.timeout");
});

test("a program that is not there, or another", async () => {
  let e = await caught(using({ program: "no-such-program" }, (c) => c.tokens({ texts: [] })));
  assert.equal(e.code, "client.program");
  e = await caught(using({ program: program("cat") }, (c) => c.tokens({ texts: [] })));
  assert.match(e.message, /answered what cento call --stream doesn't/);
});

test("closed", async () => {
  const c = new Cento();
  await c.close();
  await c.close();
  assert.equal((await caught(c.tokens({ texts: [] }))).code, "client.closed");
});

test("a client that nobody closes doesn't keep its program alive", () => {
  const script = 'import { Cento } from "cento"; const c = new Cento(); console.log((await c.tokens({ texts: ["Hi."] })).counts[0])';
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { timeout: 60_000, encoding: "utf8" });
  assert.deepEqual([run.status, run.stdout, run.stderr], [0, "2\n", ""]);
});

test("sessions are those of a service", () =>
  using({ project: shop }, async (c) => {
    assert.equal((await caught(c.sessions.start({ id: "a" }))).code, "client.service");
  }));

test("sessions", () =>
  using({ url, token, project: "shop" }, async (c) => {
    const s = await c.sessions.start({ id: "node" });
    assert.equal(s.session, "shop:node");
    const e = await caught(c.sessions.turn(s.session, {}, { expect: s.version + 5 }));
    assert.deepEqual([e.code, e.status], ["store.conflict", 409]);
    let turn = await c.sessions.turn(s.session, {}, { expect: s.version });
    assert.equal(turn.system, await c.sessions.prompt(s.session));
    assert.equal(turn.system, (await c.assemble()).system);
    await c.sessions.turnEnd(s.session);
    await c.sessions.remind(s.session, { reminder: { body: "Tests are red." } });
    turn = await c.sessions.turn(s.session);
    assert.equal(turn.reminders.length, 1);
    assert.equal((await c.sessions.show(s.session)).version, turn.version);
    assert.equal((await c.sessions.fork(s.session, { child: "node2" })).parent, s.session);
  }));

test("every method of sessions", () =>
  using({ url, token, project: "shop" }, async (c) => {
    const s = (await c.sessions.start({ id: "node-every" })).session;
    assert.ok((await c.sessions.list({ project: "shop" })).sessions.some((x) => x.id === s));
    const { turn } = await c.sessions.turn(s);
    await c.sessions.usage(s, { turn, usage: { prompt_tokens: 10, completion_tokens: 2 } });
    await c.sessions.turnEnd(s);
    await c.sessions.touch(s, { files: ["x.md"] });
    await c.sessions.remind(s, { reminder: { body: "Tests are red.", tags: ["t"] } });
    await c.sessions.clear(s, { tag: "t" });
    await c.sessions.compact(s);
    await c.sessions.rematerialise(s);
    assert.equal((await c.sessions.drift(s)).session, s);
    assert.equal((await c.sessions.timeline(s)).session.session, s);
    assert.equal((await c.sessions.turn(s)).turn, turn + 1);
    const { steps } = await c.sessions.cache(s, { model: "claude-opus-5" });
    assert.deepEqual(steps.map((x) => x.name), ["turn 0", "turn 1"]);
    await c.sessions.delete(s);
    assert.equal((await caught(c.sessions.show(s))).status, 404);
  }));

test("projects, records and how a service stands", () =>
  using({ url, token, project: "shop" }, async (c) => {
    assert.deepEqual((await c.projects.list()).projects.map((p) => p.name), ["shop"]);
    assert.equal((await c.projects.show()).name, "shop");
    assert.deepEqual((await c.projects.test({}, "shop")).results, []);
    assert.ok((await c.models({ query: "claude" })).models.length > 0);
    for (const op of ["ablate", "assemble", "budget", "check", "explain", "instructions"]) await c[op]();
    await c.diff({ to: { tools: [] } });
    await c.cache({ to: { tools: [] }, model: "claude-sonnet-4-5" });
    await c.wire({ model: "claude-sonnet-4-5" });
    await c.why({ text: "x" });
    const s = (await c.sessions.start({ id: "node-recorded" })).session;
    const { record } = await c.sessions.turn(s);
    const [first] = (await c.records.list({ session: s, limit: 10 })).records;
    assert.equal((await c.records.show(first.hash)).session, s);
    assert.equal((await c.records.replay(`${s}@${record}`)).same, true);
    assert.deepEqual((await c.records.diff({ a: first.hash, b: first.hash })).added, []);
    assert.match(await c.records.export({ session: s }), /node-recorded/);
    assert.ok((await c.standing.alive()).ok && (await c.standing.ready()).ok);
    assert.match(await c.standing.metrics(), /cento_requests_total/);
    assert.ok("/v1/records" in (await c.standing.document()).paths);
  }));

test("a project that nobody names", () =>
  using({ url, token }, async (c) => {
    await assert.rejects(c.projects.show(), TypeError);
  }));

test("events", () =>
  using({ url, token, project: "shop" }, async (c) => {
    const s = (await c.sessions.start({ id: "node-heard" })).session;
    const listening = c.events({ session: s });
    const coming = listening.next();
    let there = false;
    coming.finally(() => { there = true; });
    let version = 0;
    while (!there) version = (await c.sessions.remind(s, { reminder: { body: "Again." } })).version;
    const { value } = await coming;
    assert.equal(value.kind, "session.transition");
    assert.ok(value.data.version <= version);
    await listening.return();
    await c.sessions.turn(s); // there is one behind it
    for await (const next of c.events({ session: s, last: value.id })) {
      assert.equal(next.data.version, value.data.version + 1);
      break;
    }
    assert.equal((await caught(c.events({ project: "nothing" }).next())).status, 404);
  }));

test("a lost answer is asked again and done once", async () => {
  const s = await using({ url, token, project: "shop" }, (c) => c.sessions.start({ id: "node-lost" }));
  let lost = 0;
  const { hostname, port } = new URL(url);
  const broken = net.createServer((client) => {
    let asked = Buffer.alloc(0);
    const service = net.connect(Number(port), hostname);
    client.on("error", () => {}).on("close", () => service.destroy());
    client.on("data", (part) => {
      asked = Buffer.concat([asked, part]);
      service.write(part.toString("latin1").replace(/^Host: .*$/m, `Host: ${hostname}:${port}`), "latin1");
    });
    service.on("error", () => {}).on("data", (answer) => {
      if (asked.includes("/turn ") && !lost) {
        lost++;
        client.destroy();
      } else {
        client.write(answer);
      }
    });
  });
  await new Promise((done) => broken.listen(0, "127.0.0.1", done));
  try {
    await using({ url: `http://127.0.0.1:${broken.address().port}`, token, project: "shop" }, async (c) => {
      const turn = await c.sessions.turn(s.session);
      assert.equal(lost, 1);
      assert.equal(turn.replayed, true);
      assert.equal((await c.sessions.show(s.session)).version, turn.version);
    });
  } finally {
    broken.close();
  }
});

test("a wrong token", async () => {
  for (const wrong of ["cento_wrong", undefined]) {
    const e = await caught(using({ url, token: wrong, project: "shop" }, (c) => c.assemble()));
    assert.deepEqual([e.code, e.status], ["token.unknown", 401]);
  }
  for (const wrong of ["a\nb", "é", "a b"]) assert.throws(() => new Cento({ url, token: wrong }), TypeError);
});

test("too large", () =>
  using({ url, token }, async (c) => {
    for (let i = 0; i < 3; i++) {
      const e = await caught(c.tokens({ texts: ["x".repeat(20_000_000)] }));
      assert.deepEqual([e.code, e.status], ["request.too_large", 413]);
    }
    assert.equal((await c.tokens({ texts: ["A line of text.\n".repeat(650_000)] })).counts.length, 1);
  }));

test("what is no service", async () => {
  const gone = net.createServer();
  await new Promise((done) => gone.listen(0, "127.0.0.1", done));
  const at = `http://127.0.0.1:${gone.address().port}`;
  await new Promise((done) => gone.close(done));
  assert.equal((await caught(using({ url: at, token }, (c) => c.assemble()))).code, "client.connection");
  assert.equal((await caught(using({ url: url + "/elsewhere", token, project: "shop" }, (c) => c.assemble()))).status, 404);
  for (const bad of ["127.0.0.1:7420", "ftp://a", "http://user:secret@a", "http://a?token=b"]) {
    assert.throws(() => new Cento({ url: bad }), TypeError, bad);
  }
});

test("no secret is shown", () =>
  using({ url, token }, async (c) => {
    assert(!inspect(c, { depth: 9, showHidden: true }).includes(token));
  }));
