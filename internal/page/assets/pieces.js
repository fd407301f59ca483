// The page comes in pieces, one for each fragment, that are named by what is in them.
// What is here already isn't asked for again, and stays where it is.
import { adopt } from './adopt.js';
import { inspecting } from './client.js';
import { near } from './near.js';

const most = 30000; // pieces that are kept
const known = new Map(); // name -> piece

export const forget = () => known.clear();

// A Piece has at once what the whole page is laid out by. All else is a line of the answer,
// which is read when the fragment is near the screen or asked for.
class Piece {
  constructor(head, line) { Object.assign(this, head).line = line; }
  get told() { return this.read ??= { hue: this.hue, ...JSON.parse(this.line.slice(1)) }; }
}

// inspected gives the page of a state: of a project, or of a record. Its answer may be on
// its way already.
export const inspected = async (state, answer) => take(await (answer ?? inspecting(state, [...known.keys()].join(' '))));

// take gives a page its pieces, and all that they say together, as a page from a disk
// has it.
function take(text) {
  const [first, ...lines] = text.split('\n'), answer = JSON.parse(first + ']}'), { page } = answer, { order, heads, prompt, digest, bytes, budget, values } = page;
  let at = 0;
  const all = order.map((name, f) => {
    if (heads[f]) known.set(name, new Piece(heads[f], lines[at++]));
    return known.get(name);
  });
  page.heads = answer.pieces = null;
  if (known.size > most) {
    const used = new Set(order);
    for (const name of known.keys()) if (!used.has(name)) known.delete(name);
  }
  page.all = all;
  page.data = {
    get system() { return prompt && prompt.map((f) => all[f].text).join(''); },
    digest, bytes, budget, values, fragments: all, order: prompt ?? [], told: (f) => all[f].told,
  };
  return answer;
}

// built makes the elements of pieces that have none yet, all at once.
function built(pieces) {
  const fresh = pieces.filter((p) => !p.row);
  if (!fresh.length) return;
  const rows = adopt('<ol>' + fresh.map((p) => p.told.row).join('') + '</ol>').firstChild.children, blocks = adopt(fresh.map((p) => `<div>${p.told.block}</div>`).join('')).children;
  [...rows].forEach((row, i) => {
    fresh[i].row = row;
    row.firstElementChild.tabIndex = -1;
  });
  [...blocks].forEach((box, i) => { fresh[i].block = [...box.children]; });
}

// sync makes nodes the children of an element. Those that stay in their order aren't
// touched.
function sync(parent, nodes) {
  const wanted = new Set(nodes);
  for (const e of [...parent.childNodes]) if (!wanted.has(e)) e.remove();
  let at = parent.firstChild;
  for (const e of nodes) if (e === at) at = at.nextSibling; else parent.insertBefore(e, at);
}

// boxes are so many elements in a place, those that there are first.
function boxes(parent, n, make) {
  const out = [...parent.children].slice(0, n);
  while (out.length < n) out.push(make());
  sync(parent, out);
  return out;
}

const named = (name, className) => () => {
  const e = document.createElement(name);
  if (className) e.className = className;
  return e;
};

// Sheet lays out the prompt and the list. Of a long page it makes what is near the
// screen; before that a stretch of the prompt is its plain text, and a list is room.
export class Sheet {
  // dress has the say on what else a block or a row looks like, and what stands behind
  // which fragment, out of the prompt.
  constructor(text, list, dress) {
    Object.assign(this, { text, list, dress, behind: {}, made() {} });
    this.watch = near((box, is, tall) => { if (is) this.make(box); else this.unmake(box, tall); });
  }

  // lay puts a page into its place.
  lay(page) {
    Object.assign(this, { page, of: [], stays: null });
    let prompt = this.text.querySelector('.prompt');
    if (!page.prompt) prompt = null;
    else if (!prompt) {
      prompt = named('div', 'prompt')();
      prompt.translate = false;
    }
    const none = [...adopt(page.none).childNodes];
    sync(this.text, prompt ? [...none, prompt] : none);
    this.stretches = [];
    if (prompt && page.stretches) {
      if (!prompt.firstChild?.fs) prompt.replaceChildren();
      let from = 0, start = 0;
      this.stretches = boxes(prompt, page.stretches.length, named('div'));
      this.stretches.forEach((box, i) => {
        const [n, tall] = page.stretches[i], fs = page.prompt.slice(from, from += n);
        box.className = 'stretch t' + tall;
        this.fill(box, fs, i);
        box.start = start;
        for (const f of fs) {
          this.of[f] = box;
          start += page.all[f].text.length;
        }
      });
    } else if (prompt) {
      if (prompt.firstChild?.fs) prompt.replaceChildren();
      this.stretches = [prompt];
      prompt.start = 0;
      for (const f of page.prompt) this.of[f] = prompt;
      this.fill(prompt, page.prompt, 0);
    }
    this.rows();
  }

  // rows lists the fragments that stay.
  rows() {
    const { page, list } = this, fs = [...page.all.keys()].filter((f) => this.stays?.[f] ?? true);
    this.inList = [];
    boxes(list, Math.ceil(fs.length / page.rows), named('ol')).forEach((ol, i) => {
      const some = fs.slice(i * page.rows, (i + 1) * page.rows);
      for (const f of some) this.inList[f] = ol;
      ol.start = i * page.rows + 1;
      this.fill(ol, some, i);
    });
  }

  // fill says what belongs into a box. The first of them, and what is near, is made now.
  fill(box, fs, i) {
    box.fs = fs;
    const now = i === 0 || box.near || this.page.size !== 'long';
    box.is = now;
    if (now) this.put(box); else this.empty(box);
    if (this.page.size === 'long') this.watch.observe(box); else this.watch.unobserve(box);
  }

  put(box) {
    const { all } = this.page, rows = box.localName === 'ol';
    built(box.fs.map((f) => all[f]));
    box.style.blockSize = '';
    // A browser that is to skip parts of it lays the others out once more.
    box.classList.toggle('laid', rows || box.fs.reduce((n, f) => n + all[f].text.length, 0) < 65536);
    sync(box, rows ? box.fs.map((f) => all[f].row) : [...box === this.stretches[0] && this.behind[-1] || [], ...box.fs.flatMap((f) => [...all[f].block, ...this.behind[f] ?? []])]);
    for (const f of box.fs) for (const e of rows ? [all[f].row] : all[f].block) {
      if (e.dataset.f !== String(f)) e.dataset.f = f;
      e.classList.toggle('dim', !rows && this.stays?.[f] === false);
      this.dress(e, f);
    }
  }

  empty(box) {
    box.classList.remove('laid');
    if (box.localName !== 'ol') return box.textContent = box.fs.map((f) => this.page.all[f].text).join('');
    box.replaceChildren();
    box.style.blockSize = 3.3 * box.fs.length + 'rem';
  }

  make(box) {
    if (box.is) return;
    box.is = true;
    this.put(box);
    this.made();
  }

  // unmake forgets what is out of sight, unless the keyboard or a selection is there.
  unmake(box, tall) {
    if (!box.is || box.querySelector('a[tabindex="0"], .frag[tabindex="0"], .at') || box.contains(document.activeElement) || !getSelection().isCollapsed && getSelection().containsNode(box, true)) return;
    box.is = false;
    this.empty(box);
    if (box.localName === 'ol') box.style.blockSize = tall + 'px';
    this.made();
  }

  // What the details, the keyboard and the filter ask for.
  row(f) { return this.inList[f]?.is ? this.page.all[f].row : null; }
  blocks(f) { return !this.of[f] ? [] : this.of[f].is ? this.page.all[f].block : null; }
  need(f) { for (const box of [this.of[f], this.inList[f]]) if (box) this.make(box); }
  all() { for (const f of this.page.all.keys()) this.need(f); }
  sift(stays) {
    this.stays = stays;
    this.rows();
    this.again();
  }
  again() { for (const box of this.stretches) if (box.is) this.put(box); }
  starts() {
    let start = 0;
    return (this.page.prompt ?? []).map((f) => {
      const at = start;
      start += this.page.all[f].text.length;
      return [at, f];
    });
  }
  parts() { return this.stretches.filter((box) => box.is).map((box) => [box, box.start]); }
}

// draw draws the prompt as one bar: a path for each colour. The bar says as its number
// which fragment the pointer is on.
export function draw(page, into) {
  if (!page.map.length) return into.replaceChildren();
  let svg = into.firstElementChild;
  if (!svg) {
    svg = shape('svg', { class: 'map', preserveAspectRatio: 'none', role: 'img', 'aria-label': 'The prompt as a bar, each fragment as wide as it is long' });
    svg.addEventListener('pointermove', (event) => {
      const box = svg.getBoundingClientRect(), at = svg.total * (event.clientX - box.x) / box.width;
      svg.dataset.f = (svg.marks.find((m) => m.to > at) ?? svg.marks.at(-1)).fragment;
    });
    into.replaceChildren(svg);
  }
  Object.assign(svg, { marks: page.map, total: page.bytes, hue: (f) => page.all[f]?.hue });
  svg.setAttribute('viewBox', `0 0 ${page.bytes} 10`);
  const bars = Map.groupBy(page.map, (m) => page.all[m.fragment].hue + (m.thin ? ' thin' : ''));
  svg.replaceChildren(...[...bars].map(([name, marks]) => shape('path', { class: name, d: marks.map(bar).join('') })), shape('path', { class: 'here' }));
}

const bar = (m) => `M${m.from} 0H${m.to}V10H${m.from}Z`;

function shape(name, has) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in has) e.setAttribute(key, has[key]);
  return e;
}

// point marks a fragment in the bar.
export function point(f, into) {
  const svg = into.firstElementChild, m = svg?.marks.find((x) => x.fragment === f);
  if (!svg) return;
  svg.lastChild.setAttribute('class', 'here ' + svg.hue(f));
  svg.lastChild.setAttribute('d', m ? bar(m) : '');
}
