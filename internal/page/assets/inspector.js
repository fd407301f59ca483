// The inspector: signs in, keeps what is looked at in the address, and shows it.
import { element, inspect, visible } from './page.js';
import { adopt } from './adopt.js';
import { draw, forget, lay } from './pieces.js';
import { ask, enter, inspected, segment, signOut, signedIn, useToken } from './client.js';
import { read, written } from './address.js';
import { Live } from './live.js';
import { Panel } from './whatif.js';
import { views } from './views.js';

const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => document.querySelectorAll(selector);
const tabs = [['prompt', 'Prompt'], ...Object.entries(views).map(([name, v]) => [name, v.title])];
const status = $('[role=status]'), failed = $('.failed'), other = $('.other-view');
let state = { project: '', view: '', what: {}, more: {} };

// ---- Signing in --------------------------------------------------------------

async function begin() {
  const code = location.hash.match(/^#sign-in=(.*)$/);
  if (code) {
    // The code is of no use to anybody once it is used, and is gone from the address
    // and the history before that.
    history.replaceState(null, '', '/');
    try {
      await enter(code[1]);
    } catch (error) {
      if (!signedIn()) return knock(error);
    }
  }
  if (!signedIn()) return knock();
  return start();
}

// knock asks for a token.
function knock(error) {
  for (const e of [$('.above'), $('.prompt-view'), other]) e.hidden = true;
  $('.enter').hidden = false;
  $('.enter .wrong').textContent = error ? visible(error.message) : '';
  document.title = 'Sign in · Cento';
  $('#token').focus();
}

$('.enter form').addEventListener('submit', (event) => {
  event.preventDefault();
  const token = $('#token').value.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) return knock({ message: 'That is no token.' });
  useToken(token);
  $('#token').value = '';
  start();
});
$('#sign-out').addEventListener('click', () => {
  signOut();
  life.abort();
  live.end();
  shown = null;
  forget();
  for (const e of $$('.about, .facts, .map-of, .legend, .notes-of, .text, .rows, .inspector, .other-view, #project')) e.replaceChildren();
  panel.clear();
  state = { project: '', view: '', what: {}, more: {} };
  history.replaceState(null, '', '/');
  knock();
});

async function start() {
  let list;
  try {
    ({ projects: list } = await ask('/v1/projects'));
  } catch (error) {
    if (error.status === 401) { signOut(); return knock(error); }
    return fail(error);
  }
  $('.enter').hidden = true;
  $('.above').hidden = false;
  $('#project').replaceChildren(...list.map((p) => new Option(p.name, p.name)));
  if (!list.length) return fail({ message: 'this token reads no project' });
  live.begin();
  route(list.map((p) => p.name));
}

// ---- Where we are ------------------------------------------------------------

$('.tabs').append(...tabs.map(([name, title]) => {
  const item = element('li'), link = element('a', '', title);
  link.dataset.view = name;
  item.append(link);
  return item;
}));

const narrow = matchMedia('(max-width: 999.98px)');

function route(projects = [...$('#project').options].map((o) => o.value)) {
  const to = read();
  if (!projects.includes(to.project)) to.project = projects[0];
  if (!tabs.some(([name]) => name === to.view)) to.view = 'prompt';
  const entered = to.view !== state.view || to.project !== state.project;
  state = to;
  $('#project').value = state.project;
  document.title = `${state.project} · ${tabs.find(([name]) => name === state.view)[1]} · Cento`;
  keep();
  const prompt = state.view === 'prompt';
  $('.prompt-view').hidden = !prompt;
  other.hidden = prompt;
  for (const e of $$('.skip')) e.hidden = !prompt;
  $('#what-if').hidden = !prompt;
  if (entered && prompt) openChanges(!narrow.matches || Object.keys(state.what).length > 0);
  load();
}

// keep writes the state to the address, and to the links that lead on from it.
function keep(push = false) {
  const address = written(state);
  if (address !== location.hash) history[push ? 'pushState' : 'replaceState'](null, '', address);
  for (const a of $$('.tabs a')) {
    a.href = written({ ...state, view: a.dataset.view, more: {} });
    if (a.dataset.view === state.view) { a.setAttribute('aria-current', 'page'); a.scrollIntoView({ block: 'nearest', inline: 'nearest' }); } else a.removeAttribute('aria-current');
  }
}

addEventListener('hashchange', () => {
  if (!signedIn()) return begin();
  const to = read();
  if (tabs.some(([name]) => name === to.view)) return route();
  if (written(state) !== location.hash) { // a link to a fragment
    const id = location.hash.slice(1);
    state.more.at = decodeURIComponent(id);
    keep();
    load();
  }
});
$('#project').addEventListener('change', () => {
  state = { project: $('#project').value, view: state.view, what: {}, more: {} };
  keep(true);
  route();
});

// go leads to another state; what isn't said stays.
function go(to) {
  state = { ...state, ...to };
  keep(true);
  route();
}

// ---- Loading: one request at a time, and of those that wait the last ----------

let under = null, waits = false, was = ''; // was is the address that is shown

async function load() {
  if (under) { waits = true; return; }
  under = new AbortController();
  document.body.classList.add('busy');
  const asked = state;
  try {
    if (asked.view === 'prompt') await showPrompt(asked);
    else {
      const top = other.scrollTop, again = was === written(asked);
      await views[asked.view].show(other, { ...asked, go, say });
      if (again) other.scrollTop = top;
    }
    was = written(asked);
    failed.hidden = true;
  } catch (error) {
    if (error.status === 401) { signOut(); knock(error); } else fail(error);
  }
  under = null;
  document.body.classList.remove('busy');
  if (waits) { waits = false; load(); }
}

function fail(error) {
  failed.replaceChildren(element('p', '', error.message));
  const at = error.position;
  if (at?.file) failed.append(element('p', 'place', [at.file, at.line, at.column].filter(Boolean).join(':')));
  if (error.hint) failed.append(element('p', '', 'hint: ' + error.hint));
  if (error.code) failed.append(element('code', '', error.code));
  failed.hidden = false;
}

const say = (text) => { status.textContent = visible(text); };

// ---- The prompt --------------------------------------------------------------

let life = new AbortController(), shown = null;
const panel = new Panel($('.changes'), {
  change(what) {
    state = { ...state, what };
    keep();
    load();
  },
  go(id) { where.set(id); dispatchEvent(new Event('hashchange')); },
  async models() {
    const answer = await ask('/v1/projects/' + segment(state.project) + '/models');
    return answer.models.map((m) => m.name);
  },
});

// where keeps the fragment that is pinned in the address.
const where = {
  get: () => state.more.at ?? '',
  set(id) {
    state = { ...state, more: { ...state.more, at: id } };
    keep();
  },
};

async function showPrompt(asked) {
  const record = asked.more.record;
  const answer = await inspected(asked);
  if (state.view !== 'prompt' || state.project !== asked.project) return;
  const before = shown, kept = $('.counts :checked')?.value;
  const pressed = new Set([...$$('.legend [aria-pressed=true]')].map((b) => b.dataset.family));
  shown = { answer, of: record ?? asked.project };
  life.abort();
  life = new AbortController();
  const page = answer.page;
  document.body.classList.toggle('long', page.size === 'long');
  for (const part of ['about', 'facts', 'legend', 'notes']) {
    if (!before || before.answer.page[part] !== page[part] || part === 'about') $({ notes: '.notes-of' }[part] ?? '.' + part).replaceChildren(adopt(page[part]));
  }
  draw(page, $('.map-of'));
  lay(page, $('.text'), $('.rows'));
  if (record) {
    const chip = element('a', 'chip', 'record ' + record.slice(0, 12) + ': back to the project');
    chip.href = written({ ...asked, what: {}, more: {} });
    $('.about').append(chip);
  }
  $('.counts').replaceChildren(element('legend', 'sr', 'Show'), adopt(page.counts));
  $('.rows').className = 'rows ' + page.unit;
  const choice = $(`.counts [value=${kept ?? 'all'}]`);
  if (choice) choice.checked = true;
  for (const b of $$('.legend button')) if (pressed.has(b.dataset.family)) b.setAttribute('aria-pressed', 'true');
  if (before && before.of !== (record ?? asked.project)) $('.text').scrollTop = 0;
  panel.show(asked.what, answer);
  mark(answer);
  strike();
  const of = page.digest;
  inspect(page.data, { signal: life.signal, where, writer: record ? undefined : (at) => ask('/inspector/origin/' + segment(asked.project), { asked: asked.what, at, digest: of }) });
  if (panel.said && before) say(panel.said);
}

// mark shows in the prompt and in the list what the what-if brought in.
let marked = [];
function mark(answer) {
  const d = answer.difference;
  const pieces = new Map(answer.page.all.map((p) => [p.trace.id, p]));
  for (const e of marked) e.classList.remove('came', 'altered');
  marked = [];
  const classes = (list, name) => {
    for (const { id } of list) {
      const p = pieces.get(id);
      if (!p) continue;
      for (const e of [p.row, ...p.block]) { e.classList.add(name); marked.push(e); }
    }
  };
  $('#what-if').classList.toggle('on', d !== null);
  if (!d) return;
  classes([...d.added, ...d.verdicts], 'came');
  classes(d.changed, 'altered');
}

// ---- What changes meanwhile --------------------------------------------------------

// Files of the project make what is shown anew, and turns of sessions their view. While
// somebody is at a control of it, that waits until they leave.
const live = new Live({
  changed({ project, error }) {
    if (project !== state.project || state.view === 'records' || state.view === 'session' || state.more.record) return;
    say(error ? 'The files can’t be read now.' : 'The files changed.');
    renew();
  },
  moved({ session }) {
    if (state.view === 'session' && session.startsWith(state.project + ':')) renew();
  },
  missed: () => renew(),
  state(on) {
    const e = $('.is-live');
    e.classList.toggle('off', !on);
    e.textContent = on ? 'live' : 'not live';
    e.title = on ? 'Changes of files are shown at once.' : 'The service can’t be reached. It is tried again.';
  },
});
let stale = false;
function renew() {
  stale = state.view !== 'prompt' && other.contains(document.activeElement) && document.activeElement !== other;
  if (!stale) load();
}
other.addEventListener('focusout', () => { if (stale) { stale = false; setTimeout(load); } });

// ---- What is out, in its place -------------------------------------------------

const struck = $('#struck');
struck.addEventListener('click', () => {
  struck.setAttribute('aria-pressed', String(struck.getAttribute('aria-pressed') !== 'true'));
  strike();
});

function strike() {
  for (const e of $$('.struck')) e.remove();
  const prompt = $('.prompt');
  if (!prompt || struck.getAttribute('aria-pressed') !== 'true') return;
  let before = null; // the last block so far
  shown.answer.page.data.fragments.forEach((f, i) => {
    if (f.included) {
      before = shown.answer.page.all[i].block.at(-1) ?? before;
      return;
    }
    if (!f.text) return;
    const e = element('div', 'struck ' + shown.answer.page.all[i].hue);
    e.dataset.f = i;
    e.setAttribute('role', 'group');
    e.setAttribute('aria-label', visible(f.id + ', out: ' + f.reason));
    const text = element('del');
    text.textContent = f.text.replace(/[^\n\t]+/g, visible);
    e.append(element('span', 'why', `${f.id}: ${f.reason}`), text);
    if (before) before.after(e); else prompt.prepend(e);
    before = e;
  });
}

// ---- The panel, the keys ---------------------------------------------------------

function openChanges(open) {
  $('.changes').hidden = !open;
  $('#what-if').setAttribute('aria-expanded', String(open));
}
$('#what-if').addEventListener('click', () => openChanges($('.changes').hidden));

const help = $('#help');
function showHelp() {
  const keys = element('dl', 'keys');
  const rows = [['1–' + tabs.length, 'the views: ' + tabs.map(([, title]) => title.toLowerCase()).join(', ')], ['w', 'what if'], ['x', 'show what is out, struck'], ['/', 'find'], ['Enter', 'the next place; in the prompt, pin'],
    ['j k', 'next and previous fragment'], ['← →', 'parts of a fragment'], ['Esc', 'clear'], ['?', 'this list']];
  for (const [key, does] of rows) {
    const dt = element('dt');
    key.split(' ').forEach((k, i) => dt.append(i ? ' ' : '', element('kbd', '', k)));
    keys.append(dt, element('dd', '', does));
  }
  const title = element('h2', '', 'Keys'), close = element('button', '', 'Close');
  title.id = 'help-title';
  close.type = 'button';
  close.addEventListener('click', () => help.close());
  help.replaceChildren(title, keys, close);
  help.showModal();
}
$('#keys').addEventListener('click', showHelp);

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help.open || $('.above').hidden) return;
  if (event.target.closest?.('input:not([type=checkbox], [type=radio], [type=range]), select, textarea')) return;
  const tab = tabs[+event.key - 1];
  if (tab) go({ view: tab[0], more: {} });
  else if (event.key === '?') showHelp();
  else if (event.key === 'w' && state.view === 'prompt') {
    openChanges($('.changes').hidden);
    if (!$('.changes').hidden) $('.changes :is(select, input)')?.focus();
  } else if (event.key === 'x' && state.view === 'prompt') struck.click();
  else return;
  event.preventDefault();
});

begin();
