// Gives the tokens of texts as tiktoken has them.
//
//   node tokens.mjs ENCODING < texts > tokens
//
// Input: texts, each the length of its UTF-8 in 4 bytes and then the UTF-8.
// Output: for each text the number of its tokens and the tokens, 4 bytes each.
// All numbers are little-endian. Special tokens are text.

import { get_encoding } from "tiktoken";

const encoding = get_encoding(process.argv[2]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

let pending = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
  const out = [];
  let at = 0;
  while (pending.length - at >= 4) {
    const length = pending.readUInt32LE(at);
    if (pending.length - at - 4 < length) break;
    const text = decoder.decode(pending.subarray(at + 4, at + 4 + length));
    const tokens = encoding.encode_ordinary(text);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(tokens.length);
    out.push(head, Buffer.from(tokens.buffer, tokens.byteOffset, tokens.byteLength));
    at += 4 + length;
  }
  pending = pending.subarray(at);
  if (out.length && !process.stdout.write(Buffer.concat(out))) {
    await new Promise((resume) => process.stdout.once("drain", resume));
  }
}
if (pending.length) {
  console.error("input ends inside a text");
  process.exitCode = 1;
}
