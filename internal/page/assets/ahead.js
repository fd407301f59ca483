// What an address that was kept names is asked for before the rest of the page is read.
import { read, written } from './address.js';
import { ask, inspecting, signedIn } from './client.js';

// ahead is asked for at most once: the projects, and the prompt of the address.
export const ahead = signedIn() ? begun(read()) : {};

function begun(to) {
  const projects = ask('/v1/projects'), answer = to.project && to.view === 'prompt' ? inspecting(to) : undefined;
  for (const asked of [projects, answer]) asked?.catch(() => {}); // it is told where it is waited for
  return { projects, address: written(to), answer };
}
