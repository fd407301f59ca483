//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cento-dev/cento/internal/storetest"
)

// service is a process that runs cento serve.
type service struct {
	t       *testing.T
	cmd     *exec.Cmd
	base    string
	secret  string
	log     *loggedLines
	state   string // the user's folder of state
	project string
}

// loggedLines is a log that is read while it is written.
type loggedLines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *loggedLines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *loggedLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// serveProcess starts a service on a free port, with a project web. It is killed with the
// test unless it has ended.
func serveProcess(t *testing.T, args ...string) *service {
	t.Helper()
	home := realPath(t, t.TempDir())
	s := &service{t: t, log: new(loggedLines), state: filepath.Join(home, "state", "cento"), project: filepath.Join(home, "web")}
	must(t, os.MkdirAll(s.project, 0o700))
	must(t, os.WriteFile(filepath.Join(s.project, "cento.yaml"), []byte("system: You are brief.\nscope: off\nprofile: off\nskills: off\n"), 0o600))
	s.cmd = exec.Command(program(t), append([]string{"serve", "--listen", "127.0.0.1:0", "--project", "web=" + s.project}, args...)...)
	s.cmd.Env = append(append(os.Environ(), hermetic(home)...), "XDG_STATE_HOME="+filepath.Join(home, "state"))
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	must(t, err)
	must(t, s.cmd.Start())
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v: %s", err, s.log)
	}
	s.base = strings.TrimSpace(line)
	if b, err := os.ReadFile(filepath.Join(s.state, "serve.token")); err == nil {
		s.secret = strings.TrimSpace(string(b))
	}
	return s
}

// ask is the status, the headers and the body of an answer.
func (s *service) ask(method, path, body string, headers ...string) (int, http.Header, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	must(s.t, err)
	r.Header.Set("Authorization", "Bearer "+s.secret)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	must(s.t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	must(s.t, err)
	return res.StatusCode, res.Header, string(b)
}

func (s *service) want(status int, method, path, body string, headers ...string) string {
	s.t.Helper()
	got, _, b := s.ask(method, path, body, headers...)
	if got != status {
		s.t.Errorf("%s %s: status %d, want %d: %s", method, path, got, status, b)
	}
	return b
}

// until asks until something is so; the test's own time is the limit.
func (s *service) until(what string, so func() bool) {
	s.t.Helper()
	for !so() {
		if s.t.Context().Err() != nil {
			s.t.Fatalf("%s: it never came: %s", what, s.log)
		}
	}
}

// TestServeTerm: on SIGTERM nobody new is let in and who asks whether the service is
// ready is told no, what is under way ends, and the exit code is 0.
func TestServeTerm(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			s := serveProcess(t)
			address := strings.TrimPrefix(s.base, "http://")
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
			must(t, err)
			defer c.Close()
			const body = `{"texts": []}`
			_, err = fmt.Fprintf(c, "POST /v1/tokens HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", address, s.secret, len(body), body[:5])
			must(t, err)
			s.until("the request", func() bool {
				return strings.Contains(s.want(http.StatusOK, http.MethodGet, "/metrics", ""), "cento_requests_in_flight 1\n")
			})
			s.want(http.StatusOK, http.MethodGet, "/readyz", "")
			must(t, s.cmd.Process.Signal(sig))
			s.until("the end", func() bool {
				status, _, _ := s.ask(http.MethodGet, "/readyz", "")
				return status == http.StatusServiceUnavailable
			})
			status, h, b := s.ask(http.MethodGet, "/v1/projects", "")
			if status != http.StatusServiceUnavailable || !strings.Contains(b, "serve.draining") || h.Get("Retry-After") == "" {
				t.Errorf("who came is told %d, %v, %s", status, h, b)
			}
			_, err = io.WriteString(c, body[5:])
			must(t, err)
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			must(t, err)
			_ = res.Body.Close()
			if res.StatusCode != http.StatusOK {
				t.Errorf("the request that was under way: status %d", res.StatusCode)
			}
			if err := s.cmd.Wait(); err != nil {
				t.Errorf("the service ended with %v: %s", err, s.log)
			}
		})
	}
}

// TestServeHangUp: on SIGHUP the tokens are read again, and those that can't be leave
// things as they were.
func TestServeHangUp(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	add := func(name string) string {
		t.Helper()
		cmd := exec.Command(program(t), "serve", "token", name, "read", "--tokens", tokens)
		cmd.Env = append(os.Environ(), hermetic(t.TempDir())...)
		out, err := cmd.Output()
		must(t, err)
		return strings.TrimSpace(string(out))
	}
	first := add("first")
	s := serveProcess(t, "--tokens", tokens)
	allowed := func(secret string, want int) {
		t.Helper()
		s.want(want, http.MethodGet, "/v1/projects", "", "Authorization", "Bearer "+secret)
	}
	hangUp := func(says string, times int) {
		t.Helper()
		must(t, s.cmd.Process.Signal(syscall.SIGHUP))
		s.until(says, func() bool { return strings.Count(s.log.String(), says) == times })
	}
	allowed(first, http.StatusOK)
	second := add("second")
	allowed(second, http.StatusUnauthorized)
	hangUp("the tokens were read again", 1)
	allowed(first, http.StatusOK)
	allowed(second, http.StatusOK)

	good, err := os.ReadFile(tokens)
	must(t, err)
	must(t, os.WriteFile(tokens, []byte("first abc read\n"), 0o600))
	hangUp("the tokens stay as they were", 1)
	must(t, os.Remove(tokens))
	hangUp("the tokens stay as they were", 2)
	allowed(first, http.StatusOK)
	allowed(second, http.StatusOK)

	_, without, _ := strings.Cut(string(good), "\n")
	must(t, os.WriteFile(tokens, []byte(without), 0o600))
	hangUp("the tokens were read again", 2)
	allowed(first, http.StatusUnauthorized)
	allowed(second, http.StatusOK)
	if log := s.log.String(); strings.Contains(log, first) || strings.Contains(log, second) {
		t.Error("the log has a token")
	}
	must(t, s.cmd.Process.Signal(syscall.SIGTERM))
	must(t, s.cmd.Wait())
}

// TestServeStoreGone: without its store the service isn't ready; prompts that it has
// handed out are read all the same, and what would change a session is refused for now
// and done once when it is asked for again.
func TestServeStoreGone(t *testing.T) {
	link := storetest.PostgresLink(t)
	s := serveProcess(t, "--store", link.Place)
	for _, id := range []string{"known", "other"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "`+id+`"}`)
	}
	prompt := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:known/prompt", "")
	if prompt != "You are brief." {
		t.Fatalf("the prompt is %q", prompt)
	}
	link.Cut()
	gone := func(method, path, body string, headers ...string) {
		t.Helper()
		status, h, b := s.ask(method, path, body, headers...)
		if status != http.StatusServiceUnavailable || h.Get("Retry-After") == "" || !strings.Contains(b, `"code": "store.`) {
			t.Errorf("%s %s: status %d, Retry-After %q: %s", method, path, status, h.Get("Retry-After"), b)
		}
		if strings.Contains(b, "127.0.0.1") || strings.Contains(b, "postgres") {
			t.Errorf("%s %s tells where the store is: %s", method, path, b)
		}
	}
	gone(http.MethodGet, "/readyz", "")
	s.want(http.StatusOK, http.MethodGet, "/healthz", "")
	gone(http.MethodPost, "/v1/sessions/web:known/remind", `{"reminder": {"body": "Tests are red."}}`, "Idempotency-Key", "once")
	gone(http.MethodPost, "/v1/sessions", `{"project": "web", "id": "new"}`)
	gone(http.MethodGet, "/v1/records", "")
	gone(http.MethodDelete, "/v1/sessions/web:other", "")
	if got := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:known/prompt", ""); got != prompt {
		t.Errorf("out of memory the prompt is %q", got)
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/projects/web/assemble", "")
	if m := s.want(http.StatusOK, http.MethodGet, "/metrics", ""); !strings.Contains(m, `cento_store_errors_total{code="store.unreachable"}`) {
		t.Error("the metrics don't tell")
	}
	link.Heal()
	s.until("the store", func() bool {
		status, _, _ := s.ask(http.MethodGet, "/readyz", "")
		return status == http.StatusOK
	})
	for range 2 {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions/web:known/remind", `{"reminder": {"body": "Tests are red."}}`, "Idempotency-Key", "once")
	}
	if n := strings.Count(s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:known", ""), `"body": "Tests are red."`); n != 1 {
		t.Errorf("asked for again and again there are %d reminders", n)
	}
	s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:other/prompt", "")
	must(t, s.cmd.Process.Signal(syscall.SIGTERM))
	must(t, s.cmd.Wait())
}
