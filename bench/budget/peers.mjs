// Keeps the most important of N texts within half of their tokens, with prompt-tsx:
// node peers.mjs N. Prints N, the median milliseconds, the runs, and how many texts were
// kept that the plain way doesn't keep, or the other way round.
import { createRequire } from "node:module";
import * as module_ from "@vscode/prompt-tsx";
const T = module_.default ?? module_;
const tk = createRequire(import.meta.url)("@anysphere/tiktoken-node");
const tokenizer = tk.getTokenizer();
const tokens = text => tokenizer.exactNumTokensNoSpecialTokens(text, tk.SupportedEncoding.O200k);

const N = Number(process.argv[2]);
const words = "the agent must read every file before it edits and keep changes small run tests explain results in plain words never guess a path".split(" ");
let seed = 1;
const random = n => (seed = (seed * 48271) % 2147483647) % n;
const chunks = Array.from({ length: N }, (_, i) => ({ text: `[${i}] ${Array.from({ length: 12 }, () => words[random(words.length)]).join(" ")}.\n`, priority: i + 1 }));
for (let i = N - 1; i > 0; i--) {
  const j = random(i + 1);
  [chunks[i].priority, chunks[j].priority] = [chunks[j].priority, chunks[i].priority];
}
let total = 0;
for (const c of chunks) total += c.tokens = await tokens(c.text);
const budget = Math.floor(total / 2);

const want = new Set();
let left = budget;
for (const c of [...chunks].sort((a, b) => b.priority - a.priority)) {
  if (c.tokens > left) break;
  left -= c.tokens;
  want.add(c.text.match(/\d+/)[0]);
}

const size = p => (p.type === T.Raw.ChatCompletionContentPartKind.Text ? tokens(p.text) : 0);
const counts = {
  mode: T.OutputMode.Raw, tokenLength: size,
  countMessageTokens: async m => { let n = 0; for (const p of m.content) n += await size(p); return n; }, // nothing for a message
};
class Root extends T.PromptElement {
  render() { return vscpp(T.UserMessage, { priority: N + 1 }, ...chunks.map(c => vscpp(T.TextChunk, { priority: c.priority }, c.text))); }
}
const times = [];
let text = "";
const end = performance.now() + 2000;
do { // once at least, 15 times or two seconds at most
  const t = performance.now();
  const out = await new T.PromptRenderer({ modelMaxPromptTokens: budget }, Root, {}, counts).render();
  times.push(performance.now() - t);
  text = out.messages.map(m => m.content.map(p => p.text ?? "").join("")).join("");
} while (times.length < 15 && performance.now() < end);
const got = new Set(Array.from(text.matchAll(/\[(\d+)\]/g), m => m[1]));
const unlike = [...got].filter(i => !want.has(i)).length + [...want].filter(i => !got.has(i)).length;
console.log([N, times.sort((a, b) => a - b)[times.length >> 1].toFixed(3), times.length, unlike].join("\t"));
