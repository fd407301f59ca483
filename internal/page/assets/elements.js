// What the inspector is built of.
import { number, visible } from './page.js';
import { near } from './near.js';

// h makes an element: its name with classes, what it has if that is anything, what is in
// it. Strings are shown with what can't be seen written out, line ends too.
export function h(name, has, ...inside) {
  const [tag, ...classes] = name.split('.');
  const e = document.createElement(tag);
  if (classes.length) e.className = classes.join(' ');
  if (has?.constructor !== Object) inside.unshift(has ?? []);
  else for (const [key, value] of Object.entries(has)) {
    if (key in e && typeof value !== 'string') e[key] = value; else if (value !== undefined) e.setAttribute(key, value);
  }
  e.append(...inside.flat().map((x) => x instanceof Node ? x : visible(x ?? '')));
  return e;
}
// exact is a text of several lines.
export const exact = (text) => new Text(text.replace(/[^\n\t]+/g, visible));
export const button = (text, onclick) => h('button', { type: 'button', onclick }, text);

// about is a number that may be estimated.
export const about = (n, exact) => (exact ? '' : '~') + number(n);

// groups are the fragments of a difference by what became of them.
export const groups = (d, isIn) => [['came', [...d.verdicts, ...d.added].filter((c) => c.included ?? isIn(c.id))], ['went', [...d.verdicts, ...d.removed].filter((c) => c.included ?? !isIn(c.id))],
  ['changed', d.changed.filter((c) => isIn(c.id))], ['moved', d.moved]].filter(([, list]) => list.length);

// ---- What is long --------------------------------------------------------------

const watch = near((e, is) => {
  if (!is || !e.make) return;
  e.style.blockSize = '';
  e.replaceChildren(...e.make());
  e.make = null;
  watch.unobserve(e);
});
function later(e, make) {
  e.make = make;
  watch.observe(e);
  return e;
}

// parts makes a long list in boxes of so many items, each when it comes near; until then
// a box has the room of so many times tall.
export const parts = (list, per, tall, box, make) => Array.from({ length: Math.ceil(list.length / per) }, (_, i) => {
  const some = list.slice(i * per, (i + 1) * per), all = () => some.map((x, k) => make(x, i * per + k));
  if (!i) return h(box, all());
  const e = later(h(box), all);
  e.style.blockSize = tall * some.length + 'rem';
  return e;
});

// cut cuts a text behind ends of lines, into pieces that a browser lays out at once.
export function cut(text) {
  const out = [];
  for (let from = 0; from < text.length;) {
    const line = text.indexOf('\n', from + 8000) + 1;
    let to = line && line < from + 32000 ? line : from + 16000;
    if (/[\ud800-\udbff]/.test(text[to - 1])) to++;
    out.push(text.slice(from, from = to));
  }
  return out;
}

// long shows a text, which is skipped while it is out of sight where it is long.
export const long = (text) => text.length < 32000 ? [exact(text)] : cut(text).map((t) => h('span.cut', exact(t)));

// scrolling is a text that scrolls by itself where it is long.
export function scrolling(...inside) {
  const e = h('pre', ...inside);
  if (e.textContent.length > 200) e.tabIndex = 0;
  return e;
}

// request shows parts of a text, each with what it looks like: [text, name, title], or an
// element. What is far is plain until it comes near.
export function request(list) {
  const boxes = [];
  let n = Infinity, ended = true;
  for (const part of list) {
    for (const text of part instanceof Node ? [part] : cut(part[0])) {
      if (n > 16000 || n > 4000 && ended) { boxes.push([]); n = 0; }
      boxes.at(-1).push(part instanceof Node ? part : [text, part[1], part[2]]);
      n += text.length ?? 1;
      ended = part instanceof Node || text.endsWith('\n');
    }
  }
  const node = (x) => x instanceof Node ? x : x[1] ? h(x[1], x[2] ? { title: x[2] } : {}, exact(x[0])) : exact(x[0]);
  return boxes.map((some, i) => {
    const e = h('span.cut');
    if (!i) e.append(...some.map(node));
    else later(e, () => some.map(node)).append(...some.map((x) => x instanceof Node ? x : exact(x[0])));
    return e;
  });
}
