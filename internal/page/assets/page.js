// What a page of an explained prompt does: details under the pointer, the filter, the
// keyboard. The page is complete without this script. Facts come from the data that the
// page was made of; text goes into the page through textContent alone.

const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

// ---- Text for people ---------------------------------------------------------

// number is a whole number with its thousands apart. What a browser has for that takes longer
// to begin than all else here.
export const number = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
export const count = (n, one, many = one + 's') => n === 1 ? '1 ' + one : number(n) + ' ' + many;
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
export const visible = (s) => String(s).replace(unseen, (c) => '<U+' + c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0') + '>');
export const place = (p) => !p || !p.file && !p.line ? '' : [p.file, p.last_line ? p.line + '–' + p.last_line : p.line, p.line && !p.last_line && p.column].filter(Boolean).join(':');

const lengthOf = (s) => s.length ?? s.end - s.start; // in bytes

// A query matches without case, and any white space in it matches any run.
export const pattern = (query) => new RegExp(query.trim().split(/\s+/).map((w) => w.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'giu');

export function element(name, className, text) {
  const e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = visible(text);
  return e;
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = element('textarea', 'sr');
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand('copy');
    box.remove();
    return done;
  }
}

// The address of a page from a disk names the fragment that is pinned. Some browsers
// refuse to change it.
const hash = {
  get() {
    try { return decodeURIComponent(location.hash.slice(1)); } catch { return ''; }
  },
  set(id) {
    const to = id && '#' + encodeURIComponent(id).replace(/%(3A|2F|24|40|5B|5D)/g, decodeURIComponent);
    try {
      history.replaceState(null, '', to || location.pathname + location.search);
    } catch { /* the page works without */ }
  },
};

// whole is the sheet of a page that has every row and every block in its markup. What a
// sheet has: row and blocks of a fragment, null where they aren't made now; need, which
// makes them; sift, which leaves those that stay; starts, which fragment begins where;
// and parts, the elements that hold text, each with where that begins. Places are counted
// as scripts count them.
function whole(prompt, list) {
  const rows = $$('.row', list), blocks = Map.groupBy(prompt ? $$('.frag', prompt) : [], (e) => +e.dataset.f);
  return {
    row: (f) => rows[f], blocks: (f) => blocks.get(f) ?? [], need() {},
    sift(stays) {
      rows.forEach((row, f) => { row.hidden = !stays[f]; });
      for (const [f, all] of blocks) for (const e of all) e.classList.toggle('dim', !stays[f]);
      for (const e of $$(':scope > ol', list)) e.hidden = !$('.row:not([hidden])', e);
    },
    starts() {
      let start = 0;
      return [...blocks].map(([f, all]) => {
        const at = start;
        for (const e of all) start += e.textContent.length;
        return [at, f];
      });
    },
    parts: () => prompt ? [[prompt, 0]] : [],
  };
}

// read gives of the data that is in a page what is told of a fragment: its trace, its spans,
// its colour and whose text it is; and the order of those that the prompt has.
function read({ fragments = [], spans = [], hues = [], whose = [], strangers = [] }) {
  const of = Map.groupBy(spans, (s) => s.fragment), indexOf = new Map(fragments.map((t, f) => [t.id, f]));
  return {
    told: (f) => ({ trace: fragments[f], spans: of.get(fragments[f].id) ?? [], hue: hues[f], whose: whose[f], stranger: strangers[f] }),
    order: [...of.keys()].map((id) => indexOf.get(id)),
  };
}

// inspect brings the page of some data to life, until the signal says that it is over.
// Where is the address that names what is pinned, and writer says which commit wrote the
// line of a byte. It returns what follows the address.
export function inspect(data, { signal, where = hash, writer, sheet } = {}) {
  const traces = data.fragments ?? [], { told, order } = data.told ? data : read(data);

  // What a page keeps while its parts are made anew is listened to no longer than those.
  const listen = (on, type, f, capture = false) => on.addEventListener(type, f, { signal, capture });

  const pane = $('.text'), prompt = $('.prompt'), inspector = $('.inspector'), list = $('.rows');
  const input = $('.filter input'), found = $('.filter output'), status = $('[role=status]');
  sheet ??= whole(prompt, list);
  const blockOf = (f) => sheet.blocks(f)?.[0], linkOf = (f) => sheet.row(f)?.firstElementChild;
  const indexOf = new Map(traces.map((t, i) => [t.id, i]));
  const marks = new Map($$('.map a').map((a) => [+a.dataset.f, a]));

  // Markup can't hold a NUL; its elements were left empty.
  for (const nul of $$('[data-c="U+0000"]')) nul.textContent = '\0';

  // ---- Whose text -------------------------------------------------------------

  const authors = { workspace: "this project's: ", user: 'yours: ' };
  const trustLabel = (trust, stranger) => stranger ? 'untrusted: ' + stranger : (authors[trust] ?? 'trusted: ') + trust;

  // ---- Where in the prompt a span is -----------------------------------------

  // Spans are numbered within their fragment, in the markup too.
  const spansOf = (f) => traces[f] && told(f).spans || [];
  const spanElements = (f, s) => (sheet.blocks(f) ?? []).flatMap((e) => $$(`[data-s="${s}"]`, e));
  const bodyOf = (f) => spansOf(f).findIndex((s) => s.kind === 'body');
  // Where a fragment is from when it says nothing itself: where its text begins.
  const placeOf = (f) => place(told(f).trace.origin) || place(spansOf(f)[bodyOf(f)]);

  // ---- Details ---------------------------------------------------------------

  // A span of -1 stands for the fragment as a whole.
  let current = -1, currentSpan = -1, pinned = false, marked = [];

  function show(f, s = -1) {
    if (f === current && s === currentSpan) return;
    current = f;
    currentSpan = s;
    mark();
    describe();
  }

  function mark() {
    for (const e of marked) e.classList.remove('at', 'at-span', 'pinned');
    marked = [];
    const set = (e, ...names) => { if (e) { e.classList.add(...names); marked.push(e); } };
    sheet.point?.(current);
    if (current < 0) return;
    const names = pinned ? ['at', 'pinned'] : ['at'];
    set(sheet.row(current), ...names);
    set(blockOf(current), ...names);
    set(marks.get(current), 'at');
    if (currentSpan >= 0) for (const e of spanElements(current, currentSpan)) set(e, 'at-span');
  }

  signal?.addEventListener('abort', () => {
    current = -1;
    mark();
    for (const e of stops.values()) e.setAttribute('tabindex', '-1');
  });

  function describe() {
    inspector.replaceChildren();
    if (current < 0) return idle();
    const { trace: t, hue, whose, stranger: all } = told(current), s = spansOf(current)[currentSpan];
    const head = element('div', 'head ' + hue);
    head.append(element('span', 'id', t.id), element('span', t.included ? 'badge in' : 'badge out', t.included ? 'in' : 'out'));
    if (pinned) {
      const release = element('button', 'unpin', 'unpin');
      release.type = 'button';
      release.addEventListener('click', clear);
      head.append(release);
    }
    const facts = element('dl');
    const fact = (name, value, className) => {
      if (value === '' || value === null || value === undefined) return;
      facts.append(element('dt', '', name), element('dd', className, value));
    };
    const trust = s ? trustLabel(s.trust, s.stranger) : whose, stranger = s ? s.stranger : all;
    const from = s ? place(s) : placeOf(current);
    const what = { heading: 'heading', joiner: 'blank line before it' };
    if (s && s.kind !== 'body') fact('Here', what[s.kind]);
    const by = (s ?? spansOf(current)[bodyOf(current)])?.made_by;
    fact('From', from || 'no file: ' + (by === 'program' ? 'Cento’s own words' : 'a call, a flag or a request'), from && 'place');
    if (s && s.var) {
      const set = data.values?.[s.var.match(/^vars\.([\p{L}\p{N}_]+)/u)?.[1]];
      fact('Variable', s.var, 'place');
      if (set) fact('Value from', place(set) || 'a call, a flag or a request', place(set) && 'place');
    }
    fact('Trust', trust, stranger ? 'alarm' : '');
    if (trust !== whose) fact('Around it', whose);
    for (const n of t.notes ?? []) fact('Found', n.message + (place(n.position) && ' at ' + place(n.position)), 'alarm');
    if (t.unmet?.length > 1) for (const u of t.unmet) fact('Unmet', u.reason); // one alone is the reason
    fact('Taken out at', place(t.out_at), 'place');
    fact('Layer', t.layer);
    fact('Section', t.section);
    fact('Source', t.source === t.id ? '' : t.source);
    fact('Decided by', t.code, 'place');
    if (t.included) {
      const share = data.bytes ? ` (${Math.round(1000 * t.bytes / data.bytes) / 10} %)` : '';
      fact('Size', (t.tokens === null ? '' : count(t.tokens, 'token') + ', ') + count(t.bytes, 'byte') + share);
      if (s && lengthOf(s) !== t.bytes) fact('This part', count(lengthOf(s), 'byte'));
    }
    fact('Stability', { static: 'static: changes with its file', session: 'session: changes from session to session', turn: 'turn: changes at every turn' }[t.stability]);
    fact('Importance', t.protected ? 'protected: a budget never drops it' : t.importance);
    if (t.variant) fact('Variant', `${t.variant}, shortened to fit the budget` + (t.budget ? `; ${t.budget.required ? 'whole' : 'longer'} from ${count(t.budget.stays_from, 'token')}${data.budget?.exact && data.budget.limit_exact ? '' : ', estimated'}` : ''));
    if (from && t.origin && place(t.origin) !== from) fact('Declared', place(t.origin), 'place');
    if (t.digest) fact('SHA-256', t.digest.slice(0, 12) + '…', 'place');
    inspector.append(head, element('p', 'reason', t.reason), facts);
    inspector.scrollTop = 0;
    if (pinned && t.included && writer) tellWriter(current, s ? currentSpan : bodyOf(current), facts);
  }

  // tellWriter adds the commit of a line as soon as it is known.
  async function tellWriter(f, part, facts) {
    const spans = spansOf(f), s = spans[part];
    if (!s?.file || s.file[0] === '$') return;
    const said = element('dd', 'quiet', 'looking it up');
    const commit = [element('dt', '', 'Commit'), said];
    facts.querySelector('.place').after(...commit);
    let answer;
    try { answer = await writer(order.slice(0, order.indexOf(f)).reduce((n, f) => n + traces[f].bytes, spans.slice(0, part).reduce((n, s) => n + lengthOf(s), 0))); } catch { /* it is told without */ }
    const c = answer?.commit;
    if (!c && !answer?.history) for (const e of commit) e.remove();
    said.className = '';
    said.textContent = visible(c ? `${c.id.slice(0, 12)} ${c.summary}` : answer?.history ?? '');
    if (c) said.append(element('span', 'quiet by', [c.author, c.time.slice(0, 10)].filter(Boolean).join(', ')));
  }

  function idle() {
    const box = element('div', 'idle');
    const keys = element('div', 'keys');
    for (const [names, does] of [[['j', 'k'], 'next and previous fragment'], [['←', '→'], 'parts of a fragment'], [['Enter'], 'pin'], [['/'], 'find'], [['Esc'], 'clear']]) {
      const cell = element('span');
      names.forEach((name, i) => cell.append(i ? ' ' : '', element('kbd', '', name)));
      keys.append(cell, element('span', '', does));
    }
    box.append(element('p', '', 'Point at any text to see where it is from and why it is in. Click to pin.'), keys);
    inspector.replaceChildren(box);
  }

  // say tells the screen reader what sight sees in the details.
  function say() {
    if (current < 0) return;
    const { trace: t, whose } = told(current), s = spansOf(current)[currentSpan], from = s ? place(s) : placeOf(current);
    status.textContent = visible([t.id, t.included ? 'in' : 'out', t.reason, s ? trustLabel(s.trust, s.stranger) : whose, from, pinned ? 'pinned' : ''].filter(Boolean).join(', '));
  }

  function pin(f, s) {
    pinned = true;
    current = -1; // so that the same place is shown again, as pinned
    show(f, s);
    where.set(traces[f].id);
    where.part = s < 0 ? undefined : [traces[f].id, s];
    say();
  }

  function clear() {
    pinned = false;
    current = currentSpan = -1;
    mark();
    describe();
    status.textContent = '';
    where.set('');
  }

  // ---- Pointer ---------------------------------------------------------------

  const at = (target) => {
    const span = target.closest('[data-s]'), owner = target.closest('[data-f]');
    if (!owner) return null;
    return [+owner.dataset.f, span ? +span.dataset.s : -1];
  };
  let byPointer = false;
  listen(document, 'pointerdown', () => { byPointer = true; }, true);
  listen(document, 'pointerup', () => { byPointer = false; }, true);
  listen(document, 'pointercancel', () => { byPointer = false; }, true);

  for (const area of [prompt, list, $('.map')]) {
    if (!area) continue;
    const over = (event) => {
      if (pinned || event.pointerType === 'touch') return;
      const hit = at(event.target);
      if (hit) show(...hit);
    };
    listen(area, 'pointerover', over);
    if (area !== prompt && area !== list) listen(area, 'pointermove', over);
    listen(area, 'click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest('summary, pre')) return;
      if (!getSelection().isCollapsed) return; // the end of selecting text
      const hit = at(event.target);
      if (!hit) return;
      event.preventDefault();
      const again = pinned && hit[0] === current && hit[1] === currentSpan;
      if (again) return clear();
      pin(...hit);
      reveal(hit[0], area === prompt ? 'row' : 'both');
    });
  }

  // reveal scrolls a fragment into sight, in the list, the prompt or both.
  function reveal(f, where) {
    sheet.need(f);
    mark();
    if (where !== 'block') near(sheet.row(f), list);
    if (where !== 'row') near(blockOf(f), pane);
  }

  // Blocks that were never laid out have a guessed height. Scrolling makes those
  // around the target take their own, which moves it; so look again for a few
  // frames, unless something else is to be seen by then.
  const looks = document.body.classList.contains('long') ? 20 : 1;
  const requests = new Map(); // what scrolls -> number of its last request
  function settle(scroller, look) {
    const mine = (requests.get(scroller) ?? 0) + 1;
    requests.set(scroller, mine);
    let left = looks;
    const go = () => {
      if (mine !== requests.get(scroller)) return;
      look();
      if (--left > 0) requestAnimationFrame(go);
    };
    go();
  }

  // On narrow screens the page scrolls instead of its parts.
  const scrolls = (e) => getComputedStyle(e).overflowY === 'auto';
  const viewOf = (e) => scrolls(e) ? e.getBoundingClientRect() : { top: 0, bottom: innerHeight };

  function near(e, scroller) {
    if (!e || e.hidden) return;
    if (!scrolls(scroller) && scroller === list && !list.contains(document.activeElement)) return;
    settle(scroller, () => {
      const box = e.getBoundingClientRect(), view = viewOf(scroller), height = view.bottom - view.top;
      if (box.top < view.top || box.bottom > view.bottom && box.top > view.top + height / 3) {
        e.scrollIntoView({ block: box.height > height / 2 ? 'start' : 'center' });
      }
    });
  }

  // ---- Keyboard --------------------------------------------------------------

  // One stop of the tab key for the prompt and one for the list; arrows move
  // inside. The stop is where the reader was last.
  const stops = new Map();
  function stop(area, e) {
    stops.get(area)?.setAttribute('tabindex', '-1');
    e.setAttribute('tabindex', '0');
    stops.set(area, e);
  }
  for (const e of $$('.row > a:not([tabindex="-1"])', list)) e.setAttribute('tabindex', '-1');
  if (prompt && blockOf(order[0])) stop(prompt, blockOf(order[0]));
  if (linkOf(0)) stop(list, linkOf(0));

  listen(document, 'focusin', (event) => {
    const e = event.target;
    const inPrompt = prompt?.contains(e);
    if (!(inPrompt && e.closest('[data-f]')) && !e.matches('.row > a')) return;
    const [f, s] = at(e);
    stop(inPrompt ? prompt : list, inPrompt ? blockOf(f) ?? e : e);
    if (byPointer || pinned) return;
    show(f, s);
    say();
    reveal(f, inPrompt ? 'row' : 'block');
  });

  function focusOn(e, scroller) {
    if (!e) return;
    if (!e.hasAttribute('tabindex')) e.tabIndex = -1;
    e.focus({ preventScroll: true });
    near(e, scroller);
  }

  function step(by) {
    const focus = document.activeElement;
    unpin();
    if (list.contains(focus)) {
      let i = +focus.closest('[data-f]').dataset.f + by;
      while (stays[i] === false) i += by;
      sheet.need(i);
      focusOn(linkOf(i), list);
      return;
    }
    let i = order.indexOf(current);
    i = i < 0 ? (by > 0 ? 0 : order.length - 1) : i + by;
    while (stays[order[i]] === false) i += by;
    sheet.need(order[i]);
    focusOn(blockOf(order[i]), pane);
  }

  function stepPart(by) {
    const last = spansOf(current).length - 1, s = currentSpan >= 0 ? currentSpan + by : by > 0 ? 0 : last;
    if (s < 0 || s > last) return;
    const e = spanElements(current, s)[0];
    e.tabIndex = -1;
    e.focus({ preventScroll: true });
    e.scrollIntoView({ block: 'nearest' });
  }

  listen(document, 'keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $('dialog[open]')) return;
    const focus = document.activeElement, key = event.key;
    if (focus === input) {
      if (key === 'Escape') { input.value = ''; filter(); input.blur(); event.preventDefault(); }
      if (key === 'Enter') { nextPlace(event.shiftKey ? -1 : 1); event.preventDefault(); }
      if (key === 'ArrowDown') { linkOf(stays.indexOf(true))?.focus(); event.preventDefault(); }
      return;
    }
    if (focus.matches('input, button, summary, pre') && key !== 'Escape' && key !== '/') return;
    const moving = prompt?.contains(focus) || list.contains(focus);
    switch (key) {
      case '/': input.focus(); input.select(); break;
      case 'j': step(1); break;
      case 'k': step(-1); break;
      case 'ArrowDown': if (!moving) return; step(1); break;
      case 'ArrowUp': if (!moving) return; step(-1); break;
      case 'ArrowRight': if (!prompt?.contains(focus)) return; unpin(); stepPart(1); break;
      case 'ArrowLeft': if (!prompt?.contains(focus)) return; unpin(); stepPart(-1); break;
      case 'Enter': if (!moving) return; if (pinned) clear(); else { const hit = at(focus); pin(...hit); reveal(hit[0], list.contains(focus) ? 'block' : 'row'); } break;
      case 'Escape':
        if (pinned || current >= 0) clear(); else if (filtering()) { input.value = ''; reset(); }
        break;
      case 'PageDown': if (focus !== document.body) return; pane.scrollBy(0, pane.clientHeight * 0.9); break;
      case 'PageUp': if (focus !== document.body) return; pane.scrollBy(0, -pane.clientHeight * 0.9); break;
      default: return;
    }
    event.preventDefault();
  });
  function unpin() {
    if (!pinned) return;
    pinned = false;
    mark();
    describe();
  }

  // ---- Filter ----------------------------------------------------------------

  const families = $$('.legend button'), removed = $$('.removed-of > ul > li');
  let stays = traces.map(() => true);
  let places = [], here = -1; // [from, to] in the text
  const most = 5000; // places that are marked

  // last finds the last of a sorted list that doesn't begin behind an offset, by halving.
  function last(list, offset, begin = (x) => x) {
    let low = 0, high = list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (begin(list[middle]) <= offset) low = middle; else high = middle - 1;
    }
    return low;
  }

  // marking gives what marks places in a part of the prompt: those of its text nodes.
  const markings = new Map();
  function marking([part, from]) {
    if (markings.has(part)) return markings.get(part);
    const texts = [], starts = [];
    let end = from;
    const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, (node) => node.parentElement.closest('.struck') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    while (walk.nextNode()) {
      texts.push(walk.currentNode);
      starts.push(end);
      end += walk.currentNode.length;
    }
    const ranges = (list) => list.filter(([a, b]) => a < end && b > from).map(([a, b]) => {
      const x = last(starts, a = Math.max(a, from)), y = last(starts, (b = Math.min(b, end)) - 1), hit = new Range();
      hit.setStart(texts[x], a - starts[x]);
      hit.setEnd(texts[y], b - starts[y]);
      return hit;
    });
    markings.set(part, ranges);
    return ranges;
  }

  const facts = new Map();
  function factsOf(f) {
    if (!facts.has(f)) {
      const { trace: t, whose } = told(f);
      facts.set(f, [t.id, t.source, t.reason, t.code, whose, place(t.origin), t.layer, t.section, t.text,
        ...(t.notes ?? []).map((n) => n.message), ...(t.unmet ?? []).map((u) => u.reason)].filter(Boolean).join('\n'));
    }
    return facts.get(f);
  }

  const chosen = () => $('[name=show]:checked')?.value ?? 'all';
  const pressed = () => families.filter((b) => b.getAttribute('aria-pressed') === 'true').map((b) => b.dataset.family);
  const filtering = () => input.value.trim() !== '' || chosen() !== 'all' || pressed().length > 0;

  function reset() {
    $('[name=show][value=all]').checked = true;
    for (const b of families) b.setAttribute('aria-pressed', 'false');
    filter();
  }

  function filter() {
    clearTimeout(waiting);
    waiting = 0;
    const query = input.value.trim(), mode = chosen(), only = pressed();
    const inText = new Set();
    places = [];
    here = -1;
    let more = false;
    if (query && prompt) {
      starts ??= sheet.starts();
      for (const m of data.system.matchAll(pattern(query))) {
        if (places.length === most) { more = true; break; }
        const end = m.index + m[0].length;
        places.push([m.index, end]);
        for (let i = last(starts, m.index, first); i < starts.length && starts[i][0] < end; i++) inText.add(starts[i][1]);
      }
    }
    const inFacts = query ? pattern(query) : null;
    let left = 0;
    stays = traces.map((t, f) => {
      const is = (mode === 'all' || (mode === 'in') === t.included) &&
        (!only.length || only.includes(t.source.split(':')[0])) &&
        (!query || inText.has(f) || factsOf(f).search(inFacts) >= 0);
      if (is) left++;
      return is;
    });
    sheet.sift(stays);
    highlight();
    let out = 0;
    for (const e of removed) if (!(e.hidden = !!(mode === 'in' || only[0] || query && e.textContent.search(inFacts) < 0))) out++;
    if (query && out) $('.removed-of').open = 1;
    found.textContent = !filtering() ? '' : `${number(left)} of ${count(traces.length, 'fragment')}` +
      (query ? `, ${more ? 'more than ' : ''}${count(places.length, 'place')} in the text` + (out ? `, ${count(out, 'removed text')}` : '') : '');
    const open = linkOf(stays.indexOf(true)), before = stops.get(list);
    if (open && before && (!before.isConnected || before.parentElement.hidden)) stop(list, open);
  }
  let starts;
  const first = ([start]) => start;

  // highlight marks the places that are made, and gives the one that is led to.
  function highlight() {
    const all = [], one = [];
    if (places.length) for (const part of sheet.parts()) {
      const marks = marking(part);
      all.push(...marks(places));
      if (here >= 0) one.push(...marks([places[here]]));
    }
    if ('highlights' in CSS) {
      CSS.highlights.set('found', new Highlight(...all));
      const h = new Highlight(...one);
      h.priority = 1;
      CSS.highlights.set('found-here', h);
    }
    return one[0];
  }

  function nextPlace(by) {
    if (waiting) filter(); // what was typed a moment ago
    if (!places.length) return;
    here = here < 0 ? (by > 0 ? 0 : places.length - 1) : (here + by + places.length) % places.length;
    sheet.need(starts[last(starts, places[here][0], first)][1]);
    let place = highlight();
    const e = place.startContainer.parentElement;
    unpin();
    show(...at(e));
    reveal(current, 'row');
    e.scrollIntoView({ block: 'nearest' });
    // A span may be longer than the screen: bring the place itself into sight.
    const scroller = scrolls(pane) ? pane : document.scrollingElement;
    settle(pane, () => {
      if (!place.startContainer.isConnected) place = highlight() ?? place; // made anew meanwhile
      const box = place.getBoundingClientRect(), view = viewOf(pane);
      if (box.top < view.top + 60 || box.bottom > view.bottom - 60) scroller.scrollBy(0, box.top - (view.top + view.bottom) / 2);
    });
    found.textContent = `Place ${number(here + 1)} of ${number(places.length)}`;
  }

  let waiting = 0;
  signal?.addEventListener('abort', () => clearTimeout(waiting));
  listen(input, 'input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, document.body.classList.contains('long') ? 150 : 0);
  });
  listen($('.filter'), 'submit', (event) => event.preventDefault());
  listen($('.counts'), 'change', filter);
  for (const b of families) {
    listen(b, 'click', () => {
      b.setAttribute('aria-pressed', String(b.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
  }

  // ---- Copying, addresses, printing ------------------------------------------

  for (const b of $$('[data-copy]')) {
    const what = b.dataset.copy, text = what === 'prompt' ? data.system : data.digest;
    b.hidden = text === null;
    if (b.hidden) continue;
    const name = b.textContent;
    listen(b, 'click', async () => {
      const done = await copy(text);
      b.textContent = done ? 'Copied' : 'Copying was refused';
      status.textContent = done ? what + ' copied' : 'copying was refused';
      setTimeout(() => { b.textContent = name; }, 1400);
    });
  }

  for (const a of $$('.skip')) {
    listen(a, 'click', (event) => {
      event.preventDefault();
      (a.dataset.to === 'prompt' ? stops.get(prompt) ?? pane : stops.get(list))?.focus();
    });
  }

  // follow pins the fragment that the address names.
  function follow() {
    const f = indexOf.get(where.get());
    if (f === undefined || pinned && f === current) return;
    // The part that was pinned, where the page was made anew meanwhile.
    const [id, part] = where.part ?? [], again = traces[f].id === id;
    pin(f, again && part < spansOf(f).length ? part : -1);
    if (!again) reveal(f, 'both');
  }
  listen(window, 'hashchange', follow);
  listen(window, 'beforeprint', () => {
    sheet.all?.();
    for (const d of $$('.row details, .removed details')) d.open = true;
  });
  // What is made later is marked as what was there.
  sheet.made = () => {
    markings.clear();
    mark();
    if (places.length) highlight();
  };

  idle();
  follow();
  if (filtering() || $('.frag.dim, .row[hidden]')) filter();
  return () => { if (where.get()) follow(); else if (pinned) clear(); };
}
