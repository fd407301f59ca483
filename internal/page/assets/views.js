// The views beside the prompt. Each asks for what it shows, and builds it of elements and
// texts.
import { number, count, pattern, place, visible } from './page.js';
import { about, button, exact, groups, h, long, parts, request, scrolling } from './elements.js';
import { ask, query, segment } from './client.js';
import { inspected } from './pieces.js';
import { written } from './address.js';

const field = (name, control) => h('label.field', h('span', name), control);
const choice = (options, value, onchange) => {
  const e = h('select', options.map(([v, text]) => h('option', { value: v }, text)));
  e.value = value;
  e.addEventListener('change', () => onchange(e.value));
  return e;
};
const fragment = (s, id, hue) => h('a.frag-name.' + (hue ?? 'h0'), { href: written({ ...s, view: 'prompt', more: { record: s.more.record, at: id } }) }, id);
const table = (head, list, row) => h('div.scrolled', { tabIndex: 0, role: 'region', 'aria-label': head.join(', ') }, h('table', h('thead', h('tr', head.map((x) => h('th', { scope: 'col' }, x)))), parts(list, 50, 2.2, 'tbody', row)));
const at = (time) => h('time', { datetime: time }, time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC'));
const of = (s) => '/v1/projects/' + segment(s.project) + '/';

function svg(name, has, ...inside) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(has)) e.setAttribute(key, value);
  e.append(...inside);
  return e;
}

// ---- Diff --------------------------------------------------------------------

// words marks what two texts don't share.
const words = (list) => list.map(([op, text]) => op === ' ' ? long(text) : h(op === '+' ? 'ins' : 'del', long(text))).flat();
const pre = (sign, text) => scrolling(h(sign, long(text ?? '')));

// sideOf reads a state of the address: the files, a target, the what-if, a commit, or a
// record.
const after = (text, head) => text.startsWith(head) ? text.slice(head.length) : undefined;
const sideOf = (s, text) => {
  const target = after(text, 'target:'), input = after(text, 'record:');
  return text === 'what' ? s.what : target !== undefined ? { target } : input ? { input } : {};
};

const diff = {
  title: 'Diff',
  sides: (s) => [s.more.a ?? '', s.more.b ?? (Object.keys(s.what).length ? 'what' : '')],
  ask(s) {
    const [a, b] = this.sides(s);
    return Promise.all([ask('/inspector/diff/' + segment(s.project), { a: sideOf(s, a), b: sideOf(s, b), a_revision: after(a, 'git:') ?? '', b_revision: after(b, 'git:') ?? '' }).catch((error) => ({ error })), ask(of(s).slice(0, -1))]);
  },
  draw(root, s, [d, { targets }]) {
    const [a, b] = this.sides(s);
    const sides = [['', 'the files as they are'], ['what', 'the what-if'], ...targets.map((t) => ['target:' + t, 'target ' + t])];
    for (const x of new Set([a, b])) if (/^(record|git):/.test(x)) sides.push([x, x.replace(/^record:(.{12}).*/, 'record $1').replace(/^git:/, 'commit ')]);
    sides.push(['?', 'a commit …']);
    const to = (key) => (value) => s.go({ more: { a, b, [key]: value } });
    // A commit is named as git has it, in a field that takes the place of the choice.
    const sideField = (name, key) => {
      const now = key === 'a' ? a : b, box = field(name, choice(sides, now, (value) => {
        if (value !== '?') return to(key)(value);
        const input = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'HEAD~1, a tag, a branch', value: after(now, 'git:') ?? '' });
        input.addEventListener('keydown', (e) => {
          if (e.key === 'Enter' && input.value.trim()) to(key)('git:' + input.value.trim());
          if (e.key === 'Escape') to(key)(now);
        });
        input.addEventListener('change', () => { if (input.value.trim()) to(key)('git:' + input.value.trim()); });
        box.lastChild.replaceWith(input);
        input.focus();
      }));
      return box;
    };
    const head = [h('h1', 'Diff'), h('div.line', sideField('From', 'a'), sideField('To', 'b'))];
    if (d.error) {
      root.replaceChildren(...head);
      throw d.error;
    }
    const D = d.difference, name = (c) => fragment(s, c.id, d.hues[c.id]);
    const entry = (c, mark, ...inside) => () => h('li.entry.' + (d.hues[c.id] ?? 'h0') + '.' + mark, h('div.head', name(c), ' ', h('span.quiet', { ins: 'came', del: 'went', mod: 'changed', mov: 'moved' }[mark])), inside);
    const turned = (c) => h('p', h('del', c.from ?? ''), ' → ', h('ins', c.to ?? ''));
    const list = [
      ...D.changed.map((c) => entry(c, 'mod', scrolling(words(d.words[c.id])))),
      ...D.verdicts.map((c) => entry(c, d.in[c.id] ? 'ins' : 'del', turned(c), pre(d.in[c.id] ? 'ins' : 'del', d.texts[c.id]))),
      ...D.added.map((c) => entry(c, 'ins', h('p', c.included ? 'in: ' : 'considered, and out: ', c.to), pre('ins', c.text))),
      ...D.removed.map((c) => entry(c, 'del', h('p', c.included ? 'was in: ' : 'was considered, and out: ', c.from), pre('del', c.text))),
      ...D.moved.map((c) => entry(c, 'mov', h('p', `behind ${c.to ?? 'nothing: it is first'}; was behind ${c.from ?? 'nothing: it was first'}`))),
    ];
    root.replaceChildren(...head,
      h('p.delta', `${about(d.before.tokens, d.before.exact)} → ${about(d.after.tokens, d.after.exact)} tokens, ${count(list.length, 'difference')}`),
      ...list.length ? parts(list, 20, 6, 'ul.entries', (make) => make()) : [h('p.quiet', a === b ? 'Both sides are the same. Choose another to compare with.' : 'No fragment is different.')]);
    s.say(count(list.length, 'difference'));
  },
};

// ---- Budget --------------------------------------------------------------------

const budget = {
  title: 'Budget',
  ask: (s) => ask(of(s) + 'budget', s.what),
  draw(root, s, b) {
    const curve = b.curve, [least, most] = [b.least, Math.max(curve.at(-1).budget, b.budget, 1)];
    const slide = h('input', { type: 'range', min: String(least), max: String(most), 'aria-label': 'Budget of tokens' }), told = h('output'), line = svg('line', { y1: 0, y2: 100 });
    const x = (n) => most === least ? 100 : 100 * (n - least) / (most - least), y = (n) => 100 - 96 * n / Math.max(...curve.map((p) => p.tokens), 1);
    const path = curve.map((p, i) => `${i ? `H${x(p.budget)}V` : `M${x(p.budget)} `}${y(p.tokens)}`).join('') + 'H100';
    let n = b.budget, cut = -1;
    const rows = [], state = (r, i) => {
      r.classList.toggle('gone', b.sequence[i].stays_from > n);
      r.classList.toggle('cut', i === cut && cut > 0);
    };
    const row = (step, i) => {
      const r = rows[i] = h('tr', h('td', i + 1), h('td', step.fragments.map((id) => [fragment(s, id), ' ']).flat(), step.variant ? h('span.quiet', `shortened to variant ${step.variant}`) : ''),
        h('td', step.importance), h('td', about(step.tokens, b.exact)), h('td', about(step.stays_from, b.exact && b.limit_exact)));
      state(r, i);
      return r;
    };
    const look = () => {
      n = +slide.value;
      const p = curve.findLast((c) => c.budget <= n);
      told.textContent = !p ? `A budget below ${about(b.whole, b.exact && b.limit_exact)} tokens shortens required fragments too.` : `With a budget of ${number(n)} tokens the prompt takes ${about(p.tokens, b.exact)}: ${number(p.dropped)} dropped, ${number(p.shortened)} shortened.`;
      cut = b.sequence.findIndex((step) => step.stays_from <= n);
      rows.forEach(state);
      for (const k of ['x1', 'x2']) line.setAttribute(k, x(n));
    };
    slide.value = b.budget;
    slide.disabled = least === most;
    slide.addEventListener('input', look);
    look();
    root.replaceChildren(h('h1', 'Budget'),
      h('dl.facts', [['Budget', b.named ? number(b.budget) : 'none'], ['Reserve', number(b.reserve)], ['Tools', about(b.tools, b.tools_exact)], ['Framing', b.framing === null ? 'not known' : about(b.framing, b.framing_known)], ['Left for the prompt', about(b.limit, b.limit_exact)], ['The whole prompt', b.full], ['Required', b.required], ['Least budget that works', about(b.least, b.exact && b.limit_exact)]].map(([k, v]) => h('div', h('dt', k), h('dd', typeof v === 'number' ? about(v, b.exact) : v)))),
      b.named ? '' : h('p.quiet', 'There is no budget. The numbers are those of the least budget that keeps everything.'), h('h2', 'What every budget keeps'), h('p.ends', `up to ${about(Math.max(...curve.map((p) => p.tokens)), b.exact)} tokens of prompt`), svg('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', class: 'curve', role: 'img', 'aria-label': 'Tokens of the prompt by the budget' }, svg('path', { d: path }), line), slide, h('p.ends', h('span', about(least, b.exact && b.limit_exact)), h('span', 'budget of tokens'), h('span', about(most, b.exact && b.limit_exact))), told,
      h('div.line', button('Try this budget in what if', () => s.go({ view: 'prompt', what: { ...s.what, budget: +slide.value }, more: {} }))),
      h('h2', 'What goes first'), b.sequence.length ? h('p.quiet', 'The size of the prompt is the larger of two counts: the whole text, and the sum of its fragments.') : '', h('p.quiet', b.summary), b.sequence.length ? table(['#', 'Fragments', 'Importance', 'Prompt behind it', 'Stays from'], b.sequence, row) : '');
  },
};

// ---- Wire ----------------------------------------------------------------------

// tokens of the JSON of a body, each with the pointer of the value that it belongs to.
function* tokens(body) {
  const stack = [];
  let pointer = '', key = false;
  for (const [text] of body.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g)) {
    const top = stack.at(-1);
    if (text === '{' || text === '[') {
      yield { text, pointer, depth: stack.length };
      stack.push({ of: text, pointer, n: 0 });
      key = text === '{';
      if (!key) pointer += '/0';
    } else if (text === '}' || text === ']') {
      stack.pop();
      pointer = top.pointer;
      yield { text, pointer, depth: stack.length, closes: true };
    } else if (text === ',') {
      yield { text, pointer, depth: stack.length };
      key = top.of === '{';
      if (!key) pointer = top.pointer + '/' + ++top.n;
    } else if (text === ':') {
      key = false;
      yield { text, pointer, depth: stack.length };
    } else {
      if (key) pointer = top.pointer + '/' + JSON.parse(text).replace(/~/g, '~0').replace(/\//g, '~1');
      yield { text, pointer, depth: stack.length, key };
    }
  }
}

const wire = {
  title: 'Wire',
  ask: (s) => Promise.all([ask(of(s) + 'wire', { ...s.what, partial: true, ...s.more.form && { provider: s.more.form } }).catch((error) => ({ error })), inspected({ ...s, more: {} }).then(({ page, choices }) => [page.all.map((p) => [p.id, p.hue]), choices.forms])]),
  draw(root, s, [w, [colours, forms]]) {
    const form = w.form ?? s.more.form ?? '';
    const head = [h('h1', 'Wire'), h('div.line', field('Form', choice([...new Set([form, ...forms])].map((f) => [f, f || 'choose one']), form, (form) => s.go({ more: { form } }))))];
    if (w.error) {
      root.replaceChildren(...head);
      throw w.error;
    }
    const hues = new Map(colours), pieces = Map.groupBy(w.map, (p) => p.pointer), marks = Map.groupBy(w.breakpoints, (m) => m.pointer);
    const bytes = new TextEncoder(), chars = new TextDecoder('utf-8', { ignoreBOM: true });
    const coloured = (text, list) => {
      const all = bytes.encode(text);
      return list.map((p) => {
        const from = w.spans[p.span];
        return [chars.decode(all.subarray(p.start, p.end)), 'span.' + (hues.get(from?.fragment) ?? (from?.fragment.startsWith('tool:') ? 'h5' : 'h0')) + '.piece', visible(from ? `${from.fragment} ${place(from)}` : '')];
      });
    };
    const mark = (m) => h('div.mark-line', `cache breakpoint behind ${m.after}${m.tokens === null ? '' : ': ' + about(m.tokens, w.tokens_exact && w.tools_exact) + ' tokens'}${m.ttl ? ', kept ' + m.ttl : ''}`);
    const body = h('pre.request', { tabIndex: 0, role: 'region', 'aria-label': 'The body of the request' });
    const list = [];
    let plain = '';
    const put = (...parts) => {
      if (plain) list.push([plain]);
      plain = '';
      list.push(...parts);
    };
    if (w.form === 'text') put(...coloured(w.body, w.map));
    else {
      let fresh = false, before = '', line = '\n'; // a breakpoint ends the line before it
      for (const t of tokens(w.body)) {
        if (fresh && !(t.closes && '[{'.includes(before)) || t.closes && !'[{'.includes(before)) {
          plain += line + '  '.repeat(t.depth);
          line = '\n';
        }
        fresh = false;
        const of = !t.key && t.text[0] === '"' ? pieces.get(t.pointer) : undefined;
        if (of) {
          plain += '"';
          put(...coloured(JSON.parse(t.text), of));
          plain = '"';
        } else if (t.key) put([t.text, 'b']);
        else plain += t.text;
        if (t.text === ':') plain += ' ';
        if (',[{'.includes(t.text)) fresh = true;
        if (t.closes && marks.has(t.pointer)) {
          put(...marks.get(t.pointer).map(mark));
          line = '';
        }
        before = t.text;
      }
      put();
    }
    body.append(...request(list));
    root.replaceChildren(...head,
      h('p.quiet', [w.url_path && 'To ' + w.url_path, w.system_tokens !== null && about(w.system_tokens, w.tokens_exact) + ' tokens of prompt', w.tool_tokens !== null && about(w.tool_tokens, w.tokens_exact && w.tools_exact) + ' of tools', count(bytes.encode(w.body).length, 'byte') + ' without a conversation'].filter(Boolean).join(', ') + '. Line ends in strings are shown as such.'),
      w.losses.length ? h('div.losses', h('h2', count(w.losses.length, 'loss', 'losses')), h('ul', w.losses.map((l) => h('li', h('code', l.code), ' ', l.message, ' ', l.fragment ? h('span.quiet', l.fragment) : '')))) : '', body);
  },
};

// ---- Sessions --------------------------------------------------------------------

const session = {
  title: 'Sessions',
  async ask(s) {
    const { sessions } = await ask('/v1/sessions' + query({ project: s.project, limit: 500 }));
    const ids = sessions.sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated)).map((x) => x.id), id = s.more.id || ids[0];
    return [ids, id, id && await ask('/inspector/session/' + segment(id))];
  },
  draw(root, s, [ids, id, t]) {
    if (!id) return root.replaceChildren(h('h1', 'Sessions'), h('p.quiet', 'No session of this project has begun.'));
    const steps = t.steps, most = Math.max(1, ...steps.flatMap((x) => [x.tokens, x.billed?.input ?? 0]));
    const bar = (x, what = '') => {
      const parts = x.predicted ? [['read', x.predicted.read], ['written', x.predicted.written], ['paid', x.predicted.paid]] : [['paid', x.tokens]];
      let from = 0;
      return svg('svg', { viewBox: `0 0 ${most} 10`, preserveAspectRatio: 'none', class: 'turn', role: 'img', 'aria-label': what + parts.map(([k, n]) => `${number(n)} ${k}`).join(', ') },
        ...parts.filter(([, n]) => n).map(([k, n]) => svg('rect', { class: k, x: (from += n) - n, y: 0, width: n, height: 10 })));
    };
    const turn = (r, i) => {
      const step = steps.find((x) => x.record === r.seq);
      const changes = h('div');
      const item = h('li.entry', h('div.head', h('a.frag-name', { href: written({ ...s, view: 'prompt', what: {}, more: { record: r.hash } }) }, r.label || 'record ' + r.seq), ' ', h('span.quiet', at(r.at))));
      if (step) {
        item.append(bar(step), h('p', step.predicted ? `${about(step.predicted.read, t.exact)} read from the cache, ${about(step.predicted.written, t.exact)} written, ${about(step.predicted.paid, t.exact)} paid in full` : about(step.tokens, t.exact) + ' tokens', step.lost ? `; ${about(step.lost, t.exact)} lost` : ''));
        if (step.billed) {
          const { read, written: wrote, paid } = step.billed;
          const known = read !== null;
          item.append(bar({ tokens: step.billed.input, predicted: known && { read, written: wrote, paid } }, 'billed: '), h('p.billed', h('b', 'billed'), known ? ` ${number(read)} read from the cache, ${number(wrote)} written, ${number(paid)} paid in full` : ` ${number(step.billed.input)} tokens; the usage does not report cached tokens`,
            step.deviation ? h('span.off', '; ' + step.deviation) : ''));
        }
        if (step.broke.length) item.append(h('div.broke', step.broke.map((b) => h('p', b))));
      }
      if (i) {
        const more = h('details', h('summary', 'What is different from the record before'), changes);
        more.addEventListener('toggle', async () => {
          if (!more.open || changes.childNodes.length) return;
          try {
            const d = await ask('/inspector/diff/' + segment(s.project), { a: { input: t.records[i - 1].hash }, b: { input: r.hash } }), list = groups(d.difference, (id) => d.in[id] ?? true);
            changes.append(...list.length ? list.map(([k, l]) => h('p', `${k}: `, l.map((c) => [h('span.frag-name', c.id), ' ']).flat())) : [h('p.quiet', 'No fragment.')]);
          } catch (error) { changes.append(h('p', error.message)); }
        });
        item.append(more);
      }
      return item;
    };
    root.replaceChildren(h('h1', 'Sessions'), h('div.line', field('Session', choice([...new Set([id, ...ids])].map((x) => [x, x]), id, (to) => s.go({ more: { id: to } })))),
      h('p', `Turn ${t.turn}, prompt of epoch ${t.epoch}; ${count(t.pending.length, 'reminder')} pending.`), t.why ? h('p.quiet', t.why) : h('p.legend-of', h('span.read'), ' read from the cache ', h('span.written'), ' written ', h('span.paid'), ' paid in full'),
      ...parts(t.records, 50, 6, 'ol.entries', turn), ...t.pending.length ? [h('h2', 'Pending reminders'), h('ul.entries', t.pending.map((r) => h('li.entry.h4', h('div.head', r.id), scrolling(long(r.body)))))] : []);
  },
};
// ---- Records ---------------------------------------------------------------------

const records = {
  title: 'Records',
  ask: (s) => ask('/v1/records' + query({ text: s.more.text, cursor: s.more.cursor })),
  draw(root, s, found) {
    const { text = '', cursor = '' } = s.more;
    const list = found.found ? found.found.matches ?? [] : found.records ?? [];
    const input = h('input', { type: 'search', value: text, 'aria-label': 'A sentence that was handed out', placeholder: 'A sentence that was handed out' });
    const form = h('form.line', { role: 'search', onsubmit: (e) => { e.preventDefault(); s.go({ more: { text: input.value.trim() } }); } }, input, h('button', { type: 'submit' }, 'Search'));
    const shown = (r) => {
      const where = h('div');
      const item = h('li.entry', h('div.head', h('a.frag-name', { href: written({ ...s, view: 'prompt', what: {}, more: { record: r.hash } }) }, `${r.session}@${r.seq}`), ' ', at(r.at), ' ', h('span.quiet', r.label, ' ', (r.prompt_digest ?? '').slice(0, 12)), ' ',
        h('a', { href: written({ ...s, view: 'diff', what: {}, more: { a: 'record:' + r.hash } }) }, 'compare with now')));
      for (const f of r.fragments ?? []) item.append(h('p', h('span.frag-name', f.id), ' ', h('code', f.places.map(place).join(', ') || place(f.origin)), f.included ? '' : ' (out)'));
      if (text) {
        const more = h('details', h('summary', 'In its place'), where);
        more.addEventListener('toggle', async () => {
          if (!more.open || where.childNodes.length) return;
          try {
            const { page } = await inspected({ what: {}, more: { record: r.hash } }), prompt = page.data.system ?? '';
            const m = pattern(text).exec(prompt), mark = h('mark');
            where.append(m ? scrolling(exact(prompt.slice(Math.max(0, m.index - 300), m.index)), mark, exact(prompt.slice(m.index + m[0].length, m.index + m[0].length + 300))) : h('p.quiet', 'It stands in a fragment that is out.'));
            if (!m) return;
            mark.append(exact(m[0]));
            mark.parentElement.scrollTop = mark.offsetTop - mark.parentElement.offsetTop - 40;
          } catch (error) { where.append(h('p', error.message)); }
        });
        item.append(more);
      }
      return item;
    };
    root.replaceChildren(h('h1', 'Records'), form, h('p.quiet', list.length ? `${count(list.length, 'record')}${found.found?.ignored_case ? ', with letter case set aside' : ''}${list.length > 1 ? ', the newest first' : ''}` : text ? 'No record holds that.' : cursor ? 'There are no older records.' : 'Nothing was handed out yet: a session of the project makes records.'), ...parts(list, 50, 5, 'ol.entries', shown),
      found.next ? button('Older', () => s.go({ more: { text, cursor: found.next } })) : '');
    s.say(count(list.length, 'record'));
  },
};

export const views = { diff, budget, wire, session, records };
