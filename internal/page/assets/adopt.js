// Parts of the page come as markup that the program wrote, in which every text is escaped
// by the one function that does so. They are parsed where nothing runs and nothing loads,
// held against what that markup consists of, and only then taken over; the policy of the
// page lets no script of a document run in any case.

const elements = new Set(['a', 'button', 'code', 'dd', 'details', 'div', 'dl', 'dt', 'h1', 'input', 'label', 'li', 'ol', 'p', 'pre', 'span', 'summary', 'ul']);
const attributes = new Set(['aria-hidden', 'aria-label', 'aria-pressed', 'checked', 'class', 'data-c', 'data-f', 'data-family', 'data-id', 'data-s', 'data-trust', 'href', 'id', 'name', 'open', 'role', 'start', 'tabindex', 'translate', 'type', 'value']);

const parser = new DOMParser();

export function adopt(markup) {
  const body = parser.parseFromString('<body>' + markup, 'text/html').body;
  for (const e of body.querySelectorAll('*')) {
    if (!elements.has(e.localName)) throw new Error('no part of the page');
    for (const a of e.attributes) {
      if (!attributes.has(a.name) || a.name === 'href' && !a.value.startsWith('#')) throw new Error('no part of the page');
    }
  }
  const out = document.createDocumentFragment();
  while (body.firstChild) out.append(body.firstChild);
  return out;
}
