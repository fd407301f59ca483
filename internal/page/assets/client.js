// Requests to the service. The token lives as long as the tab, and is sent in a header
// alone.

const key = 'cento.token';

export const signedIn = () => sessionStorage.getItem(key) !== null;
export const signOut = () => sessionStorage.removeItem(key);
export const useToken = (token) => sessionStorage.setItem(key, token);

// Problem is an answer that says what is wrong, and in how many seconds it may not be so.
export class Problem extends Error {
  constructor(status, p, retry) {
    super(p.message ?? p.detail ?? p.title ?? 'the service answered ' + status);
    Object.assign(this, { status, code: p.code, hint: p.hint, position: p.position, retry });
  }
}

async function fetched(path, options) {
  let answer;
  try {
    answer = await fetch(path, { ...options, credentials: 'omit', redirect: 'error' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, { message: 'the service can’t be reached', hint: 'does cento serve still run?' });
  }
  if (answer.ok) return answer;
  let p = {};
  try { p = await answer.json(); } catch { /* what stands between says no more */ }
  throw new Problem(answer.status, p, +answer.headers.get('Retry-After'));
}

function asked(path, body) {
  const headers = { Authorization: 'Bearer ' + sessionStorage.getItem(key) };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return fetched(path, { headers, method: body === undefined ? 'GET' : 'POST', body: body === undefined ? undefined : JSON.stringify(body) });
}

// ask sends a GET, or with a body a POST, and gives what the answer says.
export const ask = async (path, body) => (await asked(path, body)).json();

// stream gives the lines of an answer as they come.
export async function stream(path, last, signal) {
  const headers = { Authorization: 'Bearer ' + sessionStorage.getItem(key) };
  if (last) headers['Last-Event-ID'] = last;
  const { body } = await fetched(path, { headers, signal });
  return (async function* () {
    let rest = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      yield* lines;
    }
  })();
}

// enter trades the code of a link for a token.
export async function enter(code) {
  const answer = await fetched('/sign-in', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code }) });
  useToken((await answer.json()).token);
}

// query writes the parameters of an address; what is empty is left out.
export function query(parameters) {
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) q.append(name, value);
  const text = q.toString();
  return text && '?' + text;
}

export const segment = encodeURIComponent;

// inspecting asks for the page of a state, without the pieces that are here. Its answer is
// the text of one, each of whose pieces is a line.
export const inspecting = async ({ project, what, more: { record } }, have) => (await asked('/inspector/' + (record ? 'record/' + segment(record) : 'of/' + segment(project)), { asked: what, have })).text();
