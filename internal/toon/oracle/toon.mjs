// Encodes and decodes as the reference implementation of TOON does.
//
//   node toon.mjs < requests > answers
//
// Input: a request a line, in JSON: {"json": TEXT, "delimiter": ","} to encode,
// {"toon": TEXT} to decode. Output: for each a line, in JSON: {"text": …} with
// the document or the JSON of the value, in the order of its keys, or
// {"error": …}.

import { createInterface } from "node:readline";
import { decodeStreamSync, encode } from "@toon-format/toon";

// written is the JSON of a value that comes as events: an object of JavaScript
// would put keys such as "42" first.
function written(events) {
  let out = "";
  let separator = "";
  for (const e of events) {
    switch (e.type) {
      case "startObject":
        out += separator + "{";
        separator = "";
        break;
      case "startArray":
        out += separator + "[";
        separator = "";
        break;
      case "endObject":
        out += "}";
        separator = ",";
        break;
      case "endArray":
        out += "]";
        separator = ",";
        break;
      case "key":
        out += separator + JSON.stringify(e.key) + ":";
        separator = "";
        break;
      case "primitive":
        out += separator + JSON.stringify(e.value);
        separator = ",";
    }
  }
  return out;
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  let answer;
  try {
    if (request.json === undefined) {
      answer = { text: written(decodeStreamSync(request.toon.split("\n"))) };
    } else {
      answer = { text: encode(JSON.parse(request.json), { delimiter: request.delimiter }) };
    }
  } catch (e) {
    answer = { error: e.message };
  }
  if (!process.stdout.write(JSON.stringify(answer) + "\n")) {
    await new Promise((resume) => process.stdout.once("drain", resume));
  }
}
