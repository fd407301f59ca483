// What the inspector is built of.
import { visible } from './page.js';

// h makes an element: its name with classes, what it has if that is anything, what is in
// it. Texts are shown with what can't be seen written out.
export function h(name, has, ...inside) {
  const [tag, ...classes] = name.split('.');
  const e = document.createElement(tag);
  if (classes.length) e.className = classes.join(' ');
  if (has?.constructor !== Object) inside.unshift(has ?? []);
  else for (const [key, value] of Object.entries(has)) {
    if (key in e && typeof value !== 'string') e[key] = value; else if (value !== undefined) e.setAttribute(key, value);
  }
  e.append(...inside.flat().map((x) => x instanceof Node ? x : exact(String(x ?? ''))));
  return e;
}
export const exact = (text) => text.replace(/[^\n\t]+/g, visible);
export const button = (text, onclick) => h('button', { type: 'button', onclick }, text);

// groups are the fragments of a difference by what became of them.
export const groups = (d, isIn) => [['came', [...d.verdicts, ...d.added].filter((c) => c.included ?? isIn(c.id))], ['went', [...d.verdicts, ...d.removed].filter((c) => c.included ?? !isIn(c.id))],
  ['changed', d.changed.filter((c) => isIn(c.id))], ['moved', d.moved]].filter(([, list]) => list.length);
