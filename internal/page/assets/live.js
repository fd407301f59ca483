// What happens to projects and sessions, as the service tells it for as long as it is
// asked. Read with fetch, so that the token is a header.
import { stream } from './client.js';

export class Live {
  constructor(told) { this.told = told; }

  begin() {
    this.end();
    this.over = new AbortController();
    this.follow(this.over.signal);
  }

  end() { this.over?.abort(); }

  async follow(signal) {
    let last = '', wait = 500, before = false;
    while (!signal.aborted) {
      try {
        const lines = await stream('/v1/events', last, signal);
        this.told.state(true);
        if (before && !last) this.told.missed(); // nothing says what came between
        before = true;
        wait = 500;
        let event = '', data = '', id = last;
        for await (const line of lines) {
          const [, field, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
          if (field === 'event') event = value;
          else if (field === 'data') data = value;
          else if (field === 'id') id = value;
          else if (line === '' && event) {
            last = id;
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
