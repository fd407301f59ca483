// What goes wrong.

/**
 * @typedef {{file: string, line: number, column: number}} Position
 * @typedef {{
 *   position?: Position | null, path?: string, hint?: string,
 *   related?: {position: Position, path?: string, message: string}[] | null,
 *   errors?: CentoError[], status?: number, retryAfter?: number, request?: string, cause?: unknown,
 * }} Details
 */

/** Something went wrong. Codes of the client itself begin with `client.`. */
export class CentoError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Details} [details]
   */
  constructor(code, message, details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.position = details.position ?? null;
    this.path = details.path ?? "";
    this.hint = details.hint ?? "";
    this.related = details.related ?? [];
    this.errors = details.errors ?? [];
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.request = details.request;
  }

  toString() {
    const { file = "", line = 0, column = 0 } = this.position ?? {};
    const place = line ? `${file}:${line}:${column}: ` : file ? `${file}: ` : "";
    return `${this.code}: ${place}${this.message}${this.hint && `\n  hint: ${this.hint}`}`;
  }
}

/** The program or the service answered that it can't be done. */
export class Refused extends CentoError {}

/** There is no answer: a process that ended, a service that isn't there, a time that is over. */
export class Lost extends CentoError {}

/**
 * The exception of an error object.
 *
 * @param {any} data
 * @param {Pick<Details, "status" | "retryAfter">} [over]
 * @returns {Refused}
 */
export function refused(data, over = {}) {
  return new Refused(data.code, data.message, {
    position: data.position,
    path: data.path,
    hint: data.hint,
    related: data.related,
    errors: (data.errors ?? []).map((/** @type {any} */ e) => refused(e, { status: over.status })),
    request: data.request,
    ...over,
  });
}

/**
 * A request as it is sent. What JSON has no form for is an error, and not left out.
 *
 * @param {object} request
 * @returns {string}
 */
export function encoded(request) {
  const refuse = (/** @type {string} */ why, /** @type {unknown} */ cause = undefined) =>
    new CentoError("client.request", `the request can't be written as JSON: ${why}`, { cause });
  try {
    return JSON.stringify(request, (key, value) => {
      if (typeof value === "number" && !Number.isFinite(value)) throw refuse(`${key} is ${value}`);
      if (typeof value === "function" || typeof value === "symbol") throw refuse(`${key} is a ${typeof value}`);
      if (typeof value === "string" && !/** @type {any} */ (value).isWellFormed()) throw refuse(`${key} has half of a surrogate pair`);
      return value;
    });
  } catch (e) {
    throw e instanceof CentoError ? e : refuse(e instanceof Error ? e.message : String(e), e);
  }
}
