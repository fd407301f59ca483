// Times nunjucks on the workloads of the template engines; arguments and output as
// in peers.go. Parsing is compiling to JavaScript.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import nunjucks from "nunjucks";

function median(f) {
  const warm = performance.now();
  while (performance.now() - warm < 300) f(); // until the compiler has settled
  const times = [];
  for (let i = 0; i < 9; i++) {
    const start = performance.now();
    let rounds = 0;
    do { f(); rounds++; } while (performance.now() - start < 60);
    times.push(((performance.now() - start) * 1e6) / rounds);
  }
  return Math.round(times.sort((a, b) => a - b)[4]);
}

const [dir, t3] = process.argv.slice(2);
for (const name of ["T1", "T2", "T3"]) {
  const files = {};
  for (const f of fs.readdirSync(dir).sort()) {
    if (f.startsWith(name) && f.endsWith(".txt")) files[f] = fs.readFileSync(path.join(dir, f), "utf8").replace(/\n$/, "");
  }
  const ctx = JSON.parse(fs.readFileSync(name === "T3" ? t3 : path.join(dir, `${name}.json`), "utf8"));
  const env = new nunjucks.Environment({ getSource: (f) => ({ src: files[f], path: f, noCache: false }) }, { autoescape: false });
  const t = env.getTemplate(`${name}.txt`, true);
  const parse = median(() => { for (const f in files) new nunjucks.Template(files[f], env, f, true); });
  const sum = createHash("sha256").update(t.render(ctx)).digest("hex").slice(0, 16);
  console.log(["nunjucks 3.2.4", name, parse, median(() => t.render(ctx)), sum].join("\t"));
}
