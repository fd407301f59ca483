// Answers of a service: `cento serve`.

import http from "node:http";
import https from "node:https";
import { CentoError, Lost, Refused, encoded, refused } from "./errors.js";

/** Milliseconds within which a service that has nothing to tell says at least that it is there. */
const heartbeats = 45_000;

/** A service, asked over connections that are kept. */
export class Service {
  #at;
  #module;
  #agent;
  #headers;
  #timeout;
  #closed = false;

  /**
   * @param {string} url
   * @param {string | undefined} token
   * @param {number | undefined} timeout in milliseconds
   */
  constructor(url, token, timeout) {
    let at;
    try {
      at = new URL(url);
    } catch {
      at = undefined;
    }
    if (!at || !/^https?:$/.test(at.protocol) || at.username || at.password || at.search || at.hash) {
      throw new TypeError("url is no address of a service, such as http://127.0.0.1:7420");
    }
    if (token !== undefined && !/^[!-~]+$/.test(token)) throw new TypeError("the token has characters that no token has");
    this.#at = at;
    this.#module = at.protocol === "https:" ? https : http;
    this.#agent = new this.#module.Agent({ keepAlive: true });
    this.#headers = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
    this.#timeout = timeout;
  }

  /**
   * Sends a request and gives the answer: JSON, or a text; null for none. One whose
   * connection turns out to be closed is sent once more, if it may be.
   *
   * @param {string} method
   * @param {string} path
   * @param {object | undefined} body
   * @param {Record<string, string>} headers
   * @param {boolean} again
   * @returns {Promise<any>}
   */
  async send(method, path, body, headers, again) {
    if (this.#closed) throw new Lost("client.closed", "the client is closed");
    const data = body === undefined ? undefined : Buffer.from(encoded(body));
    for (let tries = again ? 2 : 1; ; ) {
      tries--;
      try {
        return read(await this.#exchange(method, path, data, headers));
      } catch (e) {
        const code = /** @type {any} */ (e).code;
        if (e instanceof CentoError) throw e;
        if (tries > 0 && ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(code)) continue;
        throw new Lost("client.connection", `${this.#at.origin} can't be asked: ${/** @type {Error} */ (e).message || code}`, {
          hint: code === "ECONNREFUSED" ? "is the service running?" : "",
          cause: e,
        });
      }
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Buffer | undefined} data
   * @param {Record<string, string>} headers
   * @returns {Promise<{response: http.IncomingMessage, text: string}>}
   */
  #exchange(method, path, data, headers) {
    return new Promise((resolve, reject) => {
      const at = this.#at;
      const body = data ? { "Content-Type": "application/json", "Content-Length": data.length } : {};
      const sent = { ...this.#headers, ...headers, ...body };
      const request = this.#module.request({
        agent: this.#agent, method, headers: sent,
        protocol: at.protocol, hostname: at.hostname.replace(/^\[|\]$/g, ""), port: at.port, path: at.pathname.replace(/\/$/, "") + path,
      });
      let answering = false;
      const timer = this.#timeout === undefined ? undefined : setTimeout(() => {
        reject(new Lost("client.timeout", `${at.origin} didn't answer within ${this.#timeout} ms`));
        request.destroy();
      }, this.#timeout);
      request.on("close", () => clearTimeout(timer));
      request.on("response", (response) => {
        answering = true; // a service that takes no more of a body answers before it hangs up
        /** @type {Buffer[]} */
        const parts = [];
        response.on("data", (part) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => resolve({ response, text: Buffer.concat(parts).toString("utf8") }));
      });
      request.on("error", (e) => {
        if (!answering) reject(e);
      });
      request.end(data);
    });
  }

  /**
   * Listens to what happens, over a connection of its own.
   *
   * @param {Record<string, string>} query
   * @param {string | undefined} last
   * @returns {AsyncGenerator<import("./index.js").Happening>}
   */
  async *events(query, last) {
    if (this.#closed) throw new Lost("client.closed", "the client is closed");
    const at = this.#at;
    const asked = new URLSearchParams(query).toString();
    /** @type {http.ClientRequest} */
    let request;
    /** @type {http.IncomingMessage} */
    const response = await new Promise((resolve, reject) => {
      request = this.#module.request({
        agent: false, method: "GET", headers: { ...this.#headers, ...(last === undefined ? {} : { "Last-Event-ID": last }) }, timeout: heartbeats,
        protocol: at.protocol, hostname: at.hostname.replace(/^\[|\]$/g, ""), port: at.port,
        path: at.pathname.replace(/\/$/, "") + "/v1/events" + (asked && `?${asked}`),
      });
      request.on("response", resolve);
      request.on("timeout", () => request.destroy(new Error("nothing came, not even that it is there")));
      request.on("error", (e) => reject(new Lost("client.connection", `${at.origin} can't be asked: ${e.message}`, { cause: e })));
      request.end();
    });
    try {
      let text = "";
      response.setEncoding("utf8");
      if (response.statusCode !== 200) {
        for await (const part of response) text += part;
        read({ response, text });
        return;
      }
      /** @type {Record<string, string>} */
      let fields = {};
      for await (const part of response) {
        const lines = (text + part).split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) {
          if (line === "" && "data" in fields) {
            yield { id: fields.id, kind: fields.event ?? "message", data: JSON.parse(fields.data) };
          }
          if (line === "") fields = {};
          const colon = line.indexOf(":");
          if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
        }
      }
    } finally {
      response.destroy();
    }
  }

  /** Closes the connections. */
  async close() {
    this.#closed = true;
    this.#agent.destroy();
  }
}

/**
 * What was answered, or the exception of it.
 *
 * @param {{response: http.IncomingMessage, text: string}} answer
 */
function read({ response, text }) {
  const status = response.statusCode ?? 0;
  const kind = (response.headers["content-type"] ?? "").split(";")[0].trim();
  if (status >= 300) {
    const after = response.headers["retry-after"];
    const over = { status, retryAfter: after && /^\d+$/.test(after) ? Number(after) : undefined };
    if (kind === "application/problem+json") throw refused(JSON.parse(text), over);
    throw new Refused("client.answer", `something else than Cento answered: ${status} ${response.statusMessage}`, {
      hint: "does url lead to a service?",
      ...over,
    });
  }
  if (status === 204) return null;
  if (kind !== "application/json") return text;
  try {
    return JSON.parse(text);
  } catch (e) {
    throw new CentoError("client.answer", "the answer is no JSON", { cause: e });
  }
}
