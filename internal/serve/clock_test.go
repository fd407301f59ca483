package serve_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
)

// jumping is a clock that goes where it is put.
type jumping struct {
	mu  sync.Mutex
	now time.Time
}

func (j *jumping) Now() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.now
}

func (j *jumping) jump(d time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.now = j.now.Add(d)
}

// TestClockJumps: a clock that is put forward ends what it ends, one that is put back
// lengthens nothing for others, and neither does a transition twice or keeps a place.
func TestClockJumps(t *testing.T) {
	clock := &jumping{now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	s := begin(t, func(c *serve.Config) { c.Now, c.MaxInFlight = clock.Now, 1 })
	signIn := func() (status int, token string) {
		_, code, _ := strings.Cut(s.server.SignInLink(), "#sign-in=")
		status, _, text := s.asking(http.MethodPost, "/sign-in", "", `{"code": "`+code+`"}`)
		if status == http.StatusOK {
			token = field(t, text, "token").(string)
		}
		return status, token
	}
	reads := func(token string) int {
		status, _, _ := s.asking(http.MethodGet, "/v1/projects", token, "")
		return status
	}
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	turn := func(key string) string {
		t.Helper()
		r := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "", "Idempotency-Key", key)
		return strings.Replace(r.body, `"replayed": true`, `"replayed": false`, 1)
	}
	first := turn("k")
	_, early := signIn()
	clock.jump(-10 * time.Hour)
	_, late := signIn()
	if reads(early) != http.StatusOK || reads(late) != http.StatusOK {
		t.Fatalf("put back by ten hours: %d, %d", reads(early), reads(late))
	}
	// The one that was given behind the jump is over before the other one.
	clock.jump(13 * time.Hour)
	if got := reads(late); got != http.StatusUnauthorized {
		t.Errorf("thirteen hours after it was given a token is answered %d", got)
	}
	if got := reads(early); got != http.StatusOK {
		t.Errorf("three hours by the clock after it was given a token is answered %d", got)
	}
	_, code, _ := strings.Cut(s.server.SignInLink(), "#sign-in=")
	clock.jump(time.Hour)
	if status, _, _ := s.asking(http.MethodPost, "/sign-in", "", `{"code": "`+code+`"}`); status != http.StatusUnauthorized {
		t.Errorf("a link of an hour ago is answered %d", status)
	}
	// A key holds for a day by the clock. One that was put back makes it hold longer, and
	// nothing is done twice meanwhile.
	for _, x := range []struct {
		jump time.Duration
		same bool
	}{
		{0, true}, {19*time.Hour + 59*time.Minute, true}, {-10 * 365 * 24 * time.Hour, true}, {10 * 365 * 24 * time.Hour, true}, {time.Minute, false},
		{23 * time.Hour, true}, {time.Hour, false}, {-20 * 365 * 24 * time.Hour, true}, {40 * 365 * 24 * time.Hour, false},
	} {
		d := x.jump
		clock.jump(d)
		again := turn("k")
		if (again == first) != x.same {
			t.Errorf("put by %s, the same key is answered\n%s\nand was\n%s", d, again, first)
		}
		first = again
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", ""); field(t, r.body, "version") != field(t, first, "version") {
			t.Errorf("put by %s, the session is at %v", d, field(t, r.body, "version"))
		}
		s.want(http.StatusOK, http.MethodPost, "/v1/projects/web/assemble", "")
		s.want(http.StatusOK, http.MethodGet, "/readyz", "")
		leave := s.server.Fill()
		if r := s.refuses(http.StatusTooManyRequests, "serve.busy", http.MethodGet, "/v1/projects", ""); r.Header.Get("Retry-After") != "1" {
			t.Errorf("put by %s, who is one too many is told to come again in %q seconds", d, r.Header.Get("Retry-After"))
		}
		leave()
		if status, _ := signIn(); status != http.StatusOK {
			t.Errorf("put by %s, nobody signs in: %d", d, status)
		}
	}
}

// TestClockOfASession: a prompt is of the moment at which it was made. It hasn't drifted
// because the clock went on, and made anew it is of the moment that it is then.
func TestClockOfASession(t *testing.T) {
	dir := project(t, strings.Replace(webManifest, "system: You are brief.\n", "instruction: $workspace/main\n", 1))
	must(t, os.MkdirAll(filepath.Join(dir, ".cento", "prompts"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".cento", "prompts", "main.md"), []byte("You are brief. It is {{ date }}.\n"), 0o600))
	clock := &jumping{now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	s := begin(t, func(c *serve.Config) {
		c.Projects = []serve.Project{{Name: "web", Request: func() (app.Request, error) {
			return app.Request{Dir: dir, Servers: app.NoServers, Now: clock.Now()}, nil
		}}}
	})
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	stands := func(day string) {
		t.Helper()
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", ""); !strings.Contains(r.body, "It is "+day) {
			t.Errorf("the prompt of %s is %s", day, r.body)
		}
		if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/drift", ""); field(t, r.body, "drifted") != false {
			t.Errorf("the prompt of %s has drifted: %s", day, r.body)
		}
		r := s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/drift", `{"with": {"without_tools": ["todo"]}}`)
		if field(t, r.body, "drifted") != true || strings.Contains(fmt.Sprint(field(t, r.body, "fragments")), "2026-") {
			t.Errorf("without a tool the prompt of %s is another one, and of the same day: %s", day, r.body)
		}
	}
	stands("2026-11-01")
	clock.jump(24 * time.Hour)
	stands("2026-11-01")
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/turn", "")
	stands("2026-11-01")
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:s/rematerialise", "")
	stands("2026-11-02")
	clock.jump(-72 * time.Hour)
	stands("2026-11-02")
}
