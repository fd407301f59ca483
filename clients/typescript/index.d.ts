import { Operations, Projects, Records, Sessions, Standing, Position, Related } from "./operations.js";

export * from "./operations.js";

export interface Options {
  /** The folder of the project that requests are about, over HTTP its name. */
  project?: string;
  /** The address of a service, such as http://127.0.0.1:7420; without it a process is asked. */
  url?: string;
  /** The token of the service. */
  token?: string;
  /** The program that is started; default cento. */
  program?: string;
  /** The folder that it is started in; default the present one. */
  folder?: string;
  /** How many requests it answers at once; default 4. */
  jobs?: number;
  /** How many milliseconds an answer may take; default 60,000, Infinity for any. */
  timeout?: number;
}

/** Something that happened at a service. */
export interface Happening {
  /** By which a listener goes on behind it. */
  id: string | undefined;
  /** Such as session.transition. */
  kind: string;
  data: any;
}

/** Asks a process of the program, or a service. */
export class Cento extends Operations {
  constructor(options?: Options);
  /** The sessions of a service. */
  readonly sessions: Sessions;
  /** The projects of a service. */
  readonly projects: Projects;
  /** What a service has recorded. */
  readonly records: Records;
  /** How a service stands. */
  readonly standing: Standing;
  /**
   * What happens to the sessions and projects of a service, from now on, until it ends or
   * nobody listens; behind the event last, where its id is given. One of the kind reset
   * says that some are missed.
   */
  events(of?: { project?: string; session?: string; last?: string }): AsyncGenerator<Happening>;
  /** Asks an operation by its name, also one that this version of the client doesn't know. */
  call(op: string, request?: object): Promise<any>;
  /** Ends the process, when it has answered what was asked, or the connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Something went wrong. Codes of the client itself begin with `client.`. */
export class CentoError extends Error {
  readonly code: string;
  /** Where it is wrong; null for nowhere. */
  readonly position: Position | null;
  /**
   * The file of the position from the root of the project, where the position names a
   * prompt file by its reference; else empty.
   */
  readonly path: string;
  readonly hint: string;
  /** Other places that have to do with it, each with what stands there. */
  readonly related: Related[];
  /** All errors where there are several, this one first; else none. */
  readonly errors: CentoError[];
  /** The status of an answer over HTTP. */
  readonly status: number | undefined;
  /** Seconds after which to ask again, if the service says so. */
  readonly retryAfter: number | undefined;
  /** The id under which the log of the service has the request. */
  readonly request: string | undefined;
}

/** The program or the service answered that it can't be done. */
export class Refused extends CentoError {}

/** There is no answer: a process that ended, a service that isn't there, a time that is over. */
export class Lost extends CentoError {}
