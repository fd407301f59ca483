// What the types say, held by the compiler: `npx tsc -p .`.

import { Cento, CentoError, Lost, Refused } from "../index.js";
import type { AssembleRequest, Assembled, SessionTurn, Trace } from "../index.js";

export async function typed(cento: Cento, lost: Lost): Promise<void> {
  const prompt: Assembled = await cento.assemble({ without_tools: ["shell"], budget: "20%" });
  const text: string | null = prompt.system;
  const reasons: string[] = (await cento.explain()).fragments.map((f: Trace) => f.reason);
  const place: number | undefined = (await cento.why({ text: "x" })).matches[0].origin?.line;
  const turn: SessionTurn = await cento.sessions.turn("s", { tokens_used: 5, window: 10 }, { expect: 3, key: "k" });
  await cento.sessions.start({ id: "s" });
  const prompted: string | null = await cento.sessions.prompt("s");
  const names: string[] = (await cento.projects.list()).projects.map((p) => p.name);
  const same: boolean = (await cento.records.replay("s@1")).same;
  for await (const event of cento.events({ session: "s" })) console.log(event.kind, names, same);
  const request: AssembleRequest = { vars: { team: "docs" }, files: { "AGENTS.md": "Be brief." } };
  const error: CentoError = lost;
  const code: string = error instanceof Refused ? error.code : error.hint;
  console.log(text, reasons, place, turn, prompted, request, code);

  // @ts-expect-error a key that there isn't
  await cento.assemble({ without_tool: ["shell"] });
  // @ts-expect-error a key that has to be there
  await cento.why({});
  // @ts-expect-error of another type
  await cento.tokens({ texts: "Hi." });
  // @ts-expect-error an option that there isn't
  new Cento({ projekt: "." });
}

export function made(): Cento {
  return new Cento({ url: "http://127.0.0.1:7420", token: "t", project: "shop", timeout: 1000 });
}
