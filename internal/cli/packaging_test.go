//go:build linux

package cli_test

import (
	"bufio"
	"debug/elf"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// TestDockerfile does what the image does, without one: the program is built by the very
// command, links nothing of the system, and serves with the image's variables where it
// can write nothing but its state.
func TestDockerfile(t *testing.T) {
	lengthtest.OnlyLong(t, "it builds the program")
	b, err := os.ReadFile("../../cmd/cento/Dockerfile")
	must(t, err)
	text := string(b)
	build := regexp.MustCompile(`(?m)^RUN (.* go build .* -o )/out/cento (\./cmd/cento)$`).FindStringSubmatch(text)
	_, image, ok := strings.Cut(text, "\nFROM scratch\n")
	env := regexp.MustCompile(`(?m)^ENV (.*)$`).FindStringSubmatch(image)
	if build == nil || !ok || env == nil || strings.Contains(image, "\nRUN ") {
		t.Fatalf("the Dockerfile has another form than this test knows:\n%s", text)
	}
	for _, line := range []string{"\nUSER 65532:65532\n", "\nENTRYPOINT [\"/cento\", \"serve\"]\n", "\nSTOPSIGNAL SIGTERM\n"} {
		if !strings.Contains(image, line) {
			t.Errorf("the image lacks %q", line)
		}
	}
	copiedPaths(t, text)
	root := realPath(t, t.TempDir())
	at := filepath.Join(root, "cento")
	cmd := exec.Command("sh", "-c", build[1]+at+" "+build[2])
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "VERSION=v0.0.0-of-this-test")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(text, "\nARG VERSION=") {
		t.Error("nothing hands the version to the build")
	}
	version, err := exec.Command(at, "version").Output()
	must(t, err)
	if got := string(version); got != "cento v0.0.0-of-this-test\n" {
		t.Errorf("the program says it is %q", got)
	}
	binary, err := elf.Open(at)
	must(t, err)
	defer binary.Close()
	for _, p := range binary.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program isn't static: it wants a loader")
		}
	}

	state, tokens, web := filepath.Join(root, "state"), filepath.Join(root, "tokens"), filepath.Join(root, "web")
	must(t, os.Mkdir(state, 0o700))
	must(t, os.Mkdir(web, 0o700))
	must(t, os.WriteFile(filepath.Join(web, "cento.yaml"), []byte("system: You are brief.\n"), 0o600))
	secret, err := exec.Command(at, "serve", "token", "all", "read", "write", "--tokens", tokens).Output()
	must(t, err)
	serve := exec.Command(at, "serve", "--project", "web="+web, "--tokens", tokens)
	serve.Dir = web
	for _, v := range strings.Fields(env[1]) {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(value, "0.0.0.0:") {
			value = "0.0.0.0:0" // of the tests, another one each time
		}
		serve.Env = append(serve.Env, name+"="+strings.Replace(value, "/state", state, 1))
	}
	out, err := serve.StdoutPipe()
	must(t, err)
	must(t, serve.Start())
	t.Cleanup(func() { _ = serve.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	_, port, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "http://"), "]:")
	if port == "" {
		port = line[strings.LastIndexByte(strings.TrimSpace(line), ':')+1:]
	}
	s := &service{t: t, base: "http://127.0.0.1:" + strings.TrimSpace(port), secret: strings.TrimSpace(string(secret))}
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	must(t, serve.Process.Signal(syscall.SIGTERM))
	must(t, serve.Wait())
	var left []string
	must(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(path, state) {
			left = append(left, filepath.Base(path))
		}
		return err
	}))
	if got := strings.Join(left, " "); got != "cento tokens cento.yaml" {
		t.Errorf("beside its state there are %s", got)
	}
}

// copiedPaths: what a COPY names is in the repository, or is made by a line before it or
// by the image that it comes from; and that image's Go is new enough, and the ports that
// are told are those that are listened on.
func copiedPaths(t *testing.T, dockerfile string) {
	t.Helper()
	made := map[string]bool{"/etc/ssl/certs/ca-certificates.crt": true} // of the image with Go, which downloads over TLS
	copies := 0
	for line := range strings.Lines(dockerfile) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == "RUN":
			for _, w := range words[1:] {
				if strings.HasPrefix(w, "/out/") {
					made[w] = true
				}
			}
		case len(words) > 2 && words[0] == "COPY":
			copies++
			from := false
			for _, w := range words[1 : len(words)-1] {
				switch {
				case strings.HasPrefix(w, "--"):
					from = from || w == "--from=build"
				case from && !made[w]:
					t.Errorf("nothing before it makes %s: %s", w, line)
				case !from:
					if _, err := os.Stat(filepath.Join("../..", w)); err != nil {
						t.Errorf("%s: %v", strings.TrimSpace(line), err)
					}
				}
			}
		}
	}
	if copies < 5 {
		t.Errorf("%d lines copy something: the test looks for another form", copies)
	}
	mod, err := os.ReadFile("../../go.mod")
	must(t, err)
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	if wanted == nil || !strings.Contains(dockerfile, "FROM golang:"+string(wanted[1])+" AS build\n") {
		t.Errorf("go.mod wants %s, and the image has another", wanted)
	}
	exposed := regexp.MustCompile(`(?m)^EXPOSE (.*)$`).FindStringSubmatch(dockerfile)
	var listened []string
	for _, port := range regexp.MustCompile(`LISTEN=0\.0\.0\.0:(\d+)`).FindAllStringSubmatch(dockerfile, -1) {
		listened = append(listened, port[1])
	}
	if exposed == nil || strings.Join(listened, " ") != exposed[1] {
		t.Errorf("%q are listened on, and %q are told", listened, exposed)
	}
}

// TestUnit holds the unit against systemd, where that is, and against the program: it
// gives the service more time than it takes.
func TestUnit(t *testing.T) {
	const unit = "../../cmd/cento/cento.service"
	b, err := os.ReadFile(unit)
	must(t, err)
	for _, line := range []string{"NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=", "ExecReload=/bin/kill -HUP $MAINPID", "TimeoutStopSec=30s", "ExecStart=/usr/local/bin/cento serve"} {
		if !strings.Contains(string(b), "\n"+line+"\n") {
			t.Errorf("the unit lacks %s", line)
		}
	}
	for _, name := range regexp.MustCompile(`CENTO_SERVE_([A-Z_]+)`).FindAllStringSubmatch(string(b), -1) {
		flag := "--" + strings.ToLower(strings.ReplaceAll(name[1], "_", "-"))
		if out, err := exec.Command(program(t), "serve", "--help").Output(); err != nil || !strings.Contains(string(out), flag) {
			t.Errorf("%s sets a flag that there isn't: %v", name[0], err)
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze isn't here")
	}
	// The program of this test stands where the unit's would.
	copied := filepath.Join(t.TempDir(), "cento.service")
	must(t, os.WriteFile(copied, []byte(strings.Replace(string(b), "/usr/local/bin/cento", program(t), 1)), 0o600))
	if out, err := exec.Command(analyze, "verify", copied).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v: %s", err, out)
	}
	out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", copied).CombinedOutput()
	if err != nil {
		t.Errorf("the unit is exposed more than 2.0: %s", out)
	}
}
