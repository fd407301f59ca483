// What happens to projects and sessions, as the service tells it for as long as it is
// asked. Read with fetch, so that the token is a header.
import { stream } from './client.js';

// A page that nobody sees asks for nothing, and goes on where it was when it is seen: a
// browser has few connections to a service for all its tabs, and keeps pages that were left.
export class Live {
  constructor(told) {
    this.told = told;
    document.addEventListener('visibilitychange', () => this.turn());
  }

  begin() {
    Object.assign(this, { last: '', before: false, wanted: true });
    this.turn();
  }

  end() {
    this.wanted = false;
    this.over?.abort();
  }

  turn() {
    this.over?.abort();
    if (!this.wanted) return;
    this.over = new AbortController();
    if (document.hidden) this.told.state(false); else this.follow(this.over.signal);
  }

  async follow(signal) {
    let wait = 500;
    while (!signal.aborted) {
      try {
        const lines = await stream('/v1/events', this.last, signal);
        this.told.state(true);
        if (this.before && !this.last) this.told.missed(); // nothing says what came between
        this.before = true;
        wait = 500;
        let event = '', data = '', id = this.last;
        for await (const line of lines) {
          const [, field, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
          if (field === 'event') event = value;
          else if (field === 'data') data = value;
          else if (field === 'id') id = value;
          else if (line === '' && event) {
            this.last = id;
            if (event === 'reset') this.told.missed();
            else if (event === 'project.changed') this.told.changed(JSON.parse(data));
            else if (event === 'session.transition') this.told.moved(JSON.parse(data));
            event = '';
          }
        }
      } catch (error) {
        if (signal.aborted || error.status === 401 || error.status === 403) return;
      }
      if (signal.aborted) return;
      this.told.state(false);
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(2 * wait, 15000);
    }
  }
}
