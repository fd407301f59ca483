// The methods of clients.
// @ts-nocheck its types are in operations.d.ts
// Made of the OpenAPI document of the service by `go test ./clients -update`.

export const projectOperations = new Set(["ablate", "assemble", "budget", "cache", "check", "diff", "explain", "instructions", "models", "session", "why", "wire"]);
export const servedOperations = new Set(["ablate", "assemble", "budget", "cache", "check", "diff", "explain", "instructions", "models", "why", "wire"]);

export class Operations {
  async ablate(request = {}) {
    return await this.call("ablate", request);
  }
  async assemble(request = {}) {
    return await this.call("assemble", request);
  }
  async budget(request = {}) {
    return await this.call("budget", request);
  }
  async cache(request = {}) {
    return await this.call("cache", request);
  }
  async check(request = {}) {
    return await this.call("check", request);
  }
  async contract(request = {}) {
    return await this.call("contract", request);
  }
  async diff(request = {}) {
    return await this.call("diff", request);
  }
  async explain(request = {}) {
    return await this.call("explain", request);
  }
  async instructions(request = {}) {
    return await this.call("instructions", request);
  }
  async layers(request = {}) {
    return await this.call("layers", request);
  }
  async models(request = {}) {
    return await this.call("models", request);
  }
  async reduce(request = {}) {
    return await this.call("reduce", request);
  }
  async reminders(request = {}) {
    return await this.call("reminders", request);
  }
  async render(request = {}) {
    return await this.call("render", request);
  }
  async scope(request = {}) {
    return await this.call("scope", request);
  }
  async tokens(request = {}) {
    return await this.call("tokens", request);
  }
  async why(request = {}) {
    return await this.call("why", request);
  }
  async wire(request = {}) {
    return await this.call("wire", request);
  }
}

export class Projects {
  #route;
  #project;

  constructor(route, project) {
    this.#route = route;
    this.#project = project;
  }

  async show(project) {
    return await this.#route("GET", "/v1/projects/{project}", { project: project ?? this.#project }, undefined, {}, {});
  }

  async test(request = {}, project) {
    return await this.#route("POST", "/v1/projects/{project}/test", { project: project ?? this.#project }, request, {}, {});
  }

  async list() {
    return await this.#route("GET", "/v1/projects", {}, undefined, {}, {});
  }
}

export class Records {
  #route;
  #project;

  constructor(route, project) {
    this.#route = route;
    this.#project = project;
  }

  async export(query = {}) {
    return await this.#route("GET", "/v1/export", {}, undefined, { session: query.session }, {});
  }

  async show(record) {
    return await this.#route("GET", "/v1/records/{record}", { record: record }, undefined, {}, {});
  }

  async replay(record) {
    return await this.#route("GET", "/v1/records/{record}/replay", { record: record }, undefined, {}, {});
  }

  async list(query = {}) {
    return await this.#route("GET", "/v1/records", {}, undefined, { session: query.session, text: query.text, since: query.since, until: query.until, limit: query.limit, cursor: query.cursor }, {});
  }

  async diff(query = {}) {
    return await this.#route("GET", "/v1/records/diff", {}, undefined, { a: query.a, b: query.b }, {});
  }
}

export class Standing {
  #route;
  #project;

  constructor(route, project) {
    this.#route = route;
    this.#project = project;
  }

  async alive() {
    return await this.#route("GET", "/healthz", {}, undefined, {}, {});
  }

  async metrics() {
    return await this.#route("GET", "/metrics", {}, undefined, {}, {});
  }

  async document() {
    return await this.#route("GET", "/openapi.json", {}, undefined, {}, {});
  }

  async ready() {
    return await this.#route("GET", "/readyz", {}, undefined, {}, {});
  }
}

export class Sessions {
  #route;
  #project;

  constructor(route, project) {
    this.#route = route;
    this.#project = project;
  }

  async cache(session, query = {}) {
    return await this.#route("GET", "/v1/sessions/{id}/cache", { id: session }, undefined, { model: query.model }, {});
  }

  async clear(session, request = {}, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/clear", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async compact(session, request = {}, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/compact", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async delete(session, query = {}, options = {}) {
    return await this.#route("DELETE", "/v1/sessions/{id}", { id: session }, undefined, { children: query.children }, { "If-Match": options.expect });
  }

  async drift(session, request = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/drift", { id: session }, request, {}, {});
  }

  async fork(session, request, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/fork", { id: session }, request, {}, { "Idempotency-Key": options.key });
  }

  async prompt(session) {
    return await this.#route("GET", "/v1/sessions/{id}/prompt", { id: session }, undefined, {}, {});
  }

  async rematerialise(session, request = {}, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/rematerialise", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async remind(session, request, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/remind", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async show(session) {
    return await this.#route("GET", "/v1/sessions/{id}", { id: session }, undefined, {}, {});
  }

  async start(request, options = {}) {
    return await this.#route("POST", "/v1/sessions", {}, { project: this.#project, ...request }, {}, { "Idempotency-Key": options.key });
  }

  async timeline(session, query = {}) {
    return await this.#route("GET", "/v1/sessions/{id}/timeline", { id: session }, undefined, { limit: query.limit, cursor: query.cursor }, {});
  }

  async touch(session, request, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/touch", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async turn(session, request = {}, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/turn", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async turnEnd(session, request = {}, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/turn_end", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async usage(session, request, options = {}) {
    return await this.#route("POST", "/v1/sessions/{id}/usage", { id: session }, request, {}, { "If-Match": options.expect, "Idempotency-Key": options.key });
  }

  async list(query = {}) {
    return await this.#route("GET", "/v1/sessions", {}, undefined, { project: query.project, parent: query.parent, limit: query.limit, cursor: query.cursor }, {});
  }
}
