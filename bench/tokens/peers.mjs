// Times the token counters of npm on the texts of the benchmarks.
//
//   node peers.mjs DIR
//
// Each line is: library, encoding, text, nanoseconds to count it, tokens; as
// peers.go prints it.

import { readFileSync } from "node:fs";
import { getEncoding } from "js-tiktoken";
import { get_encoding } from "tiktoken";

function report(library, encoding, name, count) {
  const start = performance.now();
  const tokens = count();
  const times = [];
  while (times.length < 5 && (times.length === 0 || performance.now() - start < 2000)) {
    const begin = performance.now();
    count();
    times.push((performance.now() - begin) * 1e6);
  }
  times.sort((a, b) => a - b);
  console.log([library, encoding, name, times[times.length >> 1].toFixed(0), tokens].join("\t"));
}

for (const encoding of ["o200k_base", "cl100k_base"]) {
  const wasm = get_encoding(encoding);
  const js = getEncoding(encoding);
  for (const name of ["prose", "code", "runs", "blanks"]) {
    const text = readFileSync(`${process.argv[2]}/${name}.txt`, "utf8");
    report("tiktoken 1.0.22 (npm)", encoding, name, () => wasm.encode_ordinary(text).length);
    // A run of 20,000 takes it half a minute.
    if (name !== "runs") report("js-tiktoken 1.0.21 (npm)", encoding, name, () => js.encode(text, [], []).length);
  }
}
