// The inspector: signs in, keeps what is looked at in the address, and shows it.
import { element, inspect, number, place, visible } from './page.js';
import { adopt } from './adopt.js';
import { draw, forget, inspected, point, Sheet } from './pieces.js';
import { ahead } from './ahead.js';
import { ask, enter, segment, signOut, signedIn, useToken } from './client.js';
import { read, written } from './address.js';
import { Live } from './live.js';
import { Panel } from './whatif.js';
import { views } from './views.js';
import { button, h, long } from './elements.js';

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

// knock asks for a token. What was asked for with another is nobody's any more.
function knock(error) {
  begun('projects');
  begun('answer');
  for (const e of [$('.above'), $('.prompt-view'), other]) e.hidden = true;
  well();
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
  stales();
  leave();
  kept.clear();
  for (const e of $$('.about, .facts, .map-of, .legend, .notes-of, .text, .rows, .removed, .inspector, .other-view, #project')) e.replaceChildren();
  panel.clear();
  state = { project: '', view: '', what: {}, more: {} };
  history.replaceState(null, '', '/');
  knock();
});

// begun gives what was asked for ahead, once.
const begun = (name) => {
  const asked = ahead[name];
  delete ahead[name];
  return asked;
};

async function start() {
  let list;
  try {
    ({ projects: list } = await (begun('projects') ?? ask('/v1/projects')));
  } catch (error) {
    return lost(error);
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
narrow.addEventListener('change', () => { if (!$('.changes').contains(document.activeElement)) openChanges(!narrow.matches); });

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
  $('.prompt-view').hidden = !prompt || !shown;
  other.hidden = prompt;
  for (const e of $$('.skip')) e.hidden = !prompt;
  $('#what-if').hidden = !prompt;
  if (!prompt) arrive(state.view, written(state));
  if (entered && prompt) openChanges(!narrow.matches); // on a phone it would stand before the prompt
  load();
}

// keep writes the state to the address, and to the links that lead on from it.
function keep(push = false) {
  const address = written(state);
  if (address !== location.hash) history[push ? 'pushState' : 'replaceState'](null, '', address);
  for (const a of $$('.tabs a')) {
    a.href = written({ ...state, view: a.dataset.view, more: {} });
    if (a.dataset.view === state.view) a.setAttribute('aria-current', 'page'); else a.removeAttribute('aria-current');
  }
}

addEventListener('hashchange', () => {
  if (!signedIn()) return begin();
  if (!$('#project').options.length) return; // the address is read when it is known which there are
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

let under = null, waits = false;

// A view that was left is kept with what it was made of, to be there at once again.
const kept = new Map(); // name -> { address, as, nodes, top }
let on; // the one that is shown beside the prompt

function leave() {
  if (on) kept.set(on.name, { ...on, nodes: [...other.childNodes], top: other.scrollTop });
  on = null;
  other.replaceChildren();
}

// arrive shows what is known of a view, and until then its title.
function arrive(name, address) {
  if (on?.name === name) {
    if (on.address !== address) on = { name, address, drawn: on.drawn };
    return;
  }
  leave();
  const was = kept.get(name);
  on = was?.address === address ? was : { name, address };
  other.append(...on.nodes ?? [element('h1', '', views[name].title)]);
  other.scrollTop = on.top ?? 0;
}

async function showOther(asked) {
  const v = views[asked.view], address = written(asked);
  const data = await v.ask(asked), as = JSON.stringify(data), top = other.scrollTop;
  if (written(state) !== address || on.as === as) return;
  on.as = on.drawn = '';
  v.draw(other, { ...asked, go, say }, data);
  on.as = as;
  on.drawn = address;
  other.scrollTop = top;
}

// What was asked for while the service tells of changes is good until it tells of one, or
// is silent.
const fresh = new Set();

// asking is the address of what is asked for: of a prompt, whatever is pinned.
const asking = (of = state) => written(of.view === 'prompt' ? { ...of, more: { ...of.more, at: '' } } : of);

async function load() {
  const address = asking();
  if (fresh.has(address) && !under && (state.view === 'prompt' ? shown?.address === address : on.as && on.address === address)) {
    well();
    if (state.view === 'prompt') shown.follow();
    return;
  }
  if (under) { waits = true; return; }
  under = new AbortController();
  document.body.classList.add('busy');
  const asked = state, now = changes, sure = isLive && followed();
  try {
    if (asked.view === 'prompt') await showPrompt(asked);
    else await showOther(asked);
    if (sure && now === changes) fresh.add(address);
    well();
  } catch (error) {
    lost(error);
    // Whoever looks at something else by then isn't disturbed.
    if (error.retry) setTimeout(() => { if (!failed.hidden && address === asking()) load(); }, 1000 * error.retry);
  }
  under = null;
  document.body.classList.remove('busy');
  if (waits) { waits = false; load(); }
}

// lost tells what went wrong, where the token is taken at all.
function lost(error) {
  if (error.status !== 401) return fail(error);
  signOut();
  knock({ message: 'The service doesn’t know this token, or its time is over.' });
}

// fail tells what went wrong. What was there before stays, and is marked as that.
function fail(error) {
  const prompt = state.view === 'prompt', before = prompt ? shown?.address : on?.drawn, at = error.position;
  const changed = Object.keys(state.what).length;
  failed.replaceChildren(h('p', h('b', error.message), ' ', h('span.place', [place(at), error.code].filter(Boolean).join(' · '))));
  if (error.hint) failed.append(h('p', 'hint: ' + error.hint));
  const next = h('p.line');
  if (before) next.append(h('span', prompt ? 'Below is the earlier prompt' + (shown.project === state.project ? '' : ', of ' + shown.project) + ', not this one.' : 'What stands below is from before.'));
  // What is asked for now can be the cause where something else was shown.
  if ((changed || state.more.record) && before !== asking()) next.append(button(changed ? 'Reset what if' : 'Back to the project', () => go({ what: {}, more: changed ? state.more : {} })));
  if (!error.status || error.status === 429 || error.status >= 500) next.append(button('Try again', () => $('#project').options.length ? load() : start()));
  if (next.firstChild) failed.append(next);
  failed.hidden = false;
  document.body.classList.toggle('earlier', Boolean(before));
  if (prompt && !shown) $('.prompt-view').hidden = $('#what-if').hidden = true;
}

function well() {
  failed.hidden = true;
  document.body.classList.remove('earlier');
}

const say = (text) => { status.textContent = visible(text); };

// ---- The prompt --------------------------------------------------------------

let life = new AbortController(), shown = null;
const panel = new Panel($('.changes'), {
  // What slides is one step of the browser's history, all else one each.
  change(what, slides) {
    state = { ...state, what };
    keep(!slides);
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
  const first = begun('answer'), answer = await inspected(asked, ahead.address === written(asked) ? first : undefined);
  if (state.view !== 'prompt' || state.project !== asked.project) return;
  $('.prompt-view').hidden = $('#what-if').hidden = false;
  // What is shown already stays as it is.
  const { all, data, pieces, ...of } = answer.page, as = JSON.stringify({ ...answer, page: of, record });
  if (shown?.as === as) {
    Object.assign(shown, { project: asked.project, address: asking(asked) });
    panel.show(asked.what, answer);
    return shown.follow();
  }
  const before = shown, kept = $('.counts :checked')?.value;
  const pressed = new Set([...$$('.legend [aria-pressed=true]')].map((b) => b.dataset.family));
  shown = { answer, as, of: record ?? asked.project, project: asked.project, address: asking(asked) };
  life.abort();
  life = new AbortController();
  const page = answer.page;
  document.body.classList.toggle('long', page.size === 'long');
  for (const part of ['about', 'facts', 'legend', 'notes', 'removed']) {
    if (!before || before.answer.page[part] !== page[part] || part === 'about') $({ notes: '.notes-of' }[part] ?? '.' + part).replaceChildren(adopt(page[part]));
  }
  draw(page, $('.map-of'));
  mark(answer);
  strike();
  sheet.lay(page);
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
  tally(panel.different);
  shown.follow = inspect(page.data, { sheet, signal: life.signal, where, writer: record ? undefined : (at) => ask('/inspector/origin/' + segment(asked.project), { asked: asked.what, at, digest: page.digest }) });
  if (panel.said && before) say(panel.said);
}

// mark shows in the prompt and in the list what the what-if brought in.
let came = new Set(), altered = came;
const sheet = new Sheet($('.text'), $('.rows'), (e, f) => {
  e.classList.toggle('came', came.has(f));
  e.classList.toggle('altered', altered.has(f));
});
sheet.point = (f) => point(f, $('.map-of'));
function mark({ difference: d, page }) {
  const index = new Map(page.all.map((p, f) => [p.id, f])), of = (...lists) => new Set(d && lists.flat().map((c) => index.get(c.id)));
  came = of(d?.added, d?.verdicts);
  altered = of(d?.changed);
}

// tally counts on the button what is different for the what-if, as the panel may be closed.
function tally(n) {
  $('#what-if b').textContent = n === undefined ? '' : number(n);
  $('#what-if .sr').textContent = n === undefined ? '' : n === 1 ? ' fragment different' : ' fragments different';
}

// ---- What changes meanwhile --------------------------------------------------------

// Files of the project make what is shown anew, and turns of sessions their view. While
// somebody is at a control of it, that waits until they leave.
let isLive = false, changes = 0; // changes counts what was told
const followed = () => state.view !== 'records' && state.view !== 'session' && !state.more.record;
function stales() {
  changes++;
  fresh.clear();
}
const live = new Live({
  changed({ project, error }) {
    stales();
    if (project !== state.project || !followed()) return;
    say(error ? 'The files can’t be read now.' : 'The files changed.');
    renew();
  },
  moved({ session }) {
    stales();
    if (state.view === 'session' && session.startsWith(state.project + ':')) renew();
  },
  missed() {
    stales();
    renew();
  },
  state(on) {
    isLive = on;
    if (!on) stales();
    if (document.hidden) return;
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
  if (!shown) return;
  strike();
  sheet.again();
});

// strike says what stands behind which fragment of the prompt, and behind -1 what stands
// before all of them.
function strike() {
  sheet.behind = {};
  const { all, prompt } = shown.answer.page;
  if (!prompt || struck.getAttribute('aria-pressed') !== 'true') return;
  let before = -1;
  all.forEach((p, f) => {
    if (p.included) before = f;
    else if (p.told.trace.text) (sheet.behind[before] ??= []).push(out(p.told.trace, f, p.hue));
  });
}

function out(t, f, hue) {
  const e = element('div', 'struck ' + hue), text = element('del');
  e.dataset.f = f;
  e.setAttribute('role', 'group');
  e.setAttribute('aria-label', visible(t.id + ', out: ' + t.reason));
  text.append(...long(t.text));
  e.append(element('span', 'why', `${t.id}: ${t.reason}`), text);
  return e;
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
