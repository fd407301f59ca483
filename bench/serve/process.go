package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cento-dev/cento/bench/workload"
)

// programs are the built ones.
type programs struct{ dir, cento, bare string }

// build builds what is measured as a release is built.
func build(dir string) (*programs, error) {
	p := &programs{dir, filepath.Join(dir, "cento"), filepath.Join(dir, "bare")}
	for path, pkg := range map[string]string{p.cento: "./cmd/cento", p.bare: "./bench/serve/bare"} {
		cmd := exec.Command("go", "build", "-trimpath", "-o", path, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s, in the root of the module: %w\n%s", pkg, err, out)
		}
	}
	return p, nil
}

// process is a server that runs.
type process struct {
	cmd                   *exec.Cmd
	base, metrics, secret string
	said                  bytes.Buffer
}

// end kills it.
func (p *process) end() {
	_ = p.cmd.Process.Kill() // its end is what is waited for
	_ = p.cmd.Wait()
}

// used is the processor time that it took by now; 0 where the system doesn't tell as
// Linux does.
func (p *process) used() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name may have spaces
	var ticks int64
	for i, word := range strings.Fields(rest) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && (i == 11 || i == 12) { // of itself, and of the system for it
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// start starts a program, and reads what it says first with read.
func start(cmd *exec.Cmd, read func(*bufio.Reader) error) (*process, error) {
	p := &process{cmd: cmd}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &p.said
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := read(bufio.NewReader(out)); err != nil {
		p.end()
		return nil, fmt.Errorf("%s: %w: %s", cmd.Path, err, p.said.String())
	}
	return p, nil
}

// bareServer writes a body.
func (p *programs) bareServer(body []byte) (*process, error) {
	file := filepath.Join(p.dir, "body")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		return nil, err
	}
	base := ""
	out, err := start(exec.Command(p.bare, file), func(r *bufio.Reader) (err error) {
		base, err = r.ReadString('\n')
		return err
	})
	if err == nil {
		out.base = strings.TrimSpace(base)
	}
	return out, err
}

// service is cento serve with the projects web and long, and a store of its own. Its log goes to a
// file, as a supervisor's would.
func (p *programs) service(args ...string) (*process, error) {
	home, err := os.MkdirTemp(p.dir, "home")
	if err != nil {
		return nil, err
	}
	projects := []string{}
	for _, name := range []string{"web", "long"} {
		manifest, err := project(name)
		if err != nil {
			return nil, err
		}
		dir := filepath.Join(home, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), manifest, 0o600); err != nil {
			return nil, err
		}
		projects = append(projects, "--project", name+"="+dir)
	}
	cmd := exec.Command(p.cento, slices.Concat([]string{
		"serve", "--json", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--store", filepath.Join(home, "cento.db"),
	}, projects, args)...)
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "XDG_STATE_HOME=" + home, "PATH=" + os.Getenv("PATH")}
	log, err := os.Create(filepath.Join(home, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close() // the process has it
	cmd.Stderr = log
	var told struct{ Address, Metrics string }
	out, err := start(cmd, func(r *bufio.Reader) error { return json.NewDecoder(r).Decode(&told) })
	if err != nil {
		said, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	out.base, out.metrics = told.Address, told.Metrics
	secret, err := os.ReadFile(filepath.Join(home, "cento", "serve.token"))
	if err != nil {
		out.end()
		return nil, err
	}
	out.secret = strings.TrimSpace(string(secret))
	return out, nil
}

// project is the manifest of a project: that of long is a prompt of 8 KiB, that of web the
// fragments of W1.
func project(name string) ([]byte, error) {
	manifest := map[string]any{"scope": "off", "profile": "off", "skills": "off"}
	if name == "long" {
		manifest["system"] = strings.Repeat("Keep changes small. ", 8192/20+1)[:8191] + "."
		return json.Marshal(manifest)
	}
	w, err := workload.Make("W1")
	if err != nil {
		return nil, err
	}
	tools := []map[string]string{}
	for _, name := range w.Tools {
		tools = append(tools, map[string]string{"name": name})
	}
	manifest["fragments"], manifest["tools"], manifest["caps"] = w.Fragments, tools, w.Caps
	return json.Marshal(manifest)
}

// number is a metric of a service.
func (p *process) number(name string) (float64, error) {
	res, err := http.Get(p.metrics + "/metrics")
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	for l := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(l, name+" "); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("there is no metric %s", name)
}

// run runs a command to its end, within a while.
func run(ctx context.Context, cmd *exec.Cmd) (string, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out.String())
	}
	return out.String(), nil
}
