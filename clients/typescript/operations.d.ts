// The types of requests and answers, and the methods of clients. A later version may
// add keys to answers.
// Made of the OpenAPI document of the service by `go test ./clients -update`.

export interface CheckAnswer {
  errors: number;
  findings: LintFinding[];
  ignored: number;
  known?: number;
  mended?: MendedFile[];
  notes: number;
  ok: boolean;
  stale?: LintKnownFinding[];
  targets: string[];
  warnings: number;
}

export interface ContractAnswer {
  contract?: unknown;
  notes?: Note[];
  readable?: boolean | null;
  report?: ContractReport | null;
  retry?: string;
  shape?: string;
  text?: string | null;
}

export interface ErrorObject {
  code: string;
  errors?: ErrorObject[];
  hint: string;
  message: string;
  path?: string;
  position: Position | null;
  related: Related[];
}

export interface Flip {
  by: string;
  gate: string;
  id: string;
}

export interface FoundFragment {
  code: string;
  digest: string | null;
  id: string;
  included: boolean;
  layer: string | null;
  origin: Position | null;
  places: Position[];
  reason: string;
  source: string;
  span: number[] | null;
  trust: string;
}

export interface GateChange {
  field: string;
  from: string;
  id: string;
  to: string;
}

export interface InstructionFile {
  bytes: number;
  code?: string;
  from: number;
  imported?: boolean;
  on_demand?: boolean;
  path: string;
  reason: string;
  status: string;
  to: number;
  tokens: number;
  trust: string;
}

export interface InstructionsReport {
  bytes: number;
  encoding: string;
  exact: boolean;
  files: InstructionFile[];
  measured?: string;
  notes?: Note[];
  profile: string;
  text: string | null;
  tokens: number;
  version?: string;
}

export interface MendedFile {
  file: string;
  fixes: number;
}

export interface Models {
  models: Model[];
  notes: Note[];
  query: string;
  remarks: Record<string, string>;
}

export interface Parting {
  behind_tokens: number;
  cost: number | null;
  exact: boolean;
  fragment: string;
  offset: number;
  shared_tokens: number;
  unchanged_cost: number | null;
}

export interface RecordMatch {
  at: string;
  fragments: FoundFragment[];
  hash: string;
  label: string;
  project: string;
  prompt_digest: string | null;
  seq: number;
  session: string;
}

export interface RecordSearch {
  ignored_case: boolean;
  matches: RecordMatch[];
  more: boolean;
  texts: number;
}

export interface RenderSpan {
  column: number;
  end: number;
  file: string;
  line: number;
  start: number;
  trust: string;
  var: string;
}

export interface Rendering {
  notes?: Note[];
  spans: RenderSpan[];
  text: string;
}

export interface Replay {
  recorded: string;
  replayed: string;
  same: boolean;
  seq: number;
  session: string;
}

export interface ShownRecord {
  at: string;
  fragments: StoreFragment[];
  hash: string;
  input_digest: string;
  label: string;
  last_prompt?: string;
  notes?: Note[];
  prev: string;
  project: string;
  prompt_digest: string | null;
  seq: number;
  session: string;
}

export interface TestAnswer {
  coverage?: PrompttestCoverage | null;
  failed: number;
  mutation?: PrompttestMutation | null;
  notes?: Note[];
  ok: boolean;
  orphans?: string[];
  passed: number;
  results: PrompttestResult[];
  short?: PrompttestShortfall[];
  skipped: number;
  updated?: string[];
}

export interface WeightChange {
  from: number;
  id: string;
  to: number;
}

export interface CacheBilled {
  input: number;
  paid: number;
  read: number;
  steps: number;
  unknown: number;
  written: number;
}

export interface CacheCause {
  fragment?: string;
  kind: string;
  provider?: string;
  witnesses: CacheWitness[];
}

export interface CacheCost {
  best_order: number | null;
  placement_turn: number | null;
  predicted: number;
  uncached: number;
}

export interface CacheDeviation {
  read: number;
  reasons: string[];
}

export interface CacheDifference {
  behind: number;
  fragment: string;
  offset: number;
  pointer: string;
  position: Position | null;
}

export interface CacheHint {
  behind?: string;
  change: string;
  fragment?: string;
  keeps: number;
  stability?: string;
  ttl?: string;
}

export interface CacheMark {
  hit: boolean;
  pointer: string;
  read: number;
  tokens: number;
  ttl: string;
  why?: string;
}

export interface CachePrediction {
  paid: number;
  read: number;
  written: number;
  written_by_ttl: Record<string, number>;
}

export interface CacheReport {
  cache: unknown;
  encoding: string;
  exact: boolean;
  model: string;
  order: string[];
  steps: CacheStepReport[];
  sum: CacheSum;
  uncounted?: string[];
  unpriced?: string[];
}

export interface CacheStepReport {
  at: string | null;
  billed: WireUsage | null;
  bytes: number;
  causes: CacheCause[];
  cost: CacheCost | null;
  deviation?: CacheDeviation | null;
  difference: CacheDifference | null;
  hint: CacheHint | null;
  hint_of?: number;
  losses?: WireLoss[];
  lost: number;
  marks: CacheMark[];
  name: string;
  predicted: CachePrediction | null;
  shared_bytes: number;
  shared_tokens: number;
  tokens: number;
}

export interface CacheSum {
  billed: CacheBilled | null;
  cost: CacheCost | null;
  lost: number;
  predicted: CachePrediction | null;
  tokens: number;
}

export interface CacheWitness {
  change?: string;
  from?: string;
  name: string;
  position?: Position | null;
  server?: string;
  to?: string;
  what: string;
}

export interface AblatedPart {
  back: string[];
  definitions?: number | null;
  digest: string | null;
  gone: string[];
  name: string;
  reworded: string[];
  saved: number;
  tokens: number;
  without: string[];
}

export interface AblationAnswer {
  basis?: string;
  by: string;
  encoding: string;
  exact: boolean;
  model: string | null;
  notes?: Note[];
  parts: AblatedPart[];
  whole: AblatedPart;
}

export interface Assembled {
  bytes: number;
  digest: string | null;
  encoding?: string;
  exact?: boolean | null;
  noted_texts?: NotedText[];
  notes?: Note[];
  sacrificed?: Sacrificed[];
  system: string | null;
  tokens?: number | null;
}

export interface Budgeted {
  active_tools: number;
  budget: number;
  cached?: number;
  cached_lost?: CachedLoss | null;
  curve: CurvePoint[];
  cuts?: Cut[];
  dropped: number;
  encoding: string;
  exact: boolean;
  form?: string;
  framing: number | null;
  framing_known: boolean;
  full: number;
  given?: number;
  hold?: number;
  keep_cached?: boolean;
  least: number;
  left: number;
  limit: number;
  limit_exact: boolean;
  named: boolean;
  notes?: Note[];
  policy: string;
  prompt: number;
  required: number;
  reserve: number;
  sequence: Sacrifice[];
  shortened: number;
  summary: string;
  tools: number;
  tools_exact: boolean;
  whole: number;
}

export interface Cached {
  cache: unknown;
  encoding: string;
  exact: boolean;
  model: string;
  notes?: Note[];
  order: string[];
  steps: CacheStepReport[];
  sum: CacheSum;
  uncounted?: string[];
  unpriced?: string[];
}

export interface Compared {
  added: Change[];
  changed: Change[];
  flips: Flip[];
  gates: GateChange[];
  moved: Change[];
  notes?: Note[];
  parting: Parting | null;
  removed: Change[];
  tokens: TokenChange | null;
  verdicts: Change[];
  weights: WeightChange[];
}

export interface Counts {
  basis?: string;
  counts: number[];
  encoding: string;
  exact: boolean;
  model: string | null;
  notes?: Note[];
}

export interface LayersAnswer {
  contributions: unknown[];
  fragments: Trace[];
  notes?: Note[];
  template: unknown;
  text: string;
}

export interface RemindersAnswer {
  child: unknown;
  envelope: string | null;
  events: ReminderEvent[];
  fragments: RequestFragment[];
  messages?: ReminderMessage[];
  notes?: Note[];
  session: unknown;
}

export interface RequestFragment {
  body: string;
  id: string;
  source: string;
  stability: string;
  trust: string;
}

export interface ScopeAnswer {
  notes?: Note[];
  permissions: Record<string, string>;
  rules: Record<string, WorkspaceRule[]>;
  summary: string;
}

export interface Why {
  at?: FileWhy | null;
  form?: string;
  ignored_case?: boolean;
  losses?: WireLoss[];
  matches: Match[];
  more?: number;
  named?: Match | null;
  nearest?: Match | null;
  nearest_id?: string;
  not_searched?: string[];
  notes?: Note[];
  request?: WirePiece[];
  request_more?: number;
}

export interface WireBody {
  body: string;
  breakpoints: WireBreakpoint[];
  cache_object: WireCacheObject | null;
  encoding?: string;
  form: string;
  framing_known: boolean;
  framing_tokens: number | null;
  headers: WireHeader[];
  losses: WireLoss[];
  map: WireSlice[];
  noted_texts?: NotedText[];
  notes?: Note[];
  sacrificed?: Sacrificed[];
  spans: Span[];
  system_tokens: number | null;
  tokens_exact: boolean;
  tool_tokens: number | null;
  tools_exact: boolean;
  url_path: string;
}

export interface Active {
  caps: string[];
  model?: string;
  tools: string[];
}

export interface BudgetReport {
  budget: number;
  cached?: number;
  cached_lost?: CachedLoss | null;
  cuts?: Cut[];
  dropped: number;
  encoding: string;
  exact: boolean;
  form?: string;
  framing: number | null;
  framing_known: boolean;
  full: number;
  given?: number;
  hold?: number;
  keep_cached?: boolean;
  least: number;
  left: number;
  limit: number;
  limit_exact: boolean;
  policy: string;
  prompt: number;
  required: number;
  reserve: number;
  shortened: number;
  tools: number;
  tools_exact: boolean;
  whole: number;
}

export interface CachedLoss {
  price: number | null;
  tokens: number;
}

export interface Change {
  from: string | null;
  id: string;
  included?: boolean | null;
  text?: string;
  to: string | null;
}

export interface CurvePoint {
  budget: number;
  dropped: number;
  shortened: number;
  tokens: number;
}

export interface Cut {
  bytes: number;
  file?: string;
  fragment: string;
  kept: number;
  variant?: number;
}

export interface Difference {
  added: Change[];
  changed: Change[];
  moved: Change[];
  removed: Change[];
  tokens: TokenChange | null;
  verdicts: Change[];
}

export interface Explanation {
  budget?: BudgetReport | null;
  bytes: number;
  digest: string | null;
  encoding: string | null;
  excluded: number;
  fragments: Trace[];
  included: number;
  model: string | null;
  notes?: Note[];
  removed?: RemovedText[];
  spans: Span[];
  system: string | null;
  tokens: number | null;
  tokens_exact: boolean | null;
}

export interface Model {
  adaptive_thinking: boolean | null;
  aliases?: string[];
  as_of: string;
  cache: ModelCache;
  chat_max_tokens: boolean | null;
  chat_tools: boolean | null;
  checked: string;
  context: number | null;
  counting: ModelCounting;
  default_effort: string;
  efforts: string[];
  family: string;
  id: string;
  max_input: number | null;
  max_output: number | null;
  mid_conversation_system: boolean | null;
  name: string;
  one_system_message: boolean | null;
  path?: string;
  prefill: boolean | null;
  price: ModelPrice;
  provider: string;
  reasoning: boolean | null;
  sampling: boolean | null;
  sampling_at_none: boolean | null;
  sampling_pair: boolean | null;
  sections: string[];
  series: string;
  source: string;
  status: string;
  system: string;
  thinking_budget: boolean | null;
  tokenizer: string | null;
  tools: boolean | null;
  vision: boolean | null;
  wire: string;
}

export interface ModelCache {
  automatic: boolean | null;
  kind: unknown;
  lookback: number | null;
  max_breakpoints: number | null;
  min_tokens: number | null;
  ttl: string[];
}

export interface ModelCounting {
  basis?: string;
  counter: string;
  declared?: boolean;
  exact: boolean;
}

export interface ModelPrice {
  above: PriceAbove | null;
  cache_read: number | null;
  cache_write: Record<string, number>;
  input: number | null;
  output: number | null;
  until?: string;
}

export interface Note {
  code: string;
  fragment?: string;
  message: string;
  path?: string;
  position?: Position;
}

export interface NotedText {
  code: string;
  count: number;
  fragment: string;
}

export interface Position {
  column: number;
  file: string;
  line: number;
}

export interface PriceAbove {
  cache_read: number | null;
  cache_write: Record<string, number>;
  input: number | null;
  output: number | null;
  tokens: number;
}

export interface Related {
  message: string;
  path?: string;
  position: Position;
}

export interface RemovedText {
  bytes: number;
  code: string;
  fragment: string;
  origin: Position | null;
  reason: string;
  text?: string;
}

export interface Sacrifice {
  cached?: CachedLoss | null;
  fragments: string[];
  importance: number;
  stays_from: number;
  taken: boolean;
  tokens: number;
  variant: number;
}

export interface Sacrificed {
  fragment: string;
  variant?: number;
}

export interface Span {
  column: number;
  end: number;
  file: string;
  fragment: string;
  kind: string;
  line: number;
  made_by: string;
  start: number;
  trust: string;
  var: string;
}

export interface TextNote {
  code: string;
  end: number;
  message: string;
  path?: string;
  position: Position | null;
  start: number;
}

export interface TokenChange {
  exact: boolean;
  from: number;
  to: number;
}

export interface Trace {
  bucket: string;
  budget?: TraceBudget | null;
  bytes: number;
  code: string;
  digest: string | null;
  id: string;
  importance: unknown;
  included: boolean;
  layer: string | null;
  notes?: TextNote[];
  origin: Position | null;
  out_at?: Position | null;
  protected: boolean;
  reason: string;
  section: string | null;
  source: string;
  span: number[] | null;
  stability: string;
  text?: string;
  tokens: number | null;
  trust: string;
  unmet?: Unmet[];
  variant: number;
}

export interface TraceBudget {
  cached?: CachedLoss | null;
  importance: number;
  required?: boolean;
  stays_from: number;
  tokens: number;
}

export interface Unmet {
  code: string;
  reason: string;
}

export interface ContractReply {
  emit: string;
  facts: ContractAnswerFact[];
  key: string;
}

export interface ContractAnswerFact {
  cites?: string[];
  content: string;
  id: string;
}

export interface ContractFinding {
  code: string;
  column: number;
  hint?: string;
  line: number;
  message: string;
  severity: string;
}

export interface ContractReport {
  answer?: ContractReply | null;
  checked: boolean;
  findings: ContractFinding[];
  holds: boolean;
  omitted?: number;
}

export interface LintEdit {
  end: number;
  start: number;
  text: string;
}

export interface LintFinding {
  code: string;
  fix?: LintFix | null;
  hint?: string;
  id?: string;
  ignored?: string;
  message: string;
  more?: number;
  path?: string;
  position: Position;
  related?: Related[];
  severity: string;
  targets?: string[];
}

export interface LintFix {
  edits: LintEdit[];
  file: string;
  title: string;
}

export interface LintKnownFinding {
  code: string;
  file?: string;
  id?: string;
  message: string;
}

export interface PrompttestCoverage {
  all: number;
  covered: number;
  missing: PrompttestUncovered[];
}

export interface PrompttestFailure {
  assertion: string;
  code?: string;
  details?: string[];
  hint?: string;
  lines?: PrompttestLine[];
  message: string;
  path?: string;
  position: Position;
}

export interface PrompttestLine {
  op: string;
  text: string;
}

export interface PrompttestMutant {
  change: string;
  gate?: string;
  golden?: boolean;
  id: string;
  other?: string;
  position: Position;
  text?: string;
}

export interface PrompttestMutation {
  equivalent: number;
  killed: number;
  killed_by_assertions: number;
  mutants: number;
  survivors: PrompttestMutant[];
  unreached: number;
}

export interface PrompttestResult {
  failures?: PrompttestFailure[];
  name: string;
  position: Position;
  status: string;
  target?: string;
}

export interface PrompttestShortfall {
  min: number;
  of: string;
  percent: number;
}

export interface PrompttestUncovered {
  id?: string;
  kind: string;
  message: string;
  position: Position;
}

export interface Commit {
  author: string;
  id: string;
  summary: string;
  time: string;
}

export interface FileWhy {
  file: string;
  lines: LinesWhy[];
}

export interface LinesWhy {
  code?: string;
  commit: Commit | null;
  end: number | null;
  fragment: string;
  history?: string;
  last_line: number;
  layer: string | null;
  line: number;
  made_by: string;
  more?: number;
  origin: Position | null;
  out_at?: Position | null;
  path?: string;
  reason: string;
  set_at?: Position | null;
  source: string;
  start: number | null;
  text: string;
  trust: string;
  var?: string;
}

export interface Match {
  code?: string;
  commit: Commit | null;
  end: number | null;
  fragment: string;
  history?: string;
  layer: string | null;
  made_by: string;
  origin: Position | null;
  out_at?: Position | null;
  path?: string;
  reason: string;
  set_at?: Position | null;
  source: string;
  start: number | null;
  text: string;
  trust: string;
  var?: string;
}

export interface WirePiece {
  end: number;
  fragment: string;
  name?: boolean;
  origin: Position | null;
  pointer: string;
  reason?: string;
  start: number;
  text: string;
  trust: string;
}

export interface ReminderEvent {
  dedupe_key?: string;
  event: string;
  id: string;
  reason?: string;
  replaced?: number | null;
  tags: string[];
  turn: number;
}

export interface ReminderMessage {
  cache_control?: boolean;
  reminders: string[];
  role: string;
  text: string;
}

export interface ReminderSentEnvelope {
  text: string;
  turn: number;
}

export interface AblateRequest {
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** What is taken out at a time: fragment (the default), section, source, group, layer or tool. */
  by?: null | string;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export interface AssembleRequest {
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** Whether to count tokens; default false, since a prompt is used more often than it is measured. */
  tokens?: null | boolean;
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export interface BudgetRequest {
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export interface CacheRequest {
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** The conversation of both, oldest first; without it tools and system prompts are set beside each other. */
  messages?: null | ({
    /** The message in the form's own terms instead of a text, sent byte for byte. */
    raw?: unknown;
    /** user or assistant, with text. */
    role?: null | string;
    /** What was said. */
    text?: null | string;
    /** The turn of the session that it is of. */
    turn?: 1 | null;
  })[];
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Name of the form of both requests, such as anthropic; default that of the manifest, else the model's. */
  provider?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** What is different in the second request: each key stands instead of the one beside it, and the others hold for both. */
  to: {
    /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
    budget?: number | string | null;
    /** Capabilities that are set as well. */
    caps?: null | string[];
    /** Name of the model. */
    model?: null | string;
    /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
    now?: null | string;
    /** The active skills, instead of those of the manifest. */
    skills?: null | string[];
    /** A target of the manifest. */
    target?: null | string;
    /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
    tools?: GivenToolList | null;
    /** Variables for prompt files and conditions, over those of the manifest. */
    vars?: null | Record<string, unknown>;
    /** Capabilities that are not set. */
    without_caps?: null | string[];
    /** Tools that are not active. */
    without_tools?: null | string[];
  };
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export interface CheckRequest {
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** Say no to warnings too; default false. */
  strict?: null | boolean;
  /** A target of the manifest, alone instead of all. */
  target?: null | string;
}

export interface ContractRequest {
  /** What a model answered, to be held against the contract. */
  answer?: null | string;
  /** A contract to write. */
  contract?: GivenPromptContract | null;
  /** In edn, write an objective with spaces as a string; default false. */
  exact?: null | boolean;
  /** What to write, or what the text is in; default lines. */
  form?: "lines" | "edn" | "plain" | "json" | "xml" | "toon" | "markdown" | null;
  /** Keys that are allowed in the text besides the built-in ones. */
  keys?: null | string[];
  /** Roles that are allowed in the text besides the built-in ones. */
  roles?: null | string[];
  /** Give the text that tells a model how to answer the contract; default false. */
  shape?: null | boolean;
  /** A text to read as a contract. */
  text?: null | string;
}

export type GivenContract_context_list = {
  facts: GivenContract_facts;
  key: GivenContract_key;
}[] | null;

export type GivenContract_context_map = Record<string, null | GivenContract_facts>;

export interface GivenContract_fact {
  /** What is known. */
  content?: string | null;
  /** What citations name; unique in the contract. */
  id: string;
}

export type GivenContract_facts = GivenContract_fact[];

export type GivenContract_key = "seeds" | "hypotheses" | "strategies" | "constraints" | "signals" | "competitors" | "evaluations" | "proposals" | "diagnostic" | "votes" | "disagreements" | "consensus_outcomes" | string;

export interface GivenContribution {
  /** The text, taken literally. */
  content?: null | string;
  /** In only when at least one of its tools is active. */
  gate?: null | {
    tools?: null | string[];
  };
  /** Its key in the slot, by which a higher layer removes it. Default: its title in lower case with hyphens. */
  id?: null | string;
  /** Who is left out first over a budget: the lowest number; default required, which never is. */
  importance?: number | "required" | null;
  /** Order in the slot, lowest first; default 0. */
  priority?: null | number;
  /** Survives every reset and removal. */
  protected?: null | boolean;
  /** Another name of gate. */
  requires_any_tools?: null | string[];
  /** In only when every named capability is set. */
  requires_caps?: null | string[];
  /** In only when every named tool is active. */
  requires_tools?: null | string[];
  /** The slot that it was written for; the one that it stands under decides. */
  slot?: null | string;
  /** How often the bytes change; default static. */
  stability?: "static" | "session" | "turn" | null;
  /** A request brings no prompt files. */
  template?: null;
  /** A heading of its own, printed with ###. */
  title?: null | string;
  /** A further condition. */
  when?: null | string;
}

export interface DiffRequest {
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** What is different on the other side: each key stands instead of the one beside it, and the others hold for both. */
  to: {
    /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
    budget?: number | string | null;
    /** Capabilities that are set as well. */
    caps?: null | string[];
    /** Name of the model. */
    model?: null | string;
    /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
    now?: null | string;
    /** The active skills, instead of those of the manifest. */
    skills?: null | string[];
    /** A target of the manifest. */
    target?: null | string;
    /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
    tools?: GivenToolList | null;
    /** Variables for prompt files and conditions, over those of the manifest. */
    vars?: null | Record<string, unknown>;
    /** Capabilities that are not set. */
    without_caps?: null | string[];
    /** Tools that are not active. */
    without_tools?: null | string[];
  };
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export type GivenEntry = {
  content: string;
  kind: unknown;
} | {
  builtin: "main_agent_intro" | "execution_instructions" | "core_guidance";
  kind: unknown;
} | {
  kind: unknown;
  slot: string;
};

export interface ExplainRequest {
  /** Tell every condition that fails, not the first alone; default false. */
  all_reasons?: null | boolean;
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** Whether to count tokens; default true. */
  tokens?: null | boolean;
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export type GivenHostItem = null | false | string | GivenHostPart | GivenHostItem[];

export type GivenHostOption = GivenHostItem;

export interface GivenHostPart {
  /** Another name of content. */
  body?: null | string;
  /** The text, taken literally. */
  content?: null | string;
  /** False takes the part out. */
  enabled?: null | boolean;
  /** Makes the fragment's id host:<option>.<id>. */
  id?: null | string;
  /** Who is left out first over a budget: the lowest number; default required, which never is. */
  importance?: number | "required" | null;
  /** A list of parts instead of a text. */
  parts?: null | GivenHostItem[];
  /** Moves the part before or after the agent's own block. */
  position?: "before" | "after" | null;
  /** In only when at least one of the named tools is active. */
  requires_any_tools?: null | string[];
  /** In only when every named capability is set. */
  requires_caps?: null | string[];
  /** In only when every named tool is active. */
  requires_tools?: null | string[];
  /** How often the bytes change; default static. */
  stability?: "static" | "session" | "turn" | null;
  /** Reference to a prompt file that is rendered instead of a text. */
  template?: null | string;
  /** Heading of the part, printed with ##. */
  title?: null | string;
  /** A further condition. */
  when?: null | string;
}

export interface InstructionsRequest {
  /** Folder of the run, from that of the project; default the same. */
  cwd?: null | string;
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Files that are worked on, from the folder of the run: what holds for them is listed. */
  for?: null | string[];
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Name of the model that tokens are counted for. */
  model?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** Name of the loading rules; default those of the manifest. */
  profile?: null | string;
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** A target of the manifest. */
  target?: null | string;
}

export interface GivenLayer {
  /** Changes of the section plan in force, in order. */
  patch?: null | GivenPatch[];
  /** What is done to each slot: intro, execution, guidance, project_instructions, runtime_context, environment, or one that a template of the stack has. */
  slots?: null | Record<string, GivenSlotLayer | null>;
  /** Another section plan, instead of the one from below. */
  template?: GivenSectionPlan | null;
}

export interface LayersRequest {
  /** What the prompt is for. */
  context?: null | {
    /** Who the agent is told to be. */
    agent_name?: null | string;
    /** The capabilities that are set. */
    caps?: null | string[];
    /** The text of the builtin execution_instructions. */
    execution_prompt?: null | string;
    /** The active tools. */
    tool_names?: null | string[];
  };
  /** The layers, low to high. */
  layers: ({
    layer: GivenLayer;
    /** What traces and messages call it. */
    name: string;
    /** Where it stands among the others; default directly above the one before. */
    rank?: null | string;
  })[];
  /** Order contributions of one slot and priority by title and content, and take duplicates out. */
  merge?: null | boolean;
}

export interface GivenLine {
  /** What the answer is known by: a text or a number. */
  id: Record<string, unknown>;
  /** Name of the operation. */
  op: string;
  /** What it is asked. */
  request: Record<string, unknown>;
}

export interface GivenLiteralFragment {
  /** The text, taken literally. */
  body?: null | string;
  /** Region relative to the agent's own block; default before. */
  bucket?: "before" | "after" | null;
  /** A contract that is written instead of a body. */
  contract?: GivenPromptContract | null;
  /** In edn, write an objective with spaces as a string, so that it reads back as it was; default false. */
  exact?: null | boolean;
  /** Path of a text file inside the project, relative to this file, whose text is taken literally instead of a body. Front matter at its top is left out. */
  file?: null | string;
  /** How the contract is written; default lines. */
  form?: "lines" | "edn" | "plain" | "json" | "xml" | "toon" | "markdown" | null;
  /** Fragments of one group are all in or all out under a budget. */
  group?: null | string;
  /** Stable identifier, unique in the prompt. */
  id: string;
  /** Who is left out first over a budget: the lowest number; default required, which never is. */
  importance?: number | "required" | null;
  /** Set by the program. */
  layer?: null;
  /** Ids without which this one is out too. */
  needs?: null | string[];
  /** Set by the program. */
  origin?: null;
  /** Cannot be dropped or replaced. */
  protected?: null | boolean;
  /** In only when at least one of the named tools is active. */
  requires_any_tools?: null | string[];
  /** In only when every named capability is set. */
  requires_caps?: null | string[];
  /** In only when every named tool is active. */
  requires_tools?: null | string[];
  /** Heading that neighbours of the same section share, printed with ##. */
  section?: null | string;
  /** Who contributed it, for grouping. */
  source?: null | string;
  /** How often the bytes change; default static. */
  stability?: "static" | "session" | "turn" | null;
  /** A request brings no prompt files. */
  template?: null;
  /** Set by the program. */
  tight?: null;
  /** Heading of its own, printed with ###. */
  title?: null | string;
  /** Whose text it is; default host, which it can only lower. Text of workspace, tool and session is scanned and quoted. */
  trust?: "host" | "user" | "workspace" | "tool" | "session" | null;
  /** Shorter bodies, tried before the fragment is left out over a budget, each for the one before it. */
  variants?: null | string[];
  /** A further condition. */
  when?: null | string;
}

export interface ModelsRequest {
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Part of a name, provider or family, or a name as a provider gives it; default all. */
  query?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
}

export type GivenPatch = {
  before: unknown;
} | {
  after: unknown;
};

export interface GivenPendingReminder {
  /** Its rank among the others; default contract. */
  authority?: "contract" | "corrective" | "advisory" | null;
  /** The text. */
  body: string;
  /** A newer pending reminder with the same key replaces the older. */
  dedupe_key?: null | string;
  /** It was part of a turn; default false. */
  fired?: null | boolean;
  /** The turn in which it came up; default the current one. */
  fired_at_turn?: null | number;
  /** For clearing, audit and replay. Default: made from the session, the turn and the body. */
  id: string;
  /** Where an inherited copy came from first. */
  originating_session?: null | string;
  /** Survives compaction; default false. */
  preserve_on_compact?: null | boolean;
  /** Which child sessions inherit it; default session. */
  propagate?: "session" | "all" | "none" | null;
  /** Kept for exchange with other systems; default system. */
  role_hint?: "system" | "developer" | "user_block" | "ephemeral_cache" | null;
  /** What made it; default in_pipeline. */
  source?: "in_pipeline" | "stdlib_provider" | "hook" | "bridge" | "inherited" | null;
  /** Words to clear it by. */
  tags?: null | string[];
  /** Whose word the body is: workspace for the text of a file of the project; default session. */
  trust?: "workspace" | "session" | null;
  /** Expires after that many turn ends; without it, when it is cleared or the conversation is compacted. */
  ttl_turns?: number;
}

export interface GivenPromptContract {
  /** Rules for the asked agent. */
  constraints?: ("no-invent" | "no-contradict" | "no-hallucinate" | "cite-sources")[] | null;
  /** The facts to rely on, grouped by key. The order counts. */
  context?: GivenContract_context_map | GivenContract_context_list;
  /** Keys that are allowed besides the built-in ones. */
  keys?: string[] | null;
  /** What for. */
  objective: string;
  /** What is to come back. */
  output: {
    /** What is to come back. */
    emit: "proposed-fact" | "fact" | "analysis" | "evaluation" | "plan" | "classification" | "draft" | "reasoning";
    /** How it is to be written; any when left out. */
    format?: null | "edn" | "json" | "xml" | "plain";
    /** The group that it belongs to. */
    key: GivenContract_key;
  };
  /** Who is asked. */
  role: "proposer" | "validator" | "synthesizer" | "analyzer" | string;
  /** Roles that are allowed besides the built-in ones. */
  roles?: string[] | null;
}

export interface ReduceRequest {
  /** How many tokens a request may take. Fragments with an importance are shortened and left out, the least important first, until the prompt fits. */
  budget?: null | {
    /** What is done with room that is left: strict, the default, leaves it, so that a larger budget keeps all that a smaller one keeps; fill takes back what fits, the most important first. */
    policy?: "strict" | "fill" | null;
    /** How many of them are kept free; default 0. */
    reserve?: null | number;
    /** How many tokens the prompt and what is kept free may take. */
    tokens: number;
  };
  /** The capabilities that are set. */
  caps?: null | string[];
  /** The fragments, in declaration order. */
  fragments: ({
    body: unknown;
  } | {
    contract: unknown;
  })[];
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. */
  now?: null | string;
  /** Whether to count tokens; default true. Counting takes longer than everything else. */
  tokens?: null | boolean;
  /** The active tools: names or definitions, which may be mixed. */
  tools?: GivenToolList | null;
  /** Variables for conditions. */
  vars?: null | Record<string, unknown>;
}

export interface GivenReminder {
  /** Its rank among the others; default contract. */
  authority?: "contract" | "corrective" | "advisory" | null;
  /** The text. */
  body: string;
  /** A newer pending reminder with the same key replaces the older. */
  dedupe_key?: null | string;
  /** It was part of a turn; default false. */
  fired?: null | boolean;
  /** The turn in which it came up; default the current one. */
  fired_at_turn?: null | number;
  /** For clearing, audit and replay. Default: made from the session, the turn and the body. */
  id?: null | string;
  /** Where an inherited copy came from first. */
  originating_session?: null | string;
  /** Survives compaction; default false. */
  preserve_on_compact?: null | boolean;
  /** Which child sessions inherit it; default session. */
  propagate?: "session" | "all" | "none" | null;
  /** Kept for exchange with other systems; default system. */
  role_hint?: "system" | "developer" | "user_block" | "ephemeral_cache" | null;
  /** What made it; default in_pipeline. */
  source?: "in_pipeline" | "stdlib_provider" | "hook" | "bridge" | "inherited" | null;
  /** Words to clear it by. */
  tags?: null | string[];
  /** Whose word the body is: workspace for the text of a file of the project; default session. */
  trust?: "workspace" | "session" | null;
  /** Expires after that many turn ends; without it, when it is cleared or the conversation is compacted. */
  ttl_turns?: number;
}

export type GivenReminderOp = {
  op: "inject";
  reminder: GivenReminder;
} | {
  id: unknown;
} | {
  tag: unknown;
} | {
  dedupe_key: unknown;
} | {
  op: "turn";
} | {
  op: "turn_end";
} | {
  op: "compact";
} | {
  /** Name of the child. */
  child: string;
  op: "fork";
};

export interface RemindersRequest {
  /** The capabilities that are set; those of the model decide the default placement and the native form. */
  caps?: null | string[];
  /** What is done, in order. */
  ops?: null | GivenReminderOp[];
  /** Where the reminders of a turn go; default turn for a model with a prompt cache, else system. */
  placement?: "system" | "turn" | "native" | null;
  session: {
    /** Name of the session. */
    id: string;
    /** The pending ones, in the order of injection. */
    reminders?: null | GivenPendingReminder[];
    /** How many turns have ended; default 0. */
    turn?: null | number;
    /** The reminders of this turn were asked for; default false. */
    turn_built?: null | boolean;
  };
}

export interface RenderRequest {
  /** Who the agent is told to be, read as agent.name; default an AI coding assistant. */
  agent?: null | string;
  /** The capabilities that are set. */
  caps?: null | string[];
  /** The working folder, read as cwd. Without it, reading it is an error. */
  cwd?: null | string;
  /** Texts of prompt files by reference, such as $workspace/review. */
  files?: null | Record<string, string>;
  /** Name of the model. Without it, reading it is an error. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. */
  now?: null | string;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** Reference to the file to render. */
  root: string;
  /** The active tools: names or definitions, which may be mixed. */
  tools?: GivenToolList | null;
  /** Variables, read as vars.<name>. */
  vars?: null | Record<string, unknown>;
}

export interface GivenRequestFragment {
  /** The text, taken literally. */
  body?: null | string;
  /** Region relative to the agent's own block; default before. */
  bucket?: "before" | "after" | null;
  /** A contract that is written instead of a body. */
  contract?: GivenPromptContract | null;
  /** In edn, write an objective with spaces as a string, so that it reads back as it was; default false. */
  exact?: null | boolean;
  /** Path of a text file inside the project, relative to this file, whose text is taken literally instead of a body. Front matter at its top is left out. */
  file?: null | string;
  /** How the contract is written; default lines. */
  form?: "lines" | "edn" | "plain" | "json" | "xml" | "toon" | "markdown" | null;
  /** Fragments of one group are all in or all out under a budget. */
  group?: null | string;
  /** Stable identifier, unique in the prompt. */
  id: string;
  /** Who is left out first over a budget: the lowest number; default required, which never is. */
  importance?: number | "required" | null;
  /** Set by the program. */
  layer?: null;
  /** Ids without which this one is out too. */
  needs?: null | string[];
  /** Set by the program. */
  origin?: null;
  /** Cannot be dropped or replaced. */
  protected?: null | boolean;
  /** In only when at least one of the named tools is active. */
  requires_any_tools?: null | string[];
  /** In only when every named capability is set. */
  requires_caps?: null | string[];
  /** In only when every named tool is active. */
  requires_tools?: null | string[];
  /** Heading that neighbours of the same section share, printed with ##. */
  section?: null | string;
  /** Who contributed it, for grouping. */
  source?: null | string;
  /** How often the bytes change; default static. */
  stability?: "static" | "session" | "turn" | null;
  /** Reference to a prompt file, such as $workspace/review, that is rendered instead of a body. */
  template?: null | string;
  /** Set by the program. */
  tight?: null;
  /** Heading of its own, printed with ###. */
  title?: null | string;
  /** Whose text it is; default host, which it can only lower. Text of workspace, tool and session is scanned and quoted. */
  trust?: "host" | "user" | "workspace" | "tool" | "session" | null;
  /** Shorter bodies, tried before the fragment is left out over a budget, each for the one before it. */
  variants?: null | string[];
  /** A further condition. */
  when?: null | string;
}

export interface ScopeRequest {
  /** Absolute folder of relative targets and paths. */
  base?: null | string;
  /** The paths to ask about. */
  paths: string[];
  scope: {
    /** What is permitted; at least one rule. */
    allow: ({
      /** What the rule is about; write includes read. */
      permission: "read" | "write";
      /** False: the target and its direct children alone; default true. */
      recursive?: null | boolean;
      /** A path, absolute or relative to this file. It need not exist. Under deny, *, ? and [ make it a pattern. */
      target: string;
    })[];
    /** What is not, however much is allowed. */
    deny?: null | ({
      /** What the rule is about; write includes read. */
      permission: "read" | "write";
      /** False: the target and its direct children alone; default true. */
      recursive?: null | boolean;
      /** A path, absolute or relative to this file. It need not exist. Under deny, *, ? and [ make it a pattern. */
      target: string;
    })[];
    /** Tell in the prompt what deny rules make read only or not accessible; default true, in a request false. */
    show_denied?: null | boolean;
  };
}

export interface GivenSection {
  /** Its parts, in order. */
  entries?: null | GivenEntry[];
  /** The heading, printed with ##. */
  title?: null | string;
}

export interface GivenSectionPlan {
  /** The sections, in the order of the prompt. */
  sections: GivenSection[];
}

export interface SessionRequest {
  /** Reach the sessions of every project, and not those of this one alone; default false. */
  any_project?: null | boolean;
  /** Keep every envelope where it was sent first; default that of the manifest. */
  append_only?: null | boolean;
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** Read the files, and remind of those that changed; default false. */
  check_drift?: null | boolean;
  /** Name of the session that is forked. */
  child?: null | string;
  /** Delete those that were forked from it, too; default false. */
  children?: null | boolean;
  /** List those before the place that an answer named. */
  cursor?: null | string;
  /** Refuse unless the session has this version. */
  expect?: null | number;
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** Name of the session. */
  id?: null | string;
  /** A session is made of a project. */
  input?: null;
  /** An idempotency key: asked for again with the same one, it is not done again. */
  key?: null | string;
  /** The session's own layer. */
  layer?: GivenLayer | null;
  /** List at most so many, the newest; default all. */
  limit?: null | number;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** The reminders that are cleared: by id, tag or dedupe_key, all of which have to match. */
  match?: null | {
    /** Those with this key. */
    dedupe_key?: null | string;
    /** The one with this id. */
    id?: null | string;
    /** Those with this tag. */
    tag?: null | string;
  };
  /** How often the prompt is made: once or per_turn; default that of the manifest. */
  materialise?: "once" | "per_turn" | null;
  /** What the host wants to know of the session: any JSON of at most 64 KiB. */
  metadata?: unknown;
  /** Name of the model. */
  model?: null | string;
  /** What the host knows in this turn, for the providers. */
  moment?: null | {
    /** What else the host knows: any JSON of at most 64 KiB. */
    data?: unknown;
    /** How many turns went by without anything being done. */
    idle_turns?: null | number;
    /** The session goes on in another run; default false. */
    resumed?: null | boolean;
    /** How many tokens are in use, of the window, which has to be there then. */
    tokens_used?: null | number;
    /** Outputs of tools that were cut since the last turn. */
    truncated?: null | {
      kept: number;
      tool: string;
      total: number;
    }[];
    /** How many tokens the model's window has. */
    window?: null | number;
  };
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** What is done: start, turn, turn_end, remind, clear, compact, fork, touch, usage, rematerialise, drift, cache, show, scope, list, adopt or delete. */
  op: "start" | "turn" | "turn_end" | "remind" | "clear" | "compact" | "fork" | "touch" | "usage" | "rematerialise" | "drift" | "cache" | "show" | "scope" | "list" | "adopt" | "delete";
  /** List those that were forked from this session. */
  parent?: null | string;
  /** Files that are worked on, or asked about, from the folder of the run. */
  paths?: null | string[];
  /** Where reminders go: system, turn or native; default that of the manifest. */
  placement?: "system" | "turn" | "native" | null;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Providers that are asked, and -name for those that are not; default those of the manifest. */
  providers?: null | string[];
  /** Why the prompt is made anew, in a line. */
  reason?: null | string;
  /** What a compaction kept of the conversation. */
  recap?: null | string;
  /** The reminder that is injected. */
  reminder?: GivenReminder | null;
  /** Which request of the turn was billed, from 1; default 1. */
  request?: null | number;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** Where sessions are: a file, or the address of a PostgreSQL database. Default that of the project, else the user's. */
  store?: null | string;
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** The turn that was billed, from 0. */
  turn?: null | number;
  /** What the provider billed, in its own words: its usage, or the answer that holds it. */
  usage?: unknown;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Asks for the whole request of a provider. */
  wire?: null | {
    /** Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest. */
    extra?: null | Record<string, unknown>;
    /** Most tokens of the answer; default that of the manifest. */
    max_tokens?: null | number;
    /** The conversation, oldest first. */
    messages?: null | ({
      /** The message in the form's own terms instead of a text, sent byte for byte. */
      raw?: unknown;
      /** user or assistant, with text. */
      role?: null | string;
      /** What was said. */
      text?: null | string;
      /** The turn of the session that it is of. */
      turn?: 1 | null;
    })[];
    /** Leave the conversation out; default false. */
    partial?: null | boolean;
    /** Name of the form of the request, such as anthropic; default that of the manifest, else the model's. */
    provider?: null | string;
  };
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export interface GivenSlotLayer {
  /** What is added. */
  contributions?: null | GivenContribution[];
  /** Take single contributions of lower layers out, by their key. */
  remove?: null | string[];
  /** Take out everything that lower layers contributed. */
  reset?: null | boolean;
}

export interface TokensRequest {
  /** Name of the encoding that counts, instead of a model's. */
  encoding?: null | string;
  /** Name of the model whose encoding counts. */
  model?: null | string;
  /** The texts, each counted by itself. */
  texts: string[];
}

export interface GivenTool {
  /** MCP: a text under guidance is the guidance; the rest is in no request. */
  _meta?: unknown;
  /** OpenAI, Anthropic: who may call the tool, in the terms of one of them. */
  allowed_callers?: unknown;
  /** MCP; for clients, in no request. */
  annotations?: unknown;
  /** Gemini: whether the model waits for results. */
  behavior?: unknown;
  /** Anthropic: breakpoint of the prompt cache after the tool. */
  cache_control?: unknown;
  /** OpenAI, Anthropic: leave the tool to the search for tools. */
  defer_loading?: unknown;
  /** What the tool does, for the model. */
  description?: null | string;
  /** Anthropic: stream arguments unchecked. */
  eager_input_streaming?: unknown;
  /** MCP; for clients, in no request. */
  execution?: unknown;
  /** OpenAI: the definition itself. */
  function?: null | {
    /** What the tool does, for the model. */
    description?: null | string;
    /** When and how to use the tool; here or beside function. */
    guidance?: null | string;
    /** Name of the tool, compared exactly. */
    name?: null | string;
    /** JSON Schema of the arguments. */
    parameters?: null | Record<string, unknown>;
    /** Hold calls to the schema. */
    strict?: unknown;
  };
  /** When and how to use the tool. It goes into the prompt while the tool is active, and never to a provider. */
  guidance?: null | string;
  /** MCP; for clients, in no request. */
  icons?: unknown;
  /** MCP: JSON Schema of the arguments. */
  inputSchema?: null | Record<string, unknown>;
  /** Anthropic: examples of arguments. */
  input_examples?: unknown;
  /** Anthropic: JSON Schema of the arguments. */
  input_schema?: null | Record<string, unknown>;
  /** Name of the tool, compared exactly. */
  name?: null | string;
  /** MCP; for clients, in no request. */
  outputSchema?: unknown;
  /** OpenAI: JSON Schema of results. */
  output_schema?: unknown;
  /** JSON Schema of the arguments. */
  parameters?: null | Record<string, unknown>;
  /** Gemini: schema of results. */
  response?: unknown;
  /** OpenAI, Anthropic, Bedrock: hold calls to the schema. */
  strict?: unknown;
  /** MCP; for clients, in no request. */
  title?: unknown;
  /** OpenAI, Anthropic: kind of tool. */
  type?: null | string;
}

export type GivenToolList = (string | GivenTool | {
  guidance?: null | string;
  mcp_server_name?: null | string;
  name?: null | string;
  server_label?: null | string;
  type: string;
} | {
  guidance?: null | string;
  name: string;
  type: "custom";
} | {
  custom: {
    name: string;
  };
  guidance?: null | string;
  type: "custom";
})[] | {
  /** Servers stand in the manifest alone. */
  mcp?: null;
  /** The list. */
  tools: (string | GivenTool | {
    guidance?: null | string;
    mcp_server_name?: null | string;
    name?: null | string;
    server_label?: null | string;
    type: string;
  } | {
    guidance?: null | string;
    name: string;
    type: "custom";
  } | {
    custom: {
      name: string;
    };
    guidance?: null | string;
    type: "custom";
  })[];
};

export interface WhyRequest {
  /** How text is read: id, at (a file) or text; default the first of them that fits. */
  as?: null | string;
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest. */
  extra?: null | Record<string, unknown>;
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Most tokens of the answer; default that of the manifest. */
  max_tokens?: null | number;
  /** The conversation, oldest first. */
  messages?: null | ({
    /** The message in the form's own terms instead of a text, sent byte for byte. */
    raw?: unknown;
    /** user or assistant, with text. */
    role?: null | string;
    /** What was said. */
    text?: null | string;
    /** The turn of the session that it is of. */
    turn?: 1 | null;
  })[];
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Leave the conversation out; default false. */
  partial?: null | boolean;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Name of the form of the request, such as anthropic; default that of the manifest, else the model's. */
  provider?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** The id of a fragment; FILE, FILE:LINE or FILE:LINE:COLUMN; or else a text to look for, in which white space is folded. */
  text: string;
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export interface WireRequest {
  /** How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay. */
  budget?: number | string | null;
  /** Capabilities that are set as well. */
  caps?: null | string[];
  /** Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest. */
  extra?: null | Record<string, unknown>;
  /** The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's. */
  files?: null | Record<string, string>;
  /** Further fragments, behind those of the project, in the order of the prompt. */
  fragments?: null | GivenRequestFragment[];
  /** A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record. */
  input?: null | Record<string, unknown> | string;
  /** A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request. */
  manifest?: null | Record<string, unknown>;
  /** Most tokens of the answer; default that of the manifest. */
  max_tokens?: null | number;
  /** The conversation, oldest first. */
  messages?: null | ({
    /** The message in the form's own terms instead of a text, sent byte for byte. */
    raw?: unknown;
    /** user or assistant, with text. */
    role?: null | string;
    /** What was said. */
    text?: null | string;
    /** The turn of the session that it is of. */
    turn?: 1 | null;
  })[];
  /** Name of the model. */
  model?: null | string;
  /** The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other. */
  now?: null | string;
  /** Leave the conversation out; default false. */
  partial?: null | boolean;
  /** Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in. */
  prefixes?: null | Record<string, {
    /** Texts of prompt files by their paths below the prefix, such as d/rest.md. */
    files: Record<string, string>;
    /** How far the files are trusted: host, user, workspace, tool or session. */
    trust: "host" | "user" | "workspace" | "tool" | "session";
  }>;
  /** The agent's own block. */
  primary?: null | {
    /** Fragments that stand instead of everything else in the block, each gated and traced on its own. */
    parts: GivenRequestFragment[];
  };
  /** A project profile that stands instead of the project's own, as cento profile --json prints it. */
  profile?: null | {
    /** Names of capabilities that are set. */
    caps?: null | string[];
    /** Fragments of the profile, in the order of the prompt. */
    fragments?: null | GivenLiteralFragment[];
    /** Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>. */
    signals?: null | Record<string, unknown>;
  };
  /** Folder of a project, from the folder of the run. */
  project?: null | string;
  /** Name of the form of the request, such as anthropic; default that of the manifest, else the model's. */
  provider?: null | string;
  /** Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets. */
  root?: null | string;
  /** The active skills, instead of those of the manifest. */
  skills?: null | string[];
  /** The agent's main text, instead of the project's. */
  system?: null | string;
  /** Behind the agent's own block. */
  system_appendix?: GivenHostOption | null;
  /** Behind system_prefix. */
  system_context?: GivenHostOption | null;
  /** First of all texts. */
  system_preamble?: GivenHostOption | null;
  /** Behind system_preamble. */
  system_prefix?: GivenHostOption | null;
  /** Behind system_context, most often a list. */
  system_prompt_parts?: GivenHostOption | null;
  /** Behind system_appendix. */
  system_suffix?: GivenHostOption | null;
  /** A target of the manifest. */
  target?: null | string;
  /** The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest. */
  tools?: GivenToolList | null;
  /** Variables for prompt files and conditions, over those of the manifest. */
  vars?: null | Record<string, unknown>;
  /** Capabilities that are not set. */
  without_caps?: null | string[];
  /** Tools that are not active. */
  without_tools?: null | string[];
}

export interface BeginTurn {
  check_drift?: boolean;
  idle_turns?: number;
  messages?: unknown;
  partial?: boolean;
  provider?: string;
  resumed?: boolean;
  tokens_used?: number;
  truncated?: CutOutput[];
  window?: number;
  with?: unknown;
}

export interface ClearReminders {
  dedupe_key?: string;
  id?: string;
  tag?: string;
}

export interface Compact {
  recap?: string;
}

export interface CutOutput {
  kept: number;
  tool: string;
  total: number;
}

export interface DriftOf {
  with?: unknown;
}

export type EndTurn = Record<string, unknown>;

export interface Fork {
  child: string;
}

export interface Health {
  ok: boolean;
}

export interface ProjectAnswer {
  caps: string[];
  drifted: boolean;
  error?: ErrorObject | null;
  input: string;
  model: string;
  name: string;
  root: string;
  targets: string[];
  tools: string[];
}

export interface ProjectsAnswer {
  projects: ProjectAnswer[];
}

export interface RecordsAnswer {
  found?: RecordSearch | null;
  next: string;
  records?: StoreSummary[];
}

export interface Rematerialise {
  layer?: unknown;
  reason?: string;
  with?: unknown;
}

export interface Remind {
  reminder: unknown;
}

export interface RunTests {
  allow_none?: boolean;
  coverage?: boolean;
  coverage_min?: number | null;
  fail_fast?: boolean;
  mutate?: boolean;
  mutate_min?: number | null;
  run?: string;
  target?: string | null;
}

export interface SessionsAnswer {
  next: string;
  sessions: SessionListed[];
}

export interface StartSession {
  append_only?: boolean | null;
  id: string;
  layer?: unknown;
  materialise?: string | null;
  placement?: string | null;
  project: string;
  providers?: string[];
  with?: unknown;
}

export interface TellUsage {
  request?: number | null;
  turn: number;
  usage: unknown;
}

export interface Timeline {
  next: string;
  records: StoreSummary[];
  session: SessionShown | null;
}

export interface Touch {
  files: string[];
}

export interface SessionBilled {
  epoch: number;
  replayed: boolean;
  session: string;
  turn: number;
  usage: SessionUsage;
  version: number;
}

export interface SessionChanged {
  epoch: number;
  events: ReminderEvent[];
  notes?: Note[];
  pending: unknown[];
  replayed: boolean;
  session: string;
  turn: number;
  version: number;
}

export interface SessionDrift {
  caps: SessionSetChange;
  clock: SessionNameChange | null;
  drifted: boolean;
  epoch: number;
  files: string[];
  fragments: SessionDriftedFragment[];
  model: SessionNameChange | null;
  notes?: Note[];
  replayed: boolean;
  session: string;
  tools: SessionSetChange;
  turn: number;
  version: number;
}

export interface SessionDriftedFragment {
  files: string[];
  from: string | null;
  id: string;
  to: string | null;
  what: string;
}

export interface SessionForked {
  epoch: number;
  events: ReminderEvent[];
  inherited: unknown[];
  notes?: Note[];
  parent: string;
  replayed: boolean;
  session: string;
  turn: number;
  version: number;
}

export interface SessionListed {
  base: StoreLink;
  created: string;
  cursor: string;
  epoch: number;
  head: StoreLink;
  id: string;
  parent: string;
  pending: number;
  project: string;
  turn: number;
  updated: string;
  version: number;
}

export interface SessionNameChange {
  from: string;
  to: string;
}

export interface SessionRematerialised {
  changed: boolean;
  digest: string | null;
  epoch: number;
  events: ReminderEvent[];
  from: string | null;
  made: boolean;
  noted_texts?: NotedText[];
  notes?: Note[];
  record: number;
  replayed: boolean;
  sacrificed?: Sacrificed[];
  session: string;
  turn: number;
  version: number;
}

export interface SessionSetChange {
  added: string[];
  removed: string[];
}

export interface SessionShown {
  append_only: boolean;
  caps?: string[];
  digest: string | null;
  epoch: number;
  layer: unknown;
  materialise: string;
  metadata?: unknown;
  notes?: Note[];
  parent?: string;
  pending: unknown[];
  placement: string | null;
  project: string;
  providers: string[];
  record: number;
  replayed: boolean;
  scope?: WorkspaceRule[];
  sent: ReminderSentEnvelope[];
  session: string;
  tools?: string[];
  turn: number;
  turn_built: boolean;
  version: number;
}

export interface SessionStarted {
  digest: string | null;
  epoch: number;
  made: boolean;
  noted_texts?: NotedText[];
  notes?: Note[];
  record: number;
  replayed: boolean;
  sacrificed?: Sacrificed[];
  session: string;
  turn: number;
  version: number;
}

export interface SessionTurn {
  active: Active;
  digest: string | null;
  drift?: SessionDrift | null;
  envelope: string | null;
  epoch: number;
  events: ReminderEvent[];
  messages?: ReminderMessage[];
  noted_texts?: NotedText[];
  notes?: Note[];
  placement: string;
  record: number;
  reminders: string[];
  reminders_record?: number;
  replayed: boolean;
  request?: WireResult | null;
  sacrificed?: Sacrificed[];
  sent?: ReminderSentEnvelope[];
  session: string;
  system: string | null;
  turn: number;
  version: number;
}

export interface SessionUsage {
  form: string;
  input: number;
  paid: number | null;
  read: number | null;
  request: number;
  turn: number;
  unread: string[];
  written: number | null;
}

export interface StoreDeleted {
  records: number;
  sessions: string[];
}

export interface StoreFragment {
  code: string;
  digest: string | null;
  id: string;
  included: boolean;
  layer: string | null;
  origin: Position | null;
  reason: string;
  source: string;
  span: number[] | null;
  trust: string;
}

export interface StoreLink {
  hash: string;
  seq: number;
}

export interface StoreSummary {
  at: string;
  hash: string;
  label: string;
  project: string;
  prompt_digest: string | null;
  seq: number;
  session: string;
}

export interface WireBreakpoint {
  after: string;
  end: number;
  pointer: string;
  tokens: number | null;
  ttl: string;
}

export interface WireCacheObject {
  body: string;
  digest: string;
  url_path: string;
}

export interface WireHeader {
  name: string;
  value: string;
}

export interface WireLoss {
  code: string;
  fragment: string;
  hint?: string;
  message: string;
  origin?: Position;
  pointer?: string;
  severity: string;
  source?: string;
}

export interface WireSlice {
  end: number;
  pointer: string;
  span: number;
  start: number;
}

export interface WireResult {
  body: string;
  breakpoints: WireBreakpoint[];
  cache_object: WireCacheObject | null;
  encoding?: string;
  framing_known: boolean;
  framing_tokens: number | null;
  headers: WireHeader[];
  losses: WireLoss[];
  map: WireSlice[];
  spans: Span[];
  system_tokens: number | null;
  tokens_exact: boolean;
  tool_tokens: number | null;
  tools_exact: boolean;
  url_path: string;
}

export interface WireUsage {
  form: string;
  input: number;
  paid: number | null;
  read: number | null;
  unread: string[];
  written: number | null;
}

export interface WorkspaceRule {
  effect: string;
  pattern?: boolean;
  permission: string;
  position?: Position;
  recursive: boolean;
  target: string;
}

/** Operations about a project, and those that a service answers about its own. */
export const projectOperations: ReadonlySet<string>;
export const servedOperations: ReadonlySet<string>;

export abstract class Operations {
  abstract call(op: string, request?: object): Promise<any>;
  /** What each part of a prompt is worth: its tokens, and what goes and comes with it. */
  ablate(request?: AblateRequest): Promise<AblationAnswer>;
  /** The prompt of a project, on disk or handed over. */
  assemble(request?: AssembleRequest): Promise<Assembled>;
  /** What a budget of tokens leaves of a prompt, and in which order it takes. */
  budget(request?: BudgetRequest): Promise<Budgeted>;
  /** What a change costs in the prompt cache, and what it breaks. */
  cache(request: CacheRequest): Promise<Cached>;
  /** What is doubtful about the prompts of a project. */
  check(request?: CheckRequest): Promise<CheckAnswer>;
  /** Write a contract in a form, or read one. */
  contract(request?: ContractRequest): Promise<ContractAnswer>;
  /** What is different between two prompts of a project. */
  diff(request: DiffRequest): Promise<Compared>;
  /** What is in the prompt of a project, and why. */
  explain(request?: ExplainRequest): Promise<Explanation>;
  /** Which instruction files are loaded, by whose rules. */
  instructions(request?: InstructionsRequest): Promise<InstructionsReport>;
  /** The prompt of layers that are handed over, and what each does. */
  layers(request: LayersRequest): Promise<LayersAnswer>;
  /** The language models that are known, with prices and prompt caches. */
  models(request?: ModelsRequest): Promise<Models>;
  /** One prompt of fragments, and why each is in or out. */
  reduce(request: ReduceRequest): Promise<Explanation>;
  /** What operations make of the reminders of a session. */
  reminders(request: RemindersRequest): Promise<RemindersAnswer>;
  /** The text of a prompt file, and where each stretch came from. */
  render(request: RenderRequest): Promise<Rendering>;
  /** What is permitted at paths, and the rules that decide it. */
  scope(request: ScopeRequest): Promise<ScopeAnswer>;
  /** How many tokens texts have. */
  tokens(request: TokensRequest): Promise<Counts>;
  /** Where a text of a prompt comes from, or why it isn't there. */
  why(request: WhyRequest): Promise<Why>;
  /** The prompt of a project as the request of a provider. */
  wire(request?: WireRequest): Promise<WireBody>;
}

/** What a transition of a session asks for besides. */
export interface Transition {
  /** The version that the session must have. */
  expect?: number;
  /** Asked for again with the same one, it is not done again; default one of the client's making. */
  key?: string;
}

export type Route = (
  method: string, path: string, places: Record<string, string>, body: object | undefined, query: Record<string, unknown>, headers: Record<string, unknown>,
) => Promise<any>;

/** The projects of a service. */
export class Projects {
  constructor(route: Route, project?: string);
  /** One project. */
  show(project?: string): Promise<ProjectAnswer>;
  /** Run the tests of a project's prompts; nothing is written. */
  test(request?: RunTests, project?: string): Promise<TestAnswer>;
  /** The projects that the token reaches. */
  list(): Promise<ProjectsAnswer>;
}

/** What a service has recorded. */
export class Records {
  constructor(route: Route, project?: string);
  /** Sessions and records as JSON lines, as cento log import reads them. */
  export(query?: { session?: string | number | boolean }): Promise<string | null>;
  /** A record, by its hash or as SESSION@NUMBER. */
  show(record: string): Promise<ShownRecord>;
  /** Make the prompt of a record again, of nothing but its input. */
  replay(record: string): Promise<Replay>;
  /** What was recorded, the newest first; with text, where it stands. */
  list(query?: { session?: string | number | boolean; text?: string | number | boolean; since?: string | number | boolean; until?: string | number | boolean; limit?: string | number | boolean; cursor?: string | number | boolean }): Promise<RecordsAnswer>;
  /** What is different between two records. */
  diff(query?: { a?: string | number | boolean; b?: string | number | boolean }): Promise<Difference>;
}

/** How a service stands. */
export class Standing {
  constructor(route: Route, project?: string);
  /** Whether the process answers. */
  alive(): Promise<Health>;
  /** What operators watch, as Prometheus reads it. */
  metrics(): Promise<string | null>;
  /** This document. */
  document(): Promise<unknown>;
  /** Whether the store is there, and no end is near. */
  ready(): Promise<Health>;
}

/** The sessions of a service. */
export class Sessions {
  constructor(route: Route, project?: string);
  /** What became of its turns in the prompt cache, and what broke it. */
  cache(session: string, query?: { model?: string | number | boolean }): Promise<CacheReport>;
  /** Take reminders out. */
  clear(session: string, request?: ClearReminders, options?: Transition): Promise<SessionChanged>;
  /** Tell that the conversation was compacted. */
  compact(session: string, request?: Compact, options?: Transition): Promise<SessionChanged>;
  /** Delete a session, with its prompt and its records. */
  delete(session: string, query?: { children?: string | number | boolean }, options?: Transition): Promise<StoreDeleted>;
  /** How the prompt that the files would give differs from the one that it has. */
  drift(session: string, request?: DriftOf): Promise<SessionDrift>;
  /** Begin a child session. */
  fork(session: string, request: Fork, options?: Transition): Promise<SessionForked>;
  /** The exact bytes of its prompt; 204 where it has no system prompt. */
  prompt(session: string): Promise<string | null>;
  /** Make the prompt anew, on record. */
  rematerialise(session: string, request?: Rematerialise, options?: Transition): Promise<SessionRematerialised>;
  /** Inject a reminder. */
  remind(session: string, request: Remind, options?: Transition): Promise<SessionChanged>;
  /** How a session stands. */
  show(session: string): Promise<SessionShown>;
  /** Begin a session, and make its prompt. */
  start(request: Omit<StartSession, "project"> & { project?: string }, options?: Transition): Promise<SessionStarted>;
  /** How it stands, with what was recorded of it last. */
  timeline(session: string, query?: { limit?: string | number | boolean; cursor?: string | number | boolean }): Promise<Timeline>;
  /** Tell which files are worked on. */
  touch(session: string, request: Touch, options?: Transition): Promise<SessionChanged>;
  /** Begin the next turn: what the model is asked with. */
  turn(session: string, request?: BeginTurn, options?: Transition): Promise<SessionTurn>;
  /** End the turn, and begin none. */
  turnEnd(session: string, request?: EndTurn, options?: Transition): Promise<SessionChanged>;
  /** Keep what a provider billed for a request of a turn. */
  usage(session: string, request: TellUsage, options?: Transition): Promise<SessionBilled>;
  /** The sessions that the token reads, as they began; the newest where there are more. */
  list(query?: { project?: string | number | boolean; parent?: string | number | boolean; limit?: string | number | boolean; cursor?: string | number | boolean }): Promise<SessionsAnswer>;
}
