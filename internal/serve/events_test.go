package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/serve"
)

// TestEvents: who listens is told of each transition once, goes on where they were, and
// is told where something is missed.
func TestEvents(t *testing.T) {
	s := begin(t, nil)
	listen := func(address, last string, n int) []string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+address, nil)
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+local)
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
		res, err := s.client.Do(r)
		must(t, err)
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("status %d, %s", res.StatusCode, res.Header.Get("Content-Type"))
		}
		var out []string
		read := bufio.NewScanner(res.Body)
		for len(out) < n && read.Scan() {
			line := read.Text()
			if name, ok := strings.CutPrefix(line, "event: "); ok && name == "reset" {
				out = append(out, name)
			}
			if strings.HasPrefix(line, "id: ") {
				out = append(out, strings.TrimPrefix(line, "id: "))
			}
			if line == ": listening" && last == "" {
				s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
				s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "api", "id": "s"}`)
				s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn_end", "")
			}
		}
		return out
	}
	ids := listen("/v1/events?project=web", "", 2)
	if len(ids) != 2 || !strings.HasSuffix(ids[0], "-1") || !strings.HasSuffix(ids[1], "-3") {
		t.Fatalf("the events of web are %q", ids)
	}
	if got := listen("/v1/events", ids[0], 2); len(got) != 2 || !strings.HasSuffix(got[0], "-2") || got[1] != ids[1] {
		t.Errorf("behind the first: %q", got)
	}
	for _, last := range []string{"another-1", "nonsense", strings.TrimSuffix(ids[0], "1") + "99"} {
		if got := listen("/v1/events", last, 1); len(got) != 1 || got[0] != "reset" {
			t.Errorf("behind %q: %q", last, got)
		}
	}
}

// TestEventsOfOthers: a token is told of the sessions and the files of its own project alone,
// whether it listens while they change or asks for what it missed.
func TestEventsOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	secrets := tokenFile(t, path, map[string]string{"all": "read write", "web": "read@web"})
	s := begin(t, func(c *serve.Config) { c.Tokens, c.Local = path, "" })
	as := func(who string) *service { s.secret = secrets[who]; return s }
	change := func(session string) {
		for _, project := range []string{"api", "web"} {
			as("all").want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+project+`", "id": "`+session+`"}`)
			s.server.TellChanged(project)
		}
	}
	told := func(events *stream, session string) (last string) {
		t.Helper()
		for _, want := range []string{`"web:` + session + `"`, `"project":"web"`} {
			data := ""
			for data == "" && events.lines.Scan() {
				line := events.lines.Text()
				if id, ok := strings.CutPrefix(line, "id: "); ok {
					last = id
				}
				data, _ = strings.CutPrefix(line, "data: ")
				if data == line {
					data = ""
				}
			}
			if !strings.Contains(strings.ReplaceAll(data, `": "`, `":"`), want) {
				t.Errorf("it is told %s, want %s", data, want)
			}
		}
		return last
	}
	events := as("web").listen("/v1/events")
	change("s")
	last := told(events, "s")
	change("t")
	told(as("web").listen("/v1/events", "Last-Event-ID", last), "t")
}

// TestStreamsEndWithTheirToken: who listens is let go when the token is taken out of the file,
// and a token that stays goes on.
func TestStreamsEndWithTheirToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	first := tokenFile(t, path, map[string]string{"gone": "read", "stays": "read"})
	text, err := os.ReadFile(path)
	must(t, err)
	s := begin(t, func(c *serve.Config) { c.Tokens, c.Local = path, ""; c.SetHeartbeat(time.Millisecond) })
	s.secret = first["gone"]
	gone := s.listen("/v1/events")
	s.secret = first["stays"]
	stays := s.listen("/v1/events")
	kept := ""
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "gone ") {
			kept += line
		}
	}
	must(t, os.WriteFile(path, []byte(kept), 0o600))
	must(t, s.server.Reload())
	for beats := 0; gone.lines.Scan(); {
		if gone.lines.Text() == ": here" {
			beats++
		}
		if beats > 1000 {
			t.Fatal("the stream goes on after its token is gone")
		}
	}
	must(t, gone.lines.Err())
	s.server.TellChanged("web")
	stays.next(t, "project.changed")
}

// stream are events that a client listens to.
type stream struct{ lines *bufio.Scanner }

func (s *service) listen(path string, headers ...string) *stream {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute) // an event may never come
	s.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
	must(s.t, err)
	r.Header.Set("Authorization", "Bearer "+s.secret)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.client.Do(r)
	must(s.t, err)
	s.t.Cleanup(func() { res.Body.Close() })
	out := &stream{bufio.NewScanner(res.Body)}
	if !out.lines.Scan() || !strings.HasPrefix(out.lines.Text(), ":") {
		s.t.Fatalf("the stream begins with %q", out.lines.Text())
	}
	return out
}

// next waits for an event of a kind, and gives its data.
func (s *stream) next(t *testing.T, kind string) map[string]any {
	t.Helper()
	for s.lines.Scan() {
		if s.lines.Text() != "event: "+kind || !s.lines.Scan() {
			continue
		}
		var data map[string]any
		must(t, json.Unmarshal([]byte(strings.TrimPrefix(s.lines.Text(), "data: ")), &data))
		return data
	}
	t.Fatalf("the stream ended: %v", s.lines.Err())
	return nil
}

// TestListenersChoose: who names a project or a session is told of that alone, and of no
// change of files who names a session.
func TestListenersChoose(t *testing.T) {
	s := begin(t, nil)
	for _, x := range []string{"web:s", "web:t", "api:s"} {
		project, id, _ := strings.Cut(x, ":")
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "`+project+`", "id": "`+id+`"}`)
	}
	filters := map[string]string{
		"": "web:s web:t api:s web api web:s", "?project=web": "web:s web:t web web:s", "?project=api": "api:s api", "?session=web:s": "web:s web:s", "?session=web:t": "web:t",
		"?project=web&session=web:t": "web:t", "?project=api&session=web:t": "",
	}
	heard := map[string]*stream{}
	for filter := range filters {
		heard[filter] = s.listen("/v1/events" + filter)
	}
	for _, x := range []string{"web:s", "web:t", "api:s"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/"+x+"/turn_end", "")
	}
	s.server.TellChanged("web")
	s.server.TellChanged("api")
	s.want(http.StatusOK, http.MethodDelete, "/v1/sessions/web:s", "")
	must(t, s.stop()) // which ends the streams
	for filter, want := range filters {
		var got []string
		for lines := heard[filter].lines; lines.Scan(); {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var e struct{ Session, Project string }
			must(t, json.Unmarshal([]byte(data), &e))
			got = append(got, e.Session+e.Project)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q hears %q, want %q", filter, got, want)
		}
	}
}

// TestEventsTell: the event of a transition has its name, and what its answer has of the
// session and of reminders; one that was done before is told once.
func TestEventsTell(t *testing.T) {
	s := begin(t, nil)
	events := s.listen("/v1/events")
	for _, x := range []struct{ op, method, path, body string }{
		{"start", http.MethodPost, "", `{"project": "web", "id": "s"}`}, {"remind", http.MethodPost, "/web:s/remind", `{"reminder": {"body": "Tests are red."}}`}, {"turn", http.MethodPost, "/web:s/turn", ""},
		{"usage", http.MethodPost, "/web:s/usage", `{"turn": 0, "usage": {"input_tokens": 1, "output_tokens": 1}}`}, {"turn-end", http.MethodPost, "/web:s/turn_end", ""}, {"compact", http.MethodPost, "/web:s/compact", `{"recap": "Half is done."}`},
		{"clear", http.MethodPost, "/web:s/clear", `{"tag": "x"}`}, {"touch", http.MethodPost, "/web:s/touch", `{"files": ["a"]}`}, {"rematerialise", http.MethodPost, "/web:s/rematerialise", ""}, {"fork", http.MethodPost, "/web:s/fork", `{"child": "c"}`},
	} {
		var answer, told struct {
			Op, Session          string
			Version, Epoch, Turn int64
			Events               []any
		}
		must(t, json.Unmarshal([]byte(s.want(http.StatusOK, x.method, "/v1/sessions"+x.path, x.body, "Idempotency-Key", x.op).body), &answer))
		s.want(http.StatusOK, x.method, "/v1/sessions"+x.path, x.body, "Idempotency-Key", x.op)
		b, err := json.Marshal(events.next(t, "session.transition"))
		must(t, err)
		must(t, json.Unmarshal(b, &told))
		if answer.Op = x.op; answer.Events == nil {
			answer.Events = []any{}
		}
		if !reflect.DeepEqual(told, answer) {
			t.Errorf("%s: it is told %+v, and answered %+v", x.op, told, answer)
		}
	}
	s.want(http.StatusOK, http.MethodDelete, "/v1/sessions/web:s?children=true", "")
	for _, id := range []string{"web:c", "web:s"} {
		if e := events.next(t, "session.transition"); e["op"] != "delete" || e["session"] != "web:c" && e["session"] != "web:s" || len(e["events"].([]any)) != 0 {
			t.Errorf("%s is deleted: %v", id, e)
		}
	}
}
