// The client: one set of methods, over a process or a service.

import { randomUUID } from "node:crypto";
import { CentoError } from "./errors.js";
import { Operations, Projects, Records, Sessions, Standing, projectOperations, servedOperations } from "./operations.js";
import { Process } from "./process.js";
import { Service } from "./service.js";

/** The keys with which a request says what project it is about. */
const brings = ["project", "manifest", "files", "input"];

/**
 * @param {Record<string, unknown>} object
 * @returns {Record<string, any>} without what is undefined
 */
function said(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null));
}

/** @param {string} path */
function notServed(path) {
  const more = path.startsWith("/v1/sessions") ? "; call('session', ...) asks the store of a project" : "";
  return new CentoError("client.service", "it is a service that has this", { hint: "name one with url" + more });
}

export class Cento extends Operations {
  #project;
  /** @type {Process | undefined} */
  #process;
  /** @type {Service | undefined} */
  #service;

  /** @param {import("./index.js").Options} [options] */
  constructor(options = {}) {
    super();
    const { project, url, token, program = "cento", folder, jobs = 4, timeout = 60_000, ...rest } = options;
    for (const key in rest) throw new TypeError(`there is no option ${key}`);
    if (url === undefined && token !== undefined) throw new TypeError("a token is for a service: name its url");
    if (!Number.isInteger(jobs) || jobs < 1) throw new TypeError("jobs is a number from 1 on");
    this.#project = project;
    const limit = timeout === Infinity ? undefined : timeout;
    if (url !== undefined) this.#service = new Service(url, token, limit);
    else this.#process = new Process(program, ["call", "--stream", "--jobs", String(jobs)], folder, limit);
    // What a service has besides: its sessions, projects and records, and how it stands.
    const route = this.#route.bind(this);
    this.sessions = new Sessions(route, project);
    this.projects = new Projects(route, project);
    this.records = new Records(route, project);
    this.standing = new Standing(route, project);
  }

  /**
   * Asks an operation by its name, also one that this version of the client doesn't know.
   *
   * @param {string} op
   * @param {object} [given]
   * @returns {Promise<any>}
   */
  async call(op, given = {}) {
    const request = said(/** @type {Record<string, unknown>} */ (given));
    const own = !brings.some((key) => key in request);
    if (this.#project !== undefined && own && projectOperations.has(op)) request.project = this.#project;
    if (this.#process) return await this.#process.ask(op, request);
    let path = `/v1/${encodeURIComponent(op)}`;
    if (servedOperations.has(op) && "project" in request && !brings.some((key) => key !== "project" && key in request)) {
      path = `/v1/projects/${encodeURIComponent(request.project)}/${op}`;
      delete request.project;
    }
    return await /** @type {Service} */ (this.#service).send("POST", path, request, {}, true);
  }

  /**
   * Asks a service at one of its addresses.
   *
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} places
   * @param {object | undefined} body
   * @param {Record<string, unknown>} query
   * @param {Record<string, unknown>} headers
   * @returns {Promise<any>}
   */
  async #route(method, path, places, body, query, headers) {
    if (!this.#service) throw notServed(path);
    for (const [name, value] of Object.entries(places)) {
      if (value === undefined) throw new TypeError(`name the ${name}, here or for the client`);
    }
    for (const [name, value] of Object.entries(places)) path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    const asked = new URLSearchParams(Object.entries(said(query)).map(([key, value]) => [key, String(value)])).toString();
    const sent = Object.fromEntries(Object.entries(said(headers)).map(([key, value]) => [key, String(value)]));
    // What is done once can be asked again when the answer is lost.
    if ("Idempotency-Key" in headers) sent["Idempotency-Key"] ??= randomUUID();
    const again = method === "GET" || "Idempotency-Key" in sent;
    const data = body && said(/** @type {Record<string, unknown>} */ (body));
    return await this.#service.send(method, asked ? `${path}?${asked}` : path, data, sent, again);
  }

  /**
   * What happens to the sessions and projects of a service, from now on, until it ends
   * or nobody listens.
   *
   * @param {{project?: string, session?: string, last?: string}} [of]
   * @returns {AsyncGenerator<import("./index.js").Happening>}
   */
  async *events({ project, session, last } = {}) {
    if (!this.#service) throw notServed("/v1/events");
    yield* this.#service.events(said({ project, session }), last);
  }

  /** Ends the process, when it has answered what was asked, or the connections. */
  async close() {
    await (this.#process ?? this.#service)?.close();
  }

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    await this.close();
  }
}
