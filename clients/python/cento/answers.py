"""The objects of answers. A later version may add keys.

Made of the OpenAPI document of the service by `go test ./clients -update`.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .value import Value


class CheckAnswer(Value):
    __slots__ = ()
    _shapes = {
        "errors": None,
        "findings": ["LintFinding"],
        "ignored": None,
        "known": None,
        "mended": ["MendedFile"],
        "notes": None,
        "ok": None,
        "stale": ["LintKnownFinding"],
        "targets": [None],
        "warnings": None,
    }
    errors: int
    findings: List[LintFinding]
    ignored: int
    known: Optional[int]
    mended: List[MendedFile]
    notes: int
    ok: bool
    stale: List[LintKnownFinding]
    targets: List[str]
    warnings: int


class ContractAnswer(Value):
    __slots__ = ()
    _shapes = {
        "contract": None,
        "notes": ["Note"],
        "readable": None,
        "report": "ContractReport",
        "retry": None,
        "shape": None,
        "text": None,
    }
    contract: Any
    notes: List[Note]
    readable: Optional[bool]
    report: Optional[ContractReport]
    retry: Optional[str]
    shape: Optional[str]
    text: Optional[str]


class ErrorObject(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "errors": ["ErrorObject"],
        "hint": None,
        "message": None,
        "path": None,
        "position": "Position",
        "related": ["Related"],
    }
    code: str
    errors: List[ErrorObject]
    hint: str
    message: str
    path: Optional[str]
    position: Optional[Position]
    related: List[Related]


class Flip(Value):
    __slots__ = ()
    _shapes = {
        "by": None,
        "gate": None,
        "id": None,
    }
    by: str
    gate: str
    id: str


class FoundFragment(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "digest": None,
        "id": None,
        "included": None,
        "layer": None,
        "origin": "Position",
        "places": ["Position"],
        "reason": None,
        "source": None,
        "span": None,
        "trust": None,
    }
    code: str
    digest: Optional[str]
    id: str
    included: bool
    layer: Optional[str]
    origin: Optional[Position]
    places: List[Position]
    reason: str
    source: str
    span: Optional[List[int]]
    trust: str


class GateChange(Value):
    __slots__ = ()
    _shapes = {
        "field": None,
        "from_": None,
        "id": None,
        "to": None,
    }
    _keys = {"from_": "from"}
    field: str
    from_: str
    id: str
    to: str


class InstructionFile(Value):
    __slots__ = ()
    _shapes = {
        "bytes": None,
        "code": None,
        "from_": None,
        "imported": None,
        "on_demand": None,
        "path": None,
        "reason": None,
        "status": None,
        "to": None,
        "tokens": None,
        "trust": None,
    }
    _keys = {"from_": "from"}
    bytes: int
    code: Optional[str]
    from_: int
    imported: Optional[bool]
    on_demand: Optional[bool]
    path: str
    reason: str
    status: str
    to: int
    tokens: int
    trust: str


class InstructionsReport(Value):
    __slots__ = ()
    _shapes = {
        "bytes": None,
        "encoding": None,
        "exact": None,
        "files": ["InstructionFile"],
        "measured": None,
        "notes": ["Note"],
        "profile": None,
        "text": None,
        "tokens": None,
        "version": None,
    }
    bytes: int
    encoding: str
    exact: bool
    files: List[InstructionFile]
    measured: Optional[str]
    notes: List[Note]
    profile: str
    text: Optional[str]
    tokens: int
    version: Optional[str]


class MendedFile(Value):
    __slots__ = ()
    _shapes = {
        "file": None,
        "fixes": None,
    }
    file: str
    fixes: int


class Models(Value):
    __slots__ = ()
    _shapes = {
        "models": ["Model"],
        "notes": ["Note"],
        "query": None,
        "remarks": {"*": None},
    }
    models: List[Model]
    notes: List[Note]
    query: str
    remarks: Dict[str, str]


class Parting(Value):
    __slots__ = ()
    _shapes = {
        "behind_tokens": None,
        "cost": None,
        "exact": None,
        "fragment": None,
        "offset": None,
        "shared_tokens": None,
        "unchanged_cost": None,
    }
    behind_tokens: int
    cost: Optional[float]
    exact: bool
    fragment: str
    offset: int
    shared_tokens: int
    unchanged_cost: Optional[float]


class RecordMatch(Value):
    __slots__ = ()
    _shapes = {
        "at": None,
        "fragments": ["FoundFragment"],
        "hash": None,
        "label": None,
        "project": None,
        "prompt_digest": None,
        "seq": None,
        "session": None,
    }
    at: str
    fragments: List[FoundFragment]
    hash: str
    label: str
    project: str
    prompt_digest: Optional[str]
    seq: int
    session: str


class RecordSearch(Value):
    __slots__ = ()
    _shapes = {
        "ignored_case": None,
        "matches": ["RecordMatch"],
        "more": None,
        "texts": None,
    }
    ignored_case: bool
    matches: List[RecordMatch]
    more: bool
    texts: int


class RenderSpan(Value):
    __slots__ = ()
    _shapes = {
        "column": None,
        "end": None,
        "file": None,
        "line": None,
        "start": None,
        "trust": None,
        "var": None,
    }
    column: int
    end: int
    file: str
    line: int
    start: int
    trust: str
    var: str


class Rendering(Value):
    __slots__ = ()
    _shapes = {
        "notes": ["Note"],
        "spans": ["RenderSpan"],
        "text": None,
    }
    notes: List[Note]
    spans: List[RenderSpan]
    text: str


class Replay(Value):
    __slots__ = ()
    _shapes = {
        "recorded": None,
        "replayed": None,
        "same": None,
        "seq": None,
        "session": None,
    }
    recorded: str
    replayed: str
    same: bool
    seq: int
    session: str


class ShownRecord(Value):
    __slots__ = ()
    _shapes = {
        "at": None,
        "fragments": ["StoreFragment"],
        "hash": None,
        "input_digest": None,
        "label": None,
        "last_prompt": None,
        "notes": ["Note"],
        "prev": None,
        "project": None,
        "prompt_digest": None,
        "seq": None,
        "session": None,
    }
    at: str
    fragments: List[StoreFragment]
    hash: str
    input_digest: str
    label: str
    last_prompt: Optional[str]
    notes: List[Note]
    prev: str
    project: str
    prompt_digest: Optional[str]
    seq: int
    session: str


class TestAnswer(Value):
    __slots__ = ()
    _shapes = {
        "coverage": "PrompttestCoverage",
        "failed": None,
        "mutation": "PrompttestMutation",
        "notes": ["Note"],
        "ok": None,
        "orphans": [None],
        "passed": None,
        "results": ["PrompttestResult"],
        "short": ["PrompttestShortfall"],
        "skipped": None,
        "updated": [None],
    }
    coverage: Optional[PrompttestCoverage]
    failed: int
    mutation: Optional[PrompttestMutation]
    notes: List[Note]
    ok: bool
    orphans: List[str]
    passed: int
    results: List[PrompttestResult]
    short: List[PrompttestShortfall]
    skipped: int
    updated: List[str]


class WeightChange(Value):
    __slots__ = ()
    _shapes = {
        "from_": None,
        "id": None,
        "to": None,
    }
    _keys = {"from_": "from"}
    from_: int
    id: str
    to: int


class CacheBilled(Value):
    __slots__ = ()
    _shapes = {
        "input": None,
        "paid": None,
        "read": None,
        "steps": None,
        "unknown": None,
        "written": None,
    }
    input: int
    paid: int
    read: int
    steps: int
    unknown: int
    written: int


class CacheCause(Value):
    __slots__ = ()
    _shapes = {
        "fragment": None,
        "kind": None,
        "provider": None,
        "witnesses": ["CacheWitness"],
    }
    fragment: Optional[str]
    kind: str
    provider: Optional[str]
    witnesses: List[CacheWitness]


class CacheCost(Value):
    __slots__ = ()
    _shapes = {
        "best_order": None,
        "placement_turn": None,
        "predicted": None,
        "uncached": None,
    }
    best_order: Optional[float]
    placement_turn: Optional[float]
    predicted: float
    uncached: float


class CacheDeviation(Value):
    __slots__ = ()
    _shapes = {
        "read": None,
        "reasons": [None],
    }
    read: int
    reasons: List[str]


class CacheDifference(Value):
    __slots__ = ()
    _shapes = {
        "behind": None,
        "fragment": None,
        "offset": None,
        "pointer": None,
        "position": "Position",
    }
    behind: int
    fragment: str
    offset: int
    pointer: str
    position: Optional[Position]


class CacheHint(Value):
    __slots__ = ()
    _shapes = {
        "behind": None,
        "change": None,
        "fragment": None,
        "keeps": None,
        "stability": None,
        "ttl": None,
    }
    behind: Optional[str]
    change: str
    fragment: Optional[str]
    keeps: int
    stability: Optional[str]
    ttl: Optional[str]


class CacheMark(Value):
    __slots__ = ()
    _shapes = {
        "hit": None,
        "pointer": None,
        "read": None,
        "tokens": None,
        "ttl": None,
        "why": None,
    }
    hit: bool
    pointer: str
    read: int
    tokens: int
    ttl: str
    why: Optional[str]


class CachePrediction(Value):
    __slots__ = ()
    _shapes = {
        "paid": None,
        "read": None,
        "written": None,
        "written_by_ttl": {"*": None},
    }
    paid: int
    read: int
    written: int
    written_by_ttl: Dict[str, int]


class CacheReport(Value):
    __slots__ = ()
    _shapes = {
        "cache": None,
        "encoding": None,
        "exact": None,
        "model": None,
        "order": [None],
        "steps": ["CacheStepReport"],
        "sum": "CacheSum",
        "uncounted": [None],
        "unpriced": [None],
    }
    cache: Any
    encoding: str
    exact: bool
    model: str
    order: List[str]
    steps: List[CacheStepReport]
    sum: CacheSum
    uncounted: List[str]
    unpriced: List[str]


class CacheStepReport(Value):
    __slots__ = ()
    _shapes = {
        "at": None,
        "billed": "WireUsage",
        "bytes": None,
        "causes": ["CacheCause"],
        "cost": "CacheCost",
        "deviation": "CacheDeviation",
        "difference": "CacheDifference",
        "hint": "CacheHint",
        "hint_of": None,
        "losses": ["WireLoss"],
        "lost": None,
        "marks": ["CacheMark"],
        "name": None,
        "predicted": "CachePrediction",
        "shared_bytes": None,
        "shared_tokens": None,
        "tokens": None,
    }
    at: Optional[str]
    billed: Optional[WireUsage]
    bytes: int
    causes: List[CacheCause]
    cost: Optional[CacheCost]
    deviation: Optional[CacheDeviation]
    difference: Optional[CacheDifference]
    hint: Optional[CacheHint]
    hint_of: Optional[int]
    losses: List[WireLoss]
    lost: int
    marks: List[CacheMark]
    name: str
    predicted: Optional[CachePrediction]
    shared_bytes: int
    shared_tokens: int
    tokens: int


class CacheSum(Value):
    __slots__ = ()
    _shapes = {
        "billed": "CacheBilled",
        "cost": "CacheCost",
        "lost": None,
        "predicted": "CachePrediction",
        "tokens": None,
    }
    billed: Optional[CacheBilled]
    cost: Optional[CacheCost]
    lost: int
    predicted: Optional[CachePrediction]
    tokens: int


class CacheWitness(Value):
    __slots__ = ()
    _shapes = {
        "change": None,
        "from_": None,
        "name": None,
        "position": "Position",
        "server": None,
        "to": None,
        "what": None,
    }
    _keys = {"from_": "from"}
    change: Optional[str]
    from_: Optional[str]
    name: str
    position: Optional[Position]
    server: Optional[str]
    to: Optional[str]
    what: str


class AblatedPart(Value):
    __slots__ = ()
    _shapes = {
        "back": [None],
        "definitions": None,
        "digest": None,
        "gone": [None],
        "name": None,
        "reworded": [None],
        "saved": None,
        "tokens": None,
        "without": [None],
    }
    back: List[str]
    definitions: Optional[int]
    digest: Optional[str]
    gone: List[str]
    name: str
    reworded: List[str]
    saved: int
    tokens: int
    without: List[str]


class AblationAnswer(Value):
    __slots__ = ()
    _shapes = {
        "basis": None,
        "by": None,
        "encoding": None,
        "exact": None,
        "model": None,
        "notes": ["Note"],
        "parts": ["AblatedPart"],
        "whole": "AblatedPart",
    }
    basis: Optional[str]
    by: str
    encoding: str
    exact: bool
    model: Optional[str]
    notes: List[Note]
    parts: List[AblatedPart]
    whole: AblatedPart


class Assembled(Value):
    __slots__ = ()
    _shapes = {
        "bytes": None,
        "digest": None,
        "encoding": None,
        "exact": None,
        "noted_texts": ["NotedText"],
        "notes": ["Note"],
        "sacrificed": ["Sacrificed"],
        "system": None,
        "tokens": None,
    }
    bytes: int
    digest: Optional[str]
    encoding: Optional[str]
    exact: Optional[bool]
    noted_texts: List[NotedText]
    notes: List[Note]
    sacrificed: List[Sacrificed]
    system: Optional[str]
    tokens: Optional[int]


class Budgeted(Value):
    __slots__ = ()
    _shapes = {
        "active_tools": None,
        "budget": None,
        "cached": None,
        "cached_lost": "CachedLoss",
        "curve": ["CurvePoint"],
        "cuts": ["Cut"],
        "dropped": None,
        "encoding": None,
        "exact": None,
        "form": None,
        "framing": None,
        "framing_known": None,
        "full": None,
        "given": None,
        "hold": None,
        "keep_cached": None,
        "least": None,
        "left": None,
        "limit": None,
        "limit_exact": None,
        "named": None,
        "notes": ["Note"],
        "policy": None,
        "prompt": None,
        "required": None,
        "reserve": None,
        "sequence": ["Sacrifice"],
        "shortened": None,
        "summary": None,
        "tools": None,
        "tools_exact": None,
        "whole": None,
    }
    active_tools: int
    budget: int
    cached: Optional[int]
    cached_lost: Optional[CachedLoss]
    curve: List[CurvePoint]
    cuts: List[Cut]
    dropped: int
    encoding: str
    exact: bool
    form: Optional[str]
    framing: Optional[int]
    framing_known: bool
    full: int
    given: Optional[int]
    hold: Optional[int]
    keep_cached: Optional[bool]
    least: int
    left: int
    limit: int
    limit_exact: bool
    named: bool
    notes: List[Note]
    policy: str
    prompt: int
    required: int
    reserve: int
    sequence: List[Sacrifice]
    shortened: int
    summary: str
    tools: int
    tools_exact: bool
    whole: int


class Cached(Value):
    __slots__ = ()
    _shapes = {
        "cache": None,
        "encoding": None,
        "exact": None,
        "model": None,
        "notes": ["Note"],
        "order": [None],
        "steps": ["CacheStepReport"],
        "sum": "CacheSum",
        "uncounted": [None],
        "unpriced": [None],
    }
    cache: Any
    encoding: str
    exact: bool
    model: str
    notes: List[Note]
    order: List[str]
    steps: List[CacheStepReport]
    sum: CacheSum
    uncounted: List[str]
    unpriced: List[str]


class Compared(Value):
    __slots__ = ()
    _shapes = {
        "added": ["Change"],
        "changed": ["Change"],
        "flips": ["Flip"],
        "gates": ["GateChange"],
        "moved": ["Change"],
        "notes": ["Note"],
        "parting": "Parting",
        "removed": ["Change"],
        "tokens": "TokenChange",
        "verdicts": ["Change"],
        "weights": ["WeightChange"],
    }
    added: List[Change]
    changed: List[Change]
    flips: List[Flip]
    gates: List[GateChange]
    moved: List[Change]
    notes: List[Note]
    parting: Optional[Parting]
    removed: List[Change]
    tokens: Optional[TokenChange]
    verdicts: List[Change]
    weights: List[WeightChange]


class Counts(Value):
    __slots__ = ()
    _shapes = {
        "basis": None,
        "counts": [None],
        "encoding": None,
        "exact": None,
        "model": None,
        "notes": ["Note"],
    }
    basis: Optional[str]
    counts: List[int]
    encoding: str
    exact: bool
    model: Optional[str]
    notes: List[Note]


class LayersAnswer(Value):
    __slots__ = ()
    _shapes = {
        "contributions": [None],
        "fragments": ["Trace"],
        "notes": ["Note"],
        "template": None,
        "text": None,
    }
    contributions: List[Any]
    fragments: List[Trace]
    notes: List[Note]
    template: Any
    text: str


class RemindersAnswer(Value):
    __slots__ = ()
    _shapes = {
        "child": None,
        "envelope": None,
        "events": ["ReminderEvent"],
        "fragments": ["RequestFragment"],
        "messages": ["ReminderMessage"],
        "notes": ["Note"],
        "session": None,
    }
    child: Any
    envelope: Optional[str]
    events: List[ReminderEvent]
    fragments: List[RequestFragment]
    messages: List[ReminderMessage]
    notes: List[Note]
    session: Any


class RequestFragment(Value):
    __slots__ = ()
    _shapes = {
        "body": None,
        "id": None,
        "source": None,
        "stability": None,
        "trust": None,
    }
    body: str
    id: str
    source: str
    stability: str
    trust: str


class ScopeAnswer(Value):
    __slots__ = ()
    _shapes = {
        "notes": ["Note"],
        "permissions": {"*": None},
        "rules": {"*": ["WorkspaceRule"]},
        "summary": None,
    }
    notes: List[Note]
    permissions: Dict[str, str]
    rules: Dict[str, Optional[List[WorkspaceRule]]]
    summary: str


class Why(Value):
    __slots__ = ()
    _shapes = {
        "at": "FileWhy",
        "form": None,
        "ignored_case": None,
        "losses": ["WireLoss"],
        "matches": ["Match"],
        "more": None,
        "named": "Match",
        "nearest": "Match",
        "nearest_id": None,
        "not_searched": [None],
        "notes": ["Note"],
        "request": ["WirePiece"],
        "request_more": None,
    }
    at: Optional[FileWhy]
    form: Optional[str]
    ignored_case: Optional[bool]
    losses: List[WireLoss]
    matches: List[Match]
    more: Optional[int]
    named: Optional[Match]
    nearest: Optional[Match]
    nearest_id: Optional[str]
    not_searched: List[str]
    notes: List[Note]
    request: List[WirePiece]
    request_more: Optional[int]


class WireBody(Value):
    __slots__ = ()
    _shapes = {
        "body": None,
        "breakpoints": ["WireBreakpoint"],
        "cache_object": "WireCacheObject",
        "encoding": None,
        "form": None,
        "framing_known": None,
        "framing_tokens": None,
        "headers": ["WireHeader"],
        "losses": ["WireLoss"],
        "map": ["WireSlice"],
        "noted_texts": ["NotedText"],
        "notes": ["Note"],
        "sacrificed": ["Sacrificed"],
        "spans": ["Span"],
        "system_tokens": None,
        "tokens_exact": None,
        "tool_tokens": None,
        "tools_exact": None,
        "url_path": None,
    }
    body: str
    breakpoints: List[WireBreakpoint]
    cache_object: Optional[WireCacheObject]
    encoding: Optional[str]
    form: str
    framing_known: bool
    framing_tokens: Optional[int]
    headers: List[WireHeader]
    losses: List[WireLoss]
    map: List[WireSlice]
    noted_texts: List[NotedText]
    notes: List[Note]
    sacrificed: List[Sacrificed]
    spans: List[Span]
    system_tokens: Optional[int]
    tokens_exact: bool
    tool_tokens: Optional[int]
    tools_exact: bool
    url_path: str


class Active(Value):
    __slots__ = ()
    _shapes = {
        "caps": [None],
        "model": None,
        "tools": [None],
    }
    caps: List[str]
    model: Optional[str]
    tools: List[str]


class BudgetReport(Value):
    __slots__ = ()
    _shapes = {
        "budget": None,
        "cached": None,
        "cached_lost": "CachedLoss",
        "cuts": ["Cut"],
        "dropped": None,
        "encoding": None,
        "exact": None,
        "form": None,
        "framing": None,
        "framing_known": None,
        "full": None,
        "given": None,
        "hold": None,
        "keep_cached": None,
        "least": None,
        "left": None,
        "limit": None,
        "limit_exact": None,
        "policy": None,
        "prompt": None,
        "required": None,
        "reserve": None,
        "shortened": None,
        "tools": None,
        "tools_exact": None,
        "whole": None,
    }
    budget: int
    cached: Optional[int]
    cached_lost: Optional[CachedLoss]
    cuts: List[Cut]
    dropped: int
    encoding: str
    exact: bool
    form: Optional[str]
    framing: Optional[int]
    framing_known: bool
    full: int
    given: Optional[int]
    hold: Optional[int]
    keep_cached: Optional[bool]
    least: int
    left: int
    limit: int
    limit_exact: bool
    policy: str
    prompt: int
    required: int
    reserve: int
    shortened: int
    tools: int
    tools_exact: bool
    whole: int


class CachedLoss(Value):
    __slots__ = ()
    _shapes = {
        "price": None,
        "tokens": None,
    }
    price: Optional[float]
    tokens: int


class Change(Value):
    __slots__ = ()
    _shapes = {
        "from_": None,
        "id": None,
        "included": None,
        "text": None,
        "to": None,
    }
    _keys = {"from_": "from"}
    from_: Optional[str]
    id: str
    included: Optional[bool]
    text: Optional[str]
    to: Optional[str]


class CurvePoint(Value):
    __slots__ = ()
    _shapes = {
        "budget": None,
        "dropped": None,
        "shortened": None,
        "tokens": None,
    }
    budget: int
    dropped: int
    shortened: int
    tokens: int


class Cut(Value):
    __slots__ = ()
    _shapes = {
        "bytes": None,
        "file": None,
        "fragment": None,
        "kept": None,
        "variant": None,
    }
    bytes: int
    file: Optional[str]
    fragment: str
    kept: int
    variant: Optional[int]


class Difference(Value):
    __slots__ = ()
    _shapes = {
        "added": ["Change"],
        "changed": ["Change"],
        "moved": ["Change"],
        "removed": ["Change"],
        "tokens": "TokenChange",
        "verdicts": ["Change"],
    }
    added: List[Change]
    changed: List[Change]
    moved: List[Change]
    removed: List[Change]
    tokens: Optional[TokenChange]
    verdicts: List[Change]


class Explanation(Value):
    __slots__ = ()
    _shapes = {
        "budget": "BudgetReport",
        "bytes": None,
        "digest": None,
        "encoding": None,
        "excluded": None,
        "fragments": ["Trace"],
        "included": None,
        "model": None,
        "notes": ["Note"],
        "removed": ["RemovedText"],
        "spans": ["Span"],
        "system": None,
        "tokens": None,
        "tokens_exact": None,
    }
    budget: Optional[BudgetReport]
    bytes: int
    digest: Optional[str]
    encoding: Optional[str]
    excluded: int
    fragments: List[Trace]
    included: int
    model: Optional[str]
    notes: List[Note]
    removed: List[RemovedText]
    spans: List[Span]
    system: Optional[str]
    tokens: Optional[int]
    tokens_exact: Optional[bool]


class Model(Value):
    __slots__ = ()
    _shapes = {
        "adaptive_thinking": None,
        "aliases": [None],
        "as_of": None,
        "cache": "ModelCache",
        "chat_max_tokens": None,
        "chat_tools": None,
        "checked": None,
        "context": None,
        "counting": "ModelCounting",
        "default_effort": None,
        "efforts": [None],
        "family": None,
        "id": None,
        "max_input": None,
        "max_output": None,
        "mid_conversation_system": None,
        "name": None,
        "one_system_message": None,
        "path": None,
        "prefill": None,
        "price": "ModelPrice",
        "provider": None,
        "reasoning": None,
        "sampling": None,
        "sampling_at_none": None,
        "sampling_pair": None,
        "sections": [None],
        "series": None,
        "source": None,
        "status": None,
        "system": None,
        "thinking_budget": None,
        "tokenizer": None,
        "tools": None,
        "vision": None,
        "wire": None,
    }
    adaptive_thinking: Optional[bool]
    aliases: List[str]
    as_of: str
    cache: ModelCache
    chat_max_tokens: Optional[bool]
    chat_tools: Optional[bool]
    checked: str
    context: Optional[int]
    counting: ModelCounting
    default_effort: str
    efforts: List[str]
    family: str
    id: str
    max_input: Optional[int]
    max_output: Optional[int]
    mid_conversation_system: Optional[bool]
    name: str
    one_system_message: Optional[bool]
    path: Optional[str]
    prefill: Optional[bool]
    price: ModelPrice
    provider: str
    reasoning: Optional[bool]
    sampling: Optional[bool]
    sampling_at_none: Optional[bool]
    sampling_pair: Optional[bool]
    sections: List[str]
    series: str
    source: str
    status: str
    system: str
    thinking_budget: Optional[bool]
    tokenizer: Optional[str]
    tools: Optional[bool]
    vision: Optional[bool]
    wire: str


class ModelCache(Value):
    __slots__ = ()
    _shapes = {
        "automatic": None,
        "kind": None,
        "lookback": None,
        "max_breakpoints": None,
        "min_tokens": None,
        "ttl": [None],
    }
    automatic: Optional[bool]
    kind: Any
    lookback: Optional[int]
    max_breakpoints: Optional[int]
    min_tokens: Optional[int]
    ttl: List[str]


class ModelCounting(Value):
    __slots__ = ()
    _shapes = {
        "basis": None,
        "counter": None,
        "declared": None,
        "exact": None,
    }
    basis: Optional[str]
    counter: str
    declared: Optional[bool]
    exact: bool


class ModelPrice(Value):
    __slots__ = ()
    _shapes = {
        "above": "PriceAbove",
        "cache_read": None,
        "cache_write": {"*": None},
        "input": None,
        "output": None,
        "until": None,
    }
    above: Optional[PriceAbove]
    cache_read: Optional[float]
    cache_write: Dict[str, float]
    input: Optional[float]
    output: Optional[float]
    until: Optional[str]


class Note(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "fragment": None,
        "message": None,
        "path": None,
        "position": "Position",
    }
    code: str
    fragment: Optional[str]
    message: str
    path: Optional[str]
    position: Optional[Position]


class NotedText(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "count": None,
        "fragment": None,
    }
    code: str
    count: int
    fragment: str


class Position(Value):
    __slots__ = ()
    _shapes = {
        "column": None,
        "file": None,
        "line": None,
    }
    column: int
    file: str
    line: int


class PriceAbove(Value):
    __slots__ = ()
    _shapes = {
        "cache_read": None,
        "cache_write": {"*": None},
        "input": None,
        "output": None,
        "tokens": None,
    }
    cache_read: Optional[float]
    cache_write: Dict[str, float]
    input: Optional[float]
    output: Optional[float]
    tokens: int


class Related(Value):
    __slots__ = ()
    _shapes = {
        "message": None,
        "path": None,
        "position": "Position",
    }
    message: str
    path: Optional[str]
    position: Position


class RemovedText(Value):
    __slots__ = ()
    _shapes = {
        "bytes": None,
        "code": None,
        "fragment": None,
        "origin": "Position",
        "reason": None,
        "text": None,
    }
    bytes: int
    code: str
    fragment: str
    origin: Optional[Position]
    reason: str
    text: Optional[str]


class Sacrifice(Value):
    __slots__ = ()
    _shapes = {
        "cached": "CachedLoss",
        "fragments": [None],
        "importance": None,
        "stays_from": None,
        "taken": None,
        "tokens": None,
        "variant": None,
    }
    cached: Optional[CachedLoss]
    fragments: List[str]
    importance: int
    stays_from: int
    taken: bool
    tokens: int
    variant: int


class Sacrificed(Value):
    __slots__ = ()
    _shapes = {
        "fragment": None,
        "variant": None,
    }
    fragment: str
    variant: Optional[int]


class Span(Value):
    __slots__ = ()
    _shapes = {
        "column": None,
        "end": None,
        "file": None,
        "fragment": None,
        "kind": None,
        "line": None,
        "made_by": None,
        "start": None,
        "trust": None,
        "var": None,
    }
    column: int
    end: int
    file: str
    fragment: str
    kind: str
    line: int
    made_by: str
    start: int
    trust: str
    var: str


class TextNote(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "end": None,
        "message": None,
        "path": None,
        "position": "Position",
        "start": None,
    }
    code: str
    end: int
    message: str
    path: Optional[str]
    position: Optional[Position]
    start: int


class TokenChange(Value):
    __slots__ = ()
    _shapes = {
        "exact": None,
        "from_": None,
        "to": None,
    }
    _keys = {"from_": "from"}
    exact: bool
    from_: int
    to: int


class Trace(Value):
    __slots__ = ()
    _shapes = {
        "bucket": None,
        "budget": "TraceBudget",
        "bytes": None,
        "code": None,
        "digest": None,
        "id": None,
        "importance": None,
        "included": None,
        "layer": None,
        "notes": ["TextNote"],
        "origin": "Position",
        "out_at": "Position",
        "protected": None,
        "reason": None,
        "section": None,
        "source": None,
        "span": None,
        "stability": None,
        "text": None,
        "tokens": None,
        "trust": None,
        "unmet": ["Unmet"],
        "variant": None,
    }
    bucket: str
    budget: Optional[TraceBudget]
    bytes: int
    code: str
    digest: Optional[str]
    id: str
    importance: Any
    included: bool
    layer: Optional[str]
    notes: List[TextNote]
    origin: Optional[Position]
    out_at: Optional[Position]
    protected: bool
    reason: str
    section: Optional[str]
    source: str
    span: Optional[List[int]]
    stability: str
    text: Optional[str]
    tokens: Optional[int]
    trust: str
    unmet: List[Unmet]
    variant: int


class TraceBudget(Value):
    __slots__ = ()
    _shapes = {
        "cached": "CachedLoss",
        "importance": None,
        "required": None,
        "stays_from": None,
        "tokens": None,
    }
    cached: Optional[CachedLoss]
    importance: int
    required: Optional[bool]
    stays_from: int
    tokens: int


class Unmet(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "reason": None,
    }
    code: str
    reason: str


class ContractReply(Value):
    __slots__ = ()
    _shapes = {
        "emit": None,
        "facts": ["ContractAnswerFact"],
        "key": None,
    }
    emit: str
    facts: List[ContractAnswerFact]
    key: str


class ContractAnswerFact(Value):
    __slots__ = ()
    _shapes = {
        "cites": [None],
        "content": None,
        "id": None,
    }
    cites: List[str]
    content: str
    id: str


class ContractFinding(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "column": None,
        "hint": None,
        "line": None,
        "message": None,
        "severity": None,
    }
    code: str
    column: int
    hint: Optional[str]
    line: int
    message: str
    severity: str


class ContractReport(Value):
    __slots__ = ()
    _shapes = {
        "answer": "ContractReply",
        "checked": None,
        "findings": ["ContractFinding"],
        "holds": None,
        "omitted": None,
    }
    answer: Optional[ContractReply]
    checked: bool
    findings: List[ContractFinding]
    holds: bool
    omitted: Optional[int]


class LintEdit(Value):
    __slots__ = ()
    _shapes = {
        "end": None,
        "start": None,
        "text": None,
    }
    end: int
    start: int
    text: str


class LintFinding(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "fix": "LintFix",
        "hint": None,
        "id": None,
        "ignored": None,
        "message": None,
        "more": None,
        "path": None,
        "position": "Position",
        "related": ["Related"],
        "severity": None,
        "targets": [None],
    }
    code: str
    fix: Optional[LintFix]
    hint: Optional[str]
    id: Optional[str]
    ignored: Optional[str]
    message: str
    more: Optional[int]
    path: Optional[str]
    position: Position
    related: List[Related]
    severity: str
    targets: List[str]


class LintFix(Value):
    __slots__ = ()
    _shapes = {
        "edits": ["LintEdit"],
        "file": None,
        "title": None,
    }
    edits: List[LintEdit]
    file: str
    title: str


class LintKnownFinding(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "file": None,
        "id": None,
        "message": None,
    }
    code: str
    file: Optional[str]
    id: Optional[str]
    message: str


class PrompttestCoverage(Value):
    __slots__ = ()
    _shapes = {
        "all": None,
        "covered": None,
        "missing": ["PrompttestUncovered"],
    }
    all: int
    covered: int
    missing: List[PrompttestUncovered]


class PrompttestFailure(Value):
    __slots__ = ()
    _shapes = {
        "assertion": None,
        "code": None,
        "details": [None],
        "hint": None,
        "lines": ["PrompttestLine"],
        "message": None,
        "path": None,
        "position": "Position",
    }
    assertion: str
    code: Optional[str]
    details: List[str]
    hint: Optional[str]
    lines: List[PrompttestLine]
    message: str
    path: Optional[str]
    position: Position


class PrompttestLine(Value):
    __slots__ = ()
    _shapes = {
        "op": None,
        "text": None,
    }
    op: str
    text: str


class PrompttestMutant(Value):
    __slots__ = ()
    _shapes = {
        "change": None,
        "gate": None,
        "golden": None,
        "id": None,
        "other": None,
        "position": "Position",
        "text": None,
    }
    change: str
    gate: Optional[str]
    golden: Optional[bool]
    id: str
    other: Optional[str]
    position: Position
    text: Optional[str]


class PrompttestMutation(Value):
    __slots__ = ()
    _shapes = {
        "equivalent": None,
        "killed": None,
        "killed_by_assertions": None,
        "mutants": None,
        "survivors": ["PrompttestMutant"],
        "unreached": None,
    }
    equivalent: int
    killed: int
    killed_by_assertions: int
    mutants: int
    survivors: List[PrompttestMutant]
    unreached: int


class PrompttestResult(Value):
    __slots__ = ()
    _shapes = {
        "failures": ["PrompttestFailure"],
        "name": None,
        "position": "Position",
        "status": None,
        "target": None,
    }
    failures: List[PrompttestFailure]
    name: str
    position: Position
    status: str
    target: Optional[str]


class PrompttestShortfall(Value):
    __slots__ = ()
    _shapes = {
        "min": None,
        "of": None,
        "percent": None,
    }
    min: float
    of: str
    percent: float


class PrompttestUncovered(Value):
    __slots__ = ()
    _shapes = {
        "id": None,
        "kind": None,
        "message": None,
        "position": "Position",
    }
    id: Optional[str]
    kind: str
    message: str
    position: Position


class Commit(Value):
    __slots__ = ()
    _shapes = {
        "author": None,
        "id": None,
        "summary": None,
        "time": None,
    }
    author: str
    id: str
    summary: str
    time: str


class FileWhy(Value):
    __slots__ = ()
    _shapes = {
        "file": None,
        "lines": ["LinesWhy"],
    }
    file: str
    lines: List[LinesWhy]


class LinesWhy(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "commit": "Commit",
        "end": None,
        "fragment": None,
        "history": None,
        "last_line": None,
        "layer": None,
        "line": None,
        "made_by": None,
        "more": None,
        "origin": "Position",
        "out_at": "Position",
        "path": None,
        "reason": None,
        "set_at": "Position",
        "source": None,
        "start": None,
        "text": None,
        "trust": None,
        "var": None,
    }
    code: Optional[str]
    commit: Optional[Commit]
    end: Optional[int]
    fragment: str
    history: Optional[str]
    last_line: int
    layer: Optional[str]
    line: int
    made_by: str
    more: Optional[int]
    origin: Optional[Position]
    out_at: Optional[Position]
    path: Optional[str]
    reason: str
    set_at: Optional[Position]
    source: str
    start: Optional[int]
    text: str
    trust: str
    var: Optional[str]


class Match(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "commit": "Commit",
        "end": None,
        "fragment": None,
        "history": None,
        "layer": None,
        "made_by": None,
        "origin": "Position",
        "out_at": "Position",
        "path": None,
        "reason": None,
        "set_at": "Position",
        "source": None,
        "start": None,
        "text": None,
        "trust": None,
        "var": None,
    }
    code: Optional[str]
    commit: Optional[Commit]
    end: Optional[int]
    fragment: str
    history: Optional[str]
    layer: Optional[str]
    made_by: str
    origin: Optional[Position]
    out_at: Optional[Position]
    path: Optional[str]
    reason: str
    set_at: Optional[Position]
    source: str
    start: Optional[int]
    text: str
    trust: str
    var: Optional[str]


class WirePiece(Value):
    __slots__ = ()
    _shapes = {
        "end": None,
        "fragment": None,
        "name": None,
        "origin": "Position",
        "pointer": None,
        "reason": None,
        "start": None,
        "text": None,
        "trust": None,
    }
    end: int
    fragment: str
    name: Optional[bool]
    origin: Optional[Position]
    pointer: str
    reason: Optional[str]
    start: int
    text: str
    trust: str


class ReminderEvent(Value):
    __slots__ = ()
    _shapes = {
        "dedupe_key": None,
        "event": None,
        "id": None,
        "reason": None,
        "replaced": None,
        "tags": [None],
        "turn": None,
    }
    dedupe_key: Optional[str]
    event: str
    id: str
    reason: Optional[str]
    replaced: Optional[int]
    tags: List[str]
    turn: int


class ReminderMessage(Value):
    __slots__ = ()
    _shapes = {
        "cache_control": None,
        "reminders": [None],
        "role": None,
        "text": None,
    }
    cache_control: Optional[bool]
    reminders: List[str]
    role: str
    text: str


class ReminderSentEnvelope(Value):
    __slots__ = ()
    _shapes = {
        "text": None,
        "turn": None,
    }
    text: str
    turn: int


class Health(Value):
    __slots__ = ()
    _shapes = {
        "ok": None,
    }
    ok: bool


class ProjectAnswer(Value):
    __slots__ = ()
    _shapes = {
        "caps": [None],
        "drifted": None,
        "error": "ErrorObject",
        "input": None,
        "model": None,
        "name": None,
        "root": None,
        "targets": [None],
        "tools": [None],
    }
    caps: List[str]
    drifted: bool
    error: Optional[ErrorObject]
    input: str
    model: str
    name: str
    root: str
    targets: List[str]
    tools: List[str]


class ProjectsAnswer(Value):
    __slots__ = ()
    _shapes = {
        "projects": ["ProjectAnswer"],
    }
    projects: List[ProjectAnswer]


class RecordsAnswer(Value):
    __slots__ = ()
    _shapes = {
        "found": "RecordSearch",
        "next": None,
        "records": ["StoreSummary"],
    }
    found: Optional[RecordSearch]
    next: str
    records: List[StoreSummary]


class SessionsAnswer(Value):
    __slots__ = ()
    _shapes = {
        "next": None,
        "sessions": ["SessionListed"],
    }
    next: str
    sessions: List[SessionListed]


class Timeline(Value):
    __slots__ = ()
    _shapes = {
        "next": None,
        "records": ["StoreSummary"],
        "session": "SessionShown",
    }
    next: str
    records: List[StoreSummary]
    session: Optional[SessionShown]


class SessionBilled(Value):
    __slots__ = ()
    _shapes = {
        "epoch": None,
        "replayed": None,
        "session": None,
        "turn": None,
        "usage": "SessionUsage",
        "version": None,
    }
    epoch: int
    replayed: bool
    session: str
    turn: int
    usage: SessionUsage
    version: int


class SessionChanged(Value):
    __slots__ = ()
    _shapes = {
        "epoch": None,
        "events": ["ReminderEvent"],
        "notes": ["Note"],
        "pending": [None],
        "replayed": None,
        "session": None,
        "turn": None,
        "version": None,
    }
    epoch: int
    events: List[ReminderEvent]
    notes: List[Note]
    pending: List[Any]
    replayed: bool
    session: str
    turn: int
    version: int


class SessionDrift(Value):
    __slots__ = ()
    _shapes = {
        "caps": "SessionSetChange",
        "clock": "SessionNameChange",
        "drifted": None,
        "epoch": None,
        "files": [None],
        "fragments": ["SessionDriftedFragment"],
        "model": "SessionNameChange",
        "notes": ["Note"],
        "replayed": None,
        "session": None,
        "tools": "SessionSetChange",
        "turn": None,
        "version": None,
    }
    caps: SessionSetChange
    clock: Optional[SessionNameChange]
    drifted: bool
    epoch: int
    files: List[str]
    fragments: List[SessionDriftedFragment]
    model: Optional[SessionNameChange]
    notes: List[Note]
    replayed: bool
    session: str
    tools: SessionSetChange
    turn: int
    version: int


class SessionDriftedFragment(Value):
    __slots__ = ()
    _shapes = {
        "files": [None],
        "from_": None,
        "id": None,
        "to": None,
        "what": None,
    }
    _keys = {"from_": "from"}
    files: List[str]
    from_: Optional[str]
    id: str
    to: Optional[str]
    what: str


class SessionForked(Value):
    __slots__ = ()
    _shapes = {
        "epoch": None,
        "events": ["ReminderEvent"],
        "inherited": [None],
        "notes": ["Note"],
        "parent": None,
        "replayed": None,
        "session": None,
        "turn": None,
        "version": None,
    }
    epoch: int
    events: List[ReminderEvent]
    inherited: List[Any]
    notes: List[Note]
    parent: str
    replayed: bool
    session: str
    turn: int
    version: int


class SessionListed(Value):
    __slots__ = ()
    _shapes = {
        "base": "StoreLink",
        "created": None,
        "cursor": None,
        "epoch": None,
        "head": "StoreLink",
        "id": None,
        "parent": None,
        "pending": None,
        "project": None,
        "turn": None,
        "updated": None,
        "version": None,
    }
    base: StoreLink
    created: str
    cursor: str
    epoch: int
    head: StoreLink
    id: str
    parent: str
    pending: int
    project: str
    turn: int
    updated: str
    version: int


class SessionNameChange(Value):
    __slots__ = ()
    _shapes = {
        "from_": None,
        "to": None,
    }
    _keys = {"from_": "from"}
    from_: str
    to: str


class SessionRematerialised(Value):
    __slots__ = ()
    _shapes = {
        "changed": None,
        "digest": None,
        "epoch": None,
        "events": ["ReminderEvent"],
        "from_": None,
        "made": None,
        "noted_texts": ["NotedText"],
        "notes": ["Note"],
        "record": None,
        "replayed": None,
        "sacrificed": ["Sacrificed"],
        "session": None,
        "turn": None,
        "version": None,
    }
    _keys = {"from_": "from"}
    changed: bool
    digest: Optional[str]
    epoch: int
    events: List[ReminderEvent]
    from_: Optional[str]
    made: bool
    noted_texts: List[NotedText]
    notes: List[Note]
    record: int
    replayed: bool
    sacrificed: List[Sacrificed]
    session: str
    turn: int
    version: int


class SessionSetChange(Value):
    __slots__ = ()
    _shapes = {
        "added": [None],
        "removed": [None],
    }
    added: List[str]
    removed: List[str]


class SessionShown(Value):
    __slots__ = ()
    _shapes = {
        "append_only": None,
        "caps": [None],
        "digest": None,
        "epoch": None,
        "layer": None,
        "materialise": None,
        "metadata": None,
        "notes": ["Note"],
        "parent": None,
        "pending": [None],
        "placement": None,
        "project": None,
        "providers": [None],
        "record": None,
        "replayed": None,
        "scope": ["WorkspaceRule"],
        "sent": ["ReminderSentEnvelope"],
        "session": None,
        "tools": [None],
        "turn": None,
        "turn_built": None,
        "version": None,
    }
    append_only: bool
    caps: List[str]
    digest: Optional[str]
    epoch: int
    layer: Any
    materialise: str
    metadata: Any
    notes: List[Note]
    parent: Optional[str]
    pending: List[Any]
    placement: Optional[str]
    project: str
    providers: List[str]
    record: int
    replayed: bool
    scope: List[WorkspaceRule]
    sent: List[ReminderSentEnvelope]
    session: str
    tools: List[str]
    turn: int
    turn_built: bool
    version: int


class SessionStarted(Value):
    __slots__ = ()
    _shapes = {
        "digest": None,
        "epoch": None,
        "made": None,
        "noted_texts": ["NotedText"],
        "notes": ["Note"],
        "record": None,
        "replayed": None,
        "sacrificed": ["Sacrificed"],
        "session": None,
        "turn": None,
        "version": None,
    }
    digest: Optional[str]
    epoch: int
    made: bool
    noted_texts: List[NotedText]
    notes: List[Note]
    record: int
    replayed: bool
    sacrificed: List[Sacrificed]
    session: str
    turn: int
    version: int


class SessionTurn(Value):
    __slots__ = ()
    _shapes = {
        "active": "Active",
        "digest": None,
        "drift": "SessionDrift",
        "envelope": None,
        "epoch": None,
        "events": ["ReminderEvent"],
        "messages": ["ReminderMessage"],
        "noted_texts": ["NotedText"],
        "notes": ["Note"],
        "placement": None,
        "record": None,
        "reminders": [None],
        "reminders_record": None,
        "replayed": None,
        "request": "WireResult",
        "sacrificed": ["Sacrificed"],
        "sent": ["ReminderSentEnvelope"],
        "session": None,
        "system": None,
        "turn": None,
        "version": None,
    }
    active: Active
    digest: Optional[str]
    drift: Optional[SessionDrift]
    envelope: Optional[str]
    epoch: int
    events: List[ReminderEvent]
    messages: List[ReminderMessage]
    noted_texts: List[NotedText]
    notes: List[Note]
    placement: str
    record: int
    reminders: List[str]
    reminders_record: Optional[int]
    replayed: bool
    request: Optional[WireResult]
    sacrificed: List[Sacrificed]
    sent: List[ReminderSentEnvelope]
    session: str
    system: Optional[str]
    turn: int
    version: int


class SessionUsage(Value):
    __slots__ = ()
    _shapes = {
        "form": None,
        "input": None,
        "paid": None,
        "read": None,
        "request": None,
        "turn": None,
        "unread": [None],
        "written": None,
    }
    form: str
    input: int
    paid: Optional[int]
    read: Optional[int]
    request: int
    turn: int
    unread: List[str]
    written: Optional[int]


class StoreDeleted(Value):
    __slots__ = ()
    _shapes = {
        "records": None,
        "sessions": [None],
    }
    records: int
    sessions: List[str]


class StoreFragment(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "digest": None,
        "id": None,
        "included": None,
        "layer": None,
        "origin": "Position",
        "reason": None,
        "source": None,
        "span": None,
        "trust": None,
    }
    code: str
    digest: Optional[str]
    id: str
    included: bool
    layer: Optional[str]
    origin: Optional[Position]
    reason: str
    source: str
    span: Optional[List[int]]
    trust: str


class StoreLink(Value):
    __slots__ = ()
    _shapes = {
        "hash": None,
        "seq": None,
    }
    hash: str
    seq: int


class StoreSummary(Value):
    __slots__ = ()
    _shapes = {
        "at": None,
        "hash": None,
        "label": None,
        "project": None,
        "prompt_digest": None,
        "seq": None,
        "session": None,
    }
    at: str
    hash: str
    label: str
    project: str
    prompt_digest: Optional[str]
    seq: int
    session: str


class WireBreakpoint(Value):
    __slots__ = ()
    _shapes = {
        "after": None,
        "end": None,
        "pointer": None,
        "tokens": None,
        "ttl": None,
    }
    after: str
    end: int
    pointer: str
    tokens: Optional[int]
    ttl: str


class WireCacheObject(Value):
    __slots__ = ()
    _shapes = {
        "body": None,
        "digest": None,
        "url_path": None,
    }
    body: str
    digest: str
    url_path: str


class WireHeader(Value):
    __slots__ = ()
    _shapes = {
        "name": None,
        "value": None,
    }
    name: str
    value: str


class WireLoss(Value):
    __slots__ = ()
    _shapes = {
        "code": None,
        "fragment": None,
        "hint": None,
        "message": None,
        "origin": "Position",
        "pointer": None,
        "severity": None,
        "source": None,
    }
    code: str
    fragment: str
    hint: Optional[str]
    message: str
    origin: Optional[Position]
    pointer: Optional[str]
    severity: str
    source: Optional[str]


class WireSlice(Value):
    __slots__ = ()
    _shapes = {
        "end": None,
        "pointer": None,
        "span": None,
        "start": None,
    }
    end: int
    pointer: str
    span: int
    start: int


class WireResult(Value):
    __slots__ = ()
    _shapes = {
        "body": None,
        "breakpoints": ["WireBreakpoint"],
        "cache_object": "WireCacheObject",
        "encoding": None,
        "framing_known": None,
        "framing_tokens": None,
        "headers": ["WireHeader"],
        "losses": ["WireLoss"],
        "map": ["WireSlice"],
        "spans": ["Span"],
        "system_tokens": None,
        "tokens_exact": None,
        "tool_tokens": None,
        "tools_exact": None,
        "url_path": None,
    }
    body: str
    breakpoints: List[WireBreakpoint]
    cache_object: Optional[WireCacheObject]
    encoding: Optional[str]
    framing_known: bool
    framing_tokens: Optional[int]
    headers: List[WireHeader]
    losses: List[WireLoss]
    map: List[WireSlice]
    spans: List[Span]
    system_tokens: Optional[int]
    tokens_exact: bool
    tool_tokens: Optional[int]
    tools_exact: bool
    url_path: str


class WireUsage(Value):
    __slots__ = ()
    _shapes = {
        "form": None,
        "input": None,
        "paid": None,
        "read": None,
        "unread": [None],
        "written": None,
    }
    form: str
    input: int
    paid: Optional[int]
    read: Optional[int]
    unread: List[str]
    written: Optional[int]


class WorkspaceRule(Value):
    __slots__ = ()
    _shapes = {
        "effect": None,
        "pattern": None,
        "permission": None,
        "position": "Position",
        "recursive": None,
        "target": None,
    }
    effect: str
    pattern: Optional[bool]
    permission: str
    position: Optional[Position]
    recursive: bool
    target: str
