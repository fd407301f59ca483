//go:build unix

package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// server is a PostgreSQL server of a test's own, which it may end as it likes.
type server struct {
	t      testing.TB
	bin    string // where its programs are
	folder string
	port   string
	as     *syscall.SysProcAttr
}

// ownServer makes one. Without its programs the test is skipped, unless
// CENTO_REQUIRE_POSTGRES says that there must be one.
func ownServer(t testing.TB) *server {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("CENTO_REQUIRE_POSTGRES") != "" {
		missing = t.Fatalf
	}
	s := &server{t: t}
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := exec.LookPath("initdb"); err == nil {
		installed = append(installed, found)
	}
	if len(installed) == 0 {
		missing("no initdb of PostgreSQL is installed, so no server can be ended; CENTO_REQUIRE_POSTGRES=1 makes this a failure")
	}
	s.bin = filepath.Dir(installed[len(installed)-1])
	if s.folder, err = os.MkdirTemp("", "cento-pg"); err != nil { // the path of a socket is short
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(s.folder); err != nil {
			t.Error(err)
		}
	})
	if os.Getuid() == 0 { // the server refuses to run as root
		who, err := user.Lookup("postgres")
		if err != nil {
			missing("this is root, and there is no user postgres to run a server as")
		}
		uid, err := strconv.Atoi(who.Uid)
		if err != nil {
			t.Fatal(err)
		}
		gid, err := strconv.Atoi(who.Gid)
		if err != nil {
			t.Fatal(err)
		}
		s.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		if err := os.Chown(s.folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	_, s.port, err = net.SplitHostPort(store.FreePort(t))
	if err != nil {
		t.Fatal(err)
	}
	s.run("initdb", "-D", s.data(), "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C")
	s.start()
	t.Cleanup(func() { s.stop("immediate") })
	return s
}

func (s *server) data() string { return filepath.Join(s.folder, "data") }

func (s *server) run(program string, args ...string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.SysProcAttr, cmd.Dir, cmd.Env = s.as, s.folder, append(os.Environ(), "LC_ALL=C", "HOME="+s.folder)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	// The server keeps what it was started with open, so nobody waits for its end.
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		s.t.Fatalf("%s: %v\n%s", program, err, out.String())
	}
}

func (s *server) start() {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data(), "-w", "-t", "60", "-l", filepath.Join(s.folder, "log"), "-o",
		fmt.Sprintf("-c listen_addresses=127.0.0.1 -p %s -k %s", s.port, s.folder), "start")
}

func (s *server) stop(how string) {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data(), "-w", "-m", how, "stop")
}

// kill ends the server and all of its processes without a word.
func (s *server) kill() {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		s.t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(b), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		s.t.Fatal(err)
	}
	children, err := exec.Command("pgrep", "-P", first).Output()
	if err != nil {
		s.t.Fatalf("the processes of the server: %v", err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		s.t.Fatal(err)
	}
	all := append(strings.Fields(string(children)), first)
	for _, child := range all {
		if pid, err := strconv.Atoi(child); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have gone with the first
		}
	}
	for s.t.Context().Err() == nil { // one that has ended may still be listed, as Z
		out, _ := exec.Command("ps", "-o", "stat=", "-p", strings.Join(all, ",")).Output() // it fails where none is left
		if !strings.ContainsFunc(string(out), func(r rune) bool { return r == 'S' || r == 'R' || r == 'D' }) {
			break
		}
	}
	// Their numbers mean nothing any more, as after a power cut.
	for _, lock := range []string{filepath.Join(s.data(), "postmaster.pid"), filepath.Join(s.folder, ".s.PGSQL."+s.port+".lock")} {
		if err := os.Remove(lock); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *server) address() string { return "postgres://postgres@127.0.0.1:" + s.port + "/postgres" }

// TestServerRestart ends a server in the middle of the work of several writers,
// as a power cut would (immediate), in order (fast) and with -9, and starts it again. What
// was acknowledged is there, and what is repeated under its key is done once. A
// store that is open goes on by itself.
func TestServerRestart(t *testing.T) {
	t.Parallel() // most of it is waiting
	lengthtest.OnlyLong(t, "starts a server and ends it again and again; TestServerFailures loses its answers")
	if store.RaceDetector {
		t.Skip("the program is the same without the race detector")
	}
	s := ownServer(t)
	st, err := engines.Open(t.Context(), s.address(), store.Options{Wait: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var mu sync.Mutex
	var acknowledged []store.Stored
	failures := map[string]int{}
	var all sync.WaitGroup
	for k := range 6 {
		all.Go(func() {
			id := fmt.Sprintf("writer-%d", k)
			for n := int64(1); ctx.Err() == nil; n++ {
				d, err := draftOf(fmt.Sprintf("%s, %d", id, n))
				if err != nil {
					t.Error(err)
					return
				}
				for ctx.Err() == nil {
					done, err := st.Commit(t.Context(), store.Transition{Key: fmt.Sprint(n), Changes: []store.Change{{Session: id, Expect: n - 1, Drafts: []store.Draft{d}}}})
					mu.Lock()
					if err == nil {
						acknowledged = append(acknowledged, done.Records...)
						mu.Unlock()
						break
					}
					failures[code(err)]++
					mu.Unlock()
					if typed(t, err); t.Failed() {
						return
					}
				}
			}
		})
	}
	count := func() int { mu.Lock(); defer mu.Unlock(); return len(acknowledged) }
	more := func(n int) {
		t.Helper()
		for want, tick := count()+n, time.NewTicker(time.Millisecond); count() < want; {
			select {
			case <-tick.C:
			case <-time.After(time.Minute):
				t.Fatalf("after a minute %d of %d are written; %v", count(), want, failures)
			}
			if t.Failed() {
				return
			}
		}
	}
	for _, how := range []string{"immediate", "fast", "killed"} {
		more(60)
		if how == "killed" {
			s.kill()
		} else {
			s.stop(how)
		}
		s.start()
	}
	more(60)
	stop()
	all.Wait()
	v := verified(t, st, acknowledged...)
	for _, h := range v.Heads {
		x, err := st.Session(t.Context(), h.Session, store.Projects{})
		if err != nil || x.Version != h.Seq {
			t.Errorf("%+v, %v: some transition was done twice or by half", x, err)
		}
	}
	if len(failures) == 0 {
		t.Error("nobody noticed that the server was gone")
	}
	t.Logf("3 restarts; %d records acknowledged, %d there; refused: %v", len(acknowledged), v.Records, failures)
}

func code(err error) string {
	if e, ok := errors.AsType[*cento.SourceError](err); ok {
		return string(e.Code)
	}
	return err.Error()
}
