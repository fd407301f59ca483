// Asks what stands on stdin, an object a line, through a client, and prints what it
// gives. The arguments are those of the client, as JSON. Each line is {"op", "request"}.

import { readFileSync } from "node:fs";
import { Cento, Refused } from "cento";

const asked = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const { await: together, ...options } = JSON.parse(process.argv[2]);
const cento = new Cento(options);

async function said({ op, request }) {
  try {
    return { answer: await cento[op](request) };
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    return { error: { code: e.code, message: e.message, hint: e.hint, count: e.errors.length } };
  }
}

let out = [];
if (together) out = await Promise.all(asked.map(said));
else for (const x of asked) out.push(await said(x));
await cento.close();
process.stdout.write(out.map((x) => JSON.stringify(x) + "\n").join(""));
