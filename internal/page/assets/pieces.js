// The page comes in pieces, one for each fragment, that are named by what is in them.
// What is here already isn't asked for again, and stays where it is.
import { count, visible } from './page.js';
import { adopt } from './adopt.js';

const most = 30000; // pieces that are kept
const known = new Map(); // name -> piece

// have are the names of the pieces that are here.
export const have = () => [...known.keys()].join(' ');

export const forget = () => known.clear();

// take gives a page its pieces, and all that they say together, as a page from a disk
// has it.
export function take(page) {
  for (const name in page.pieces) known.set(name, page.pieces[name]);
  if (known.size > most) {
    const used = new Set(page.order);
    for (const name of known.keys()) if (!used.has(name)) known.delete(name);
  }
  const pieces = page.order.map((name) => known.get(name)), spans = [];
  let text = '', start = 0;
  for (const f of page.prompt ?? []) {
    text += pieces[f].text;
    for (const s of pieces[f].spans ?? []) {
      spans.push({ file: '', line: 0, column: 0, var: '', ...s, start, end: start + s.length, fragment: pieces[f].trace.id });
      start += s.length;
    }
  }
  page.all = pieces;
  page.data = {
    system: page.prompt && text, digest: page.digest, bytes: page.bytes, budget: page.budget, values: page.values, spans,
    fragments: pieces.map((p) => p.trace), hues: pieces.map((p) => p.hue), whose: pieces.map((p) => p.whose), strangers: pieces.map((p) => p.stranger),
  };
  return page;
}

// built makes the elements of pieces that have none yet, all at once.
function built(pieces) {
  const fresh = pieces.filter((p) => !p.row.nodeType);
  if (!fresh.length) return;
  const rows = adopt('<ol>' + fresh.map((p) => p.row).join('') + '</ol>').firstChild.children, blocks = adopt(fresh.map((p) => `<div>${p.block}</div>`).join('')).children;
  [...rows].forEach((row, i) => { fresh[i].row = row; });
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

// lay puts the prompt and the list of a page into their places.
export function lay(page, text, list) {
  built(page.all);
  page.all.forEach((p, i) => { for (const e of [p.row, ...p.block]) if (e.dataset.f !== String(i)) e.dataset.f = i; });
  const lists = boxes(list, Math.ceil(page.all.length / page.rows), named('ol'));
  lists.forEach((ol, i) => {
    ol.start = i * page.rows + 1;
    sync(ol, page.all.slice(i * page.rows, (i + 1) * page.rows).map((p) => p.row));
  });
  let prompt = text.querySelector('.prompt');
  if (!page.prompt) prompt = null;
  else if (!prompt) {
    prompt = named('div', 'prompt')();
    prompt.translate = false;
  }
  const none = [...adopt(page.none).childNodes];
  sync(text, prompt ? [...none, prompt] : none);
  if (!prompt) return;
  for (const e of prompt.querySelectorAll('.struck')) e.remove();
  const blocks = (fs) => fs.flatMap((f) => page.all[f].block);
  if (!page.stretches) return sync(prompt, blocks(page.prompt));
  let from = 0;
  if (prompt.firstChild && !prompt.firstChild.classList.contains('stretch')) prompt.replaceChildren();
  boxes(prompt, page.stretches.length, named('div')).forEach((box, i) => {
    const [n, tall] = page.stretches[i], name = 'stretch t' + tall;
    if (box.className !== name) box.className = name;
    sync(box, blocks(page.prompt.slice(from, from += n)));
  });
}

// draw draws the prompt as one bar.
export function draw(page, into) {
  if (!page.map.length) return into.replaceChildren();
  const make = (name) => document.createElementNS('http://www.w3.org/2000/svg', name);
  const set = (e, name, value) => { if (e.getAttribute(name) !== String(value)) e.setAttribute(name, value); };
  let svg = into.firstElementChild;
  if (!svg) {
    svg = make('svg');
    for (const [name, value] of [['class', 'map'], ['preserveAspectRatio', 'none'], ['role', 'group'], ['aria-label', 'The prompt as a bar, each fragment as wide as it is long']]) svg.setAttribute(name, value);
    into.replaceChildren(svg);
  }
  set(svg, 'viewBox', `0 0 ${page.bytes} 10`);
  const bars = boxes(svg, page.map.length, () => {
    const a = make('a'), rect = make('rect');
    a.setAttribute('tabindex', '-1');
    for (const [name, value] of [['y', 0], ['height', 10]]) rect.setAttribute(name, value);
    rect.append(make('title'));
    a.append(rect);
    return a;
  });
  page.map.forEach((m, i) => {
    const a = bars[i], rect = a.firstChild, id = page.all[m.fragment].trace.id;
    set(a, 'href', '#' + encodeURIComponent(id));
    set(a, 'data-f', m.fragment);
    set(rect, 'class', page.all[m.fragment].hue + (m.thin ? ' thin' : ''));
    set(rect, 'x', m.from);
    set(rect, 'width', m.to - m.from);
    const title = visible(id) + (m.others ? ` and ${count(m.others, 'fragment')} around it` : '') + ', ' + count(m.to - m.from, 'byte');
    if (rect.firstChild.textContent !== title) rect.firstChild.textContent = title;
  });
}
