package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// serviceVariable and tokenVariable are the variables of a script that say where the
// service answers that it began, and with which token it is asked.
const (
	serviceVariable = "SERVICE"
	tokenVariable   = "TOKEN"
)

// serves begins a service on a free port, which is killed when the script ends. Its log
// is in the file serve.log.
func serves(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: serves ARG...")
	}
	path, err := exec.LookPath("cento")
	ts.Check(err)
	log, err := os.Create(ts.MkAbs("serve.log"))
	ts.Check(err)
	cmd := exec.Command(path, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Dir, cmd.Stderr = ts.MkAbs("."), log
	state := filepath.Join(ts.Getenv("WORK"), ".tmp", "state")
	cmd.Env = append(append(os.Environ(), hermetic(ts.Getenv("WORK"))...), "XDG_STATE_HOME="+state)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		_ = log.Close()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		ts.Fatalf("no address: %v: %s", err, ts.ReadFile("serve.log"))
	}
	ts.Setenv(serviceVariable, strings.TrimSpace(line))
	if token, err := os.ReadFile(filepath.Join(state, "cento", "serve.token")); err == nil {
		ts.Setenv(tokenVariable, strings.TrimSpace(string(token)))
	}
}

// asks asks the service and holds its answer to a status; stdout is the body, the file
// headers has the headers, and $ETAG is the one of these by that name. A header without a
// value isn't sent.
func asks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: asks STATUS METHOD PATH [NAME:VALUE]... [FILE]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	header := http.Header{"Authorization": {"Bearer " + ts.Getenv(tokenVariable)}, "Content-Type": {"application/json"}}
	body, host := "", ""
	for _, a := range args[3:] {
		name, value, isHeader := strings.Cut(a, ":")
		switch name = http.CanonicalHeaderKey(name); {
		case !isHeader:
			body = ts.ReadFile(a)
		case name == "Host":
			host = value
		case value == "":
			header.Del(name)
		default:
			header.Set(name, value)
		}
	}
	r, err := http.NewRequest(args[1], ts.Getenv(serviceVariable)+args[2], strings.NewReader(body))
	ts.Check(err)
	r.Header, r.Host = header, host
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	ts.Check(err)
	_, err = ts.Stdout().Write(b)
	ts.Check(err)
	headers, err := os.Create(ts.MkAbs("headers"))
	ts.Check(err)
	ts.Check(answer.Header.Write(headers))
	ts.Check(headers.Close())
	ts.Setenv("ETAG", answer.Header.Get("ETag"))
	if answer.StatusCode != want {
		ts.Fatalf("status %d, want %d: %s", answer.StatusCode, want, b)
	}
}
