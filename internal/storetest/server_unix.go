//go:build unix

package storetest

import (
	"bytes"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Server is a PostgreSQL server of a test's own, which can be killed and started again.
type Server struct {
	// Place is where a store is on it.
	Place string

	t       testing.TB
	program string
	args    []string
	as      *syscall.Credential // nil: whoever runs the tests
	cmd     *exec.Cmd
	ended   chan struct{}
	said    *bytes.Buffer
}

// newestPostgres is the greatest version that is looked for.
const newestPostgres = 40

// PostgresServer starts a server of the newest PostgreSQL on this machine. Without one
// the test is skipped, as by [Postgres].
func PostgresServer(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t}
	for version := newestPostgres; version > 0 && s.program == ""; version-- {
		s.program, _ = exec.LookPath(fmt.Sprintf("/usr/lib/postgresql/%d/bin/postgres", version)) // else an older one
	}
	if s.program == "" {
		if os.Getenv("CENTO_REQUIRE_POSTGRES") == "" {
			t.Skip("no PostgreSQL is installed where Debian puts it; CENTO_REQUIRE_POSTGRES=1 makes this a failure")
		}
		t.Fatal("no PostgreSQL is installed where Debian puts it")
	}
	dir, err := os.MkdirTemp("", "cento-pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if os.Getuid() == 0 { // whom it refuses to work for
		s.as = account(t, "postgres")
		if err := os.Chown(dir, int(s.as.Uid), int(s.as.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "db")
	initdb := exec.Command(filepath.Join(filepath.Dir(s.program), "initdb"), "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = dir, &syscall.SysProcAttr{Credential: s.as}
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	port := freePort(t)
	s.args = []string{"-D", data, "-k", dir, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=16MB"}
	s.Place = fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres", port)
	s.Start()
	t.Cleanup(func() {
		_ = s.cmd.Process.Signal(os.Interrupt) // it may have ended; a killed one would leave shared memory behind
		<-s.ended
	})
	return s
}

func account(t testing.TB, name string) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Start starts the server, and returns when it answers. Where processes of one that was
// killed aren't gone yet it refuses to start, and is started again.
func (s *Server) Start() {
	s.t.Helper()
	db, err := sql.Open("pgx", s.Place+"?connect_timeout=3")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	for s.run(); db.Ping() != nil; {
		if s.t.Context().Err() != nil {
			s.t.Fatalf("the server doesn't answer: %s", s.said)
		}
		select {
		case <-s.ended:
			s.run()
		default:
		}
	}
}

func (s *Server) run() {
	s.t.Helper()
	s.said, s.ended = new(bytes.Buffer), make(chan struct{})
	s.cmd = exec.Command(s.program, s.args...)
	s.cmd.Dir, s.cmd.Stderr, s.cmd.SysProcAttr = filepath.Dir(s.program), s.said, &syscall.SysProcAttr{Credential: s.as}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		defer close(ended)
		_ = cmd.Wait() // it is killed
	}(s.cmd, s.ended)
}

// Kill ends the server without a word, as by kill -9. Its processes follow it.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.ended
}
