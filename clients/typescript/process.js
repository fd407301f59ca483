// Answers of a process: `cento call --stream`.

import { spawn } from "node:child_process";
import { CentoError, Lost, encoded, refused } from "./errors.js";

/** How much of what a process says on stderr an error tells. */
const tail = 2000;

/**
 * @typedef {{
 *   line: string, left: number, resolve: (answer: any) => void, reject: (error: CentoError) => void,
 *   timer: NodeJS.Timeout | undefined, done: boolean,
 * }} Asked
 */

/**
 * One process that answers many requests. One that dies is started again, and what it
 * left unanswered is asked once more; a request that a second process doesn't answer
 * either fails.
 */
export class Process {
  #command;
  #arguments;
  #folder;
  #timeout;
  #closed = false;
  #last = 0;
  /** @type {import("node:child_process").ChildProcessWithoutNullStreams | undefined} */
  #child;
  /** @type {Map<number, Asked>} */
  #asked = new Map();
  /**
   * Errors about lines that the process couldn't read, with the requests that they may
   * be about.
   * @type {{error: any, of: Set<number>}[]}
   */
  #unread = [];
  /** @type {(() => void)[]} */
  #ends = [];

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {string | undefined} folder
   * @param {number | undefined} timeout in milliseconds
   */
  constructor(command, args, folder, timeout) {
    this.#command = command;
    this.#arguments = args;
    this.#folder = folder;
    this.#timeout = timeout;
  }

  /** The id of the process; undefined for none. */
  get pid() {
    return this.#child?.pid;
  }

  /**
   * Asks an operation.
   *
   * @param {string} op
   * @param {Record<string, unknown>} request
   * @returns {Promise<any>}
   */
  async ask(op, request) {
    const body = encoded(request);
    if (this.#closed) throw new Lost("client.closed", "the client is closed");
    const id = ++this.#last;
    return await new Promise((resolve, reject) => {
      /** @type {Asked} */
      const asked = {
        line: `{"id":${id},"op":${JSON.stringify(op)},"request":${body}}\n`,
        // A transition of a session that was perhaps done isn't done again.
        left: op !== "session" || "key" in request ? 2 : 1,
        resolve,
        reject,
        timer: undefined,
        done: false,
      };
      if (this.#timeout !== undefined) {
        asked.timer = setTimeout(() => {
          this.#settle(asked, undefined, new Lost("client.timeout", `there is no answer within ${this.#timeout} ms`));
        }, this.#timeout);
      }
      this.#asked.set(id, asked);
      this.#hand([id]);
    });
  }

  /**
   * Hands requests to the process, which is started if there is none.
   *
   * @param {number[]} ids
   */
  #hand(ids) {
    this.#child ??= this.#start();
    this.#hold(true);
    for (const id of ids) {
      const asked = /** @type {Asked} */ (this.#asked.get(id));
      asked.left--;
      this.#child.stdin.write(asked.line);
    }
  }

  #start() {
    const child = spawn(this.#command, this.#arguments, { cwd: this.#folder, stdio: "pipe" });
    let said = "";
    /** @type {Buffer[]} */
    let parts = [];
    let strange = false;
    /** @type {NodeJS.ErrnoException | undefined} */
    let failed;
    child.stdin.on("error", () => {}); // it has ended, which is told by its close
    child.on("error", (e) => (failed = e));
    child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-tail)));
    child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
      for (let end; (end = chunk.indexOf(10)) >= 0; chunk = chunk.subarray(end + 1)) {
        const line = Buffer.concat([...parts, chunk.subarray(0, end)]).toString("utf8");
        parts = [];
        if (!strange && !this.#answered(line)) {
          strange = true;
          child.kill("SIGKILL");
        }
      }
      if (chunk.length) parts.push(chunk);
    });
    child.on("close", (status, signal) => {
      if (this.#child === child) this.#child = undefined;
      let lost = new Lost("client.program", `${this.#command} can't be started: ${failed?.message}`, {
        hint: failed?.code === "ENOENT" ? "install Cento, or say where it is with program" : "",
      });
      if (!failed) {
        let how = signal ? `was killed by ${signal}` : `ended with status ${status}`;
        if (strange) how = "answered what cento call --stream doesn't";
        if (said.trim()) how += `: ${said.trim()}`;
        lost = new Lost("client.process", `${this.#command} ${how}`, { hint: "ask again: another process is started" });
      }
      this.#ended(lost, failed !== undefined);
    });
    return child;
  }

  /**
   * Asks what is left once more, or gives it up.
   *
   * @param {Lost} lost
   * @param {boolean} never the process was never there
   */
  #ended(lost, never) {
    this.#unread = [];
    const again = [];
    for (const [id, asked] of this.#asked) {
      if (asked.left > 0 && !asked.done && !this.#closed && !never) {
        again.push(id);
      } else {
        this.#asked.delete(id);
        this.#settle(asked, undefined, lost);
      }
    }
    if (again.length) this.#hand(again);
    for (const end of this.#ends.splice(0)) end();
  }

  /**
   * Takes a line; gives whether it is an answer.
   *
   * @param {string} line
   */
  #answered(line) {
    let reply;
    try {
      reply = JSON.parse(line);
    } catch {
      return false;
    }
    if (typeof reply !== "object" || reply === null || !("id" in reply) || "result" in reply === "error" in reply) return false;
    if (reply.id === null) {
      this.#unread.push({ error: reply.error, of: new Set(this.#asked.keys()) });
    } else {
      this.#take(reply.id, reply);
    }
    // An error without an id is about a request of that time that gets no other answer.
    for (const x of [...this.#unread]) {
      for (const id of x.of) if (!this.#asked.has(id)) x.of.delete(id);
      if (x.of.size <= this.#unread.length) {
        this.#unread.splice(this.#unread.indexOf(x), 1);
        for (const id of x.of) {
          this.#take(id, x);
          break;
        }
      }
    }
    return true;
  }

  /**
   * @param {number} id
   * @param {{result?: any, error?: any}} reply
   */
  #take(id, reply) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    this.#settle(asked, reply.result, reply.error === undefined ? undefined : refused(reply.error));
  }

  /**
   * @param {Asked} asked
   * @param {any} result
   * @param {CentoError} [error]
   */
  #settle(asked, result, error) {
    if (asked.done) return;
    asked.done = true;
    clearTimeout(asked.timer);
    if (error) asked.reject(error);
    else asked.resolve(result);
    if ([...this.#asked.values()].every((x) => x.done)) this.#hold(false);
  }

  /**
   * A process that nobody waits for doesn't keep the program alive that started it.
   *
   * @param {boolean} held
   */
  #hold(held) {
    const child = this.#child;
    if (!child) return;
    for (const x of [child, child.stdin, child.stdout, child.stderr]) {
      /** @type {any} */ (x)[held ? "ref" : "unref"]?.();
    }
  }

  /** Ends the process when it has answered all that was asked. */
  async close() {
    this.#closed = true;
    const child = this.#child;
    if (!child) return;
    this.#hold(true);
    child.stdin.end();
    await new Promise((/** @type {(value?: unknown) => void} */ end) => this.#ends.push(end));
  }
}
