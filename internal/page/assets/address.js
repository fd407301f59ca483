// What is looked at stands in the address behind the #, so that it can be kept and sent
// on, and no server and no log sees it: #/PROJECT/VIEW?what is different.

const lists = ['tools', 'without_tools', 'caps', 'without_caps', 'skills'];
const texts = ['target', 'model', 'now'];

// read gives the project, the view, the what-if and the rest of the address.
export function read() {
  const [path, rest = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  let project = '', view = '';
  try { [project = '', view = ''] = path.split('/').map(decodeURIComponent); } catch { /* an address of none */ }
  const what = {}, more = {};
  for (const [name, value] of new URLSearchParams(rest)) {
    if (lists.includes(name)) {
      what[name] ??= [];
      if (value) what[name].push(value);
    } else if (texts.includes(name)) what[name] = value;
    else if (name === 'budget') what.budget = /^\d+$/.test(value) ? +value : value;
    else if (name === 'vars') { try { what.vars = JSON.parse(value); } catch { more.vars = value; } }
    else more[name] = value;
  }
  return { project, view, what, more };
}

// written is the address of a state.
export function written({ project, view, what = {}, more = {} }) {
  const q = new URLSearchParams();
  for (const name of texts) if (what[name]) q.append(name, what[name]);
  for (const name of lists) {
    if (what[name]?.length === 0) q.append(name, '');
    for (const value of what[name] ?? []) q.append(name, value);
  }
  if (what.vars && Object.keys(what.vars).length) q.append('vars', JSON.stringify(what.vars));
  if (what.budget !== undefined) q.append('budget', what.budget);
  for (const [name, value] of Object.entries(more)) if (value) q.append(name, value);
  const rest = q.toString();
  return '#/' + encodeURIComponent(project) + '/' + encodeURIComponent(view) + (rest && '?' + rest);
}
