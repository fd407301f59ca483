// The panel of what is different: a switch for everything that can be, and what came and
// went for it.
import { copy, count, element, number, visible } from './page.js';
import { about, button, groups, h } from './elements.js';

// toggled is a what-if in which one name is on or off.
export function toggled(what, kind, name, on, choices) {
  const out = { ...what };
  const without = (list) => (list ?? []).filter((n) => n !== name);
  const set = (key, list) => { if (list.length) out[key] = list; else delete out[key]; };
  if (kind === 'skills') {
    out.skills = choices.skills.filter((c) => c.name === name ? on : c.on).map((c) => c.name);
    return out;
  }
  const [adds, takes] = kind === 'tools' ? ['tools', 'without_tools'] : ['caps', 'without_caps'];
  const added = what[adds]?.includes(name), taken = what[takes]?.includes(name);
  if (on) {
    if (taken) set(takes, without(what[takes]));
    else if (kind === 'caps') out.caps = [...what.caps ?? [], name];
    else {
      // Tools that are named stand instead of all that are defined.
      out.tools = choices.tools.filter((c) => c.on || c.name === name).map((c) => c.name);
      delete out.without_tools;
    }
  } else if (added && (kind === 'caps' || what[adds].length > 1)) set(adds, without(what[adds]));
  else out[takes] = [...what[takes] ?? [], name];
  return out;
}

const titles = { tools: 'Tools', caps: 'Capabilities', skills: 'Skills' };

// panel shows the choices in a place, and tells of each change.
export class Panel {
  constructor(root, { change, go, models }) {
    Object.assign(this, { root, change, go, models });
    this.result = element('div', 'result');
    this.controls = element('div', 'controls');
    root.replaceChildren(element('h2', '', 'What if'), this.result, this.controls);
  }

  // show brings the panel to a what-if and its answer. What is there already stays, so
  // that the focus does.
  show(what, answer) {
    this.what = what;
    this.choices = answer.choices;
    const form = JSON.stringify([answer.choices.targets, ...Object.keys(titles).map((k) => answer.choices[k].map((c) => c.name)), answer.choices.vars.map((v) => [v.name, typeof v.value])]);
    if (form !== this.form) {
      this.form = form;
      this.build();
    }
    for (const sync of this.syncs) sync(answer);
    this.tell(answer);
  }

  clear() {
    this.form = '';
    this.result.replaceChildren();
    this.controls.replaceChildren();
  }

  changed(what, slides = false) {
    this.what = what;
    this.change(what, slides);
  }

  build() {
    this.syncs = [];
    this.controls.replaceChildren();
    const row = (name, ...controls) => this.controls.append(h('label.field', h('span', name), ...controls));
    if (this.choices.targets.length) {
      const target = element('select');
      target.append(new Option('none', ''), ...this.choices.targets.map((t) => new Option(visible(t), t)));
      target.addEventListener('change', () => this.changed({ ...this.what, target: target.value || undefined }));
      this.syncs.push(() => { target.value = this.what.target ?? ''; });
      row('Target', target);
    }
    const model = element('input');
    const known = element('datalist');
    Object.assign(model, { type: 'text', autocomplete: 'off', spellcheck: false, placeholder: 'that of the project' });
    known.id = 'models';
    model.setAttribute('list', known.id);
    model.addEventListener('focus', async () => {
      if (!known.children.length) known.append(...(await this.models()).map((name) => new Option(name, name)));
    });
    model.addEventListener('change', () => this.changed({ ...this.what, model: model.value.trim() || undefined }));
    this.syncs.push((a) => { if (document.activeElement !== model) model.value = a.choices.model; });
    row('Model', model, known);
    this.budget();
    for (const kind of Object.keys(titles)) this.switches(kind);
    this.vars();
  }

  budget() {
    const box = element('fieldset', 'budget');
    let slid = false;
    const slide = element('input'), exact = element('input'), none = button('no limit', () => this.changed({ ...this.what, budget: undefined }));
    slide.type = 'range';
    slide.setAttribute('aria-label', 'Budget of tokens, as a slider');
    Object.assign(exact, { type: 'number', min: 0, placeholder: 'any' });
    exact.setAttribute('aria-label', 'Budget of tokens');
    slide.addEventListener('input', () => {
      exact.value = slide.value;
      this.changed({ ...this.what, budget: +slide.value }, slid);
      slid = true;
    });
    slide.addEventListener('change', () => { slid = false; });
    exact.addEventListener('change', () => this.changed({ ...this.what, budget: exact.value === '' ? undefined : Math.max(0, Math.round(+exact.value)) }));
    this.syncs.push((a) => {
      [slide.min, slide.max] = [Math.min(a.least, a.choices.budget ?? a.least), Math.max(a.full, a.choices.budget ?? 0, 1)];
      slide.disabled = slide.min === slide.max;
      const now = a.choices.budget;
      if (document.activeElement !== slide) slide.value = now ?? slide.max;
      if (document.activeElement !== exact) exact.value = now ?? '';
      none.hidden = this.what.budget === undefined;
    });
    box.append(h('legend', 'Budget'), slide, h('div.line', exact, none));
    this.controls.append(box);
  }

  switches(kind) {
    const choices = this.choices[kind];
    if (!choices.length) return;
    const box = element('fieldset', 'switches');
    box.append(element('legend', '', titles[kind]));
    const boxes = choices.map((c) => {
      const label = element('label', 'switch'), input = element('input');
      input.type = 'checkbox';
      input.setAttribute('role', 'switch');
      input.addEventListener('change', () => this.changed(toggled(this.what, kind, c.name, input.checked, this.choices)));
      label.append(input, element('span', '', c.name));
      box.append(label);
      return input;
    });
    this.syncs.push((a) => a.choices[kind].forEach((c, i) => { boxes[i].checked = c.on; }));
    this.controls.append(box);
  }

  vars() {
    if (!this.choices.vars.length) return;
    const box = element('fieldset', 'vars');
    box.append(element('legend', '', 'Variables'));
    this.choices.vars.forEach((v, i) => {
      const label = element('label', 'field'), input = element('input'), kind = typeof v.value;
      input.type = kind === 'boolean' ? 'checkbox' : kind === 'number' ? 'number' : 'text';
      if (kind === 'number') input.step = 'any';
      input.spellcheck = false;
      const shown = (value) => kind === 'string' ? value : JSON.stringify(value);
      input.addEventListener('change', () => {
        let value = input.value;
        if (kind === 'boolean') value = input.checked;
        else if (kind !== 'string') {
          try { value = JSON.parse(value); } catch {
            input.setCustomValidity('This isn’t JSON.');
            input.reportValidity();
            return;
          }
        }
        input.setCustomValidity('');
        this.changed({ ...this.what, vars: { ...this.what.vars, [v.name]: value } });
      });
      this.syncs.push((a) => {
        if (document.activeElement === input && kind !== 'boolean') return;
        const value = a.choices.vars[i].value;
        if (kind === 'boolean') input.checked = value; else input.value = shown(value);
      });
      label.append(element('span', '', v.name), input);
      box.append(label);
    });
    this.controls.append(box);
  }

  // tell says what is different for it.
  tell(a) {
    const d = a.difference;
    if (!d) {
      this.result.replaceChildren(element('p', 'quiet', 'Turn something off or on: the prompt is made anew at once.'));
      this.said = '';
      this.different = undefined;
      return;
    }
    const by = a.after.tokens - a.before.tokens;
    const size = h('p.delta', about(a.before.tokens, a.before.exact) + ' → ' + about(a.after.tokens, a.after.exact) + ' tokens ',
      h(by > 0 ? 'b.more' : by < 0 ? 'b.less' : 'b', by === 0 ? '±0' : (by > 0 ? '+' : '−') + number(Math.abs(by))));
    const now = new Map(a.page.data.fragments.map((f) => [f.id, f.included]));
    const found = groups(d, (id) => now.get(id)), lists = found.map(([name, list]) => this.group(name, list, now));
    const tools = element('div', 'line');
    tools.append(this.copier('Copy as command', a.command, 'No command says this.'), this.copier('Copy as test case', a.test, 'A test needs a fragment that came or went.'));
    tools.append(button('Reset', () => this.changed({})));
    this.result.replaceChildren(size, ...lists.length ? lists : [element('p', 'quiet', 'No fragment is different.')], tools);
    this.different = new Set(found.flatMap(([, list]) => list.map((c) => c.id))).size;
    this.said = [count(a.after.tokens, 'token'), by === 0 ? 'as many as before' : `${number(Math.abs(by))} ${by > 0 ? 'more' : 'fewer'}`,
      ...found.map(([name, list]) => count(list.length, 'fragment') + ' ' + name)].join(', ');
  }

  group(name, list, now) {
    const most = 12, items = list.slice(0, most).map((c) => h('li', now.has(c.id) ? h('button.frag-name', { type: 'button', onclick: () => this.go(c.id) }, c.id) : h('span.frag-name', c.id)));
    if (list.length > most) items.push(h('li.quiet', `and ${number(list.length - most)} more`));
    return h('div.group.' + name, h('h3', `${number(list.length)} ${name}`), h('ul', items));
  }

  copier(name, text, why) {
    const b = button(name, async () => {
      b.textContent = await copy(text) ? 'Copied' : 'Copying was refused';
      setTimeout(() => { b.textContent = name; }, 1400);
    });
    b.disabled = !text;
    b.title = text ? '' : why;
    return b;
  }
}
