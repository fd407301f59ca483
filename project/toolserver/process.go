package toolserver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/credential"
	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project/consent"
)

// grace is how long a program has to end by itself once it has given its
// listing, and again once it was asked to.
const grace = 300 * time.Millisecond

// errStart is a program that can't be started: trying again is no use.
var errStart = errors.New("it can't be started")

// variables are the names of the variables that every program gets from the
// user's environment: what it needs to find programs and its own files.
func variables() []string {
	return []string{
		"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER",
		"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
	}
}

// process is a server that was started.
type process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  io.ReadCloser
	all     *allowance
	stderr  *tail
	ended   chan struct{}
	endOnce sync.Once
}

// start runs the program of a server in a group of its own, so that it can be
// ended with all that it started.
func (l *Lister) start(s consent.Server, dir string) (*process, error) {
	cwd := filepath.Join(dir, filepath.FromSlash(s.Cwd))
	if info, err := os.Stat(cwd); s.Cwd != "" && (errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir()) {
		return nil, fmt.Errorf("%w: %w", errStart, &consent.Absent{Folder: s.Cwd})
	}
	env := l.environ(s)
	program, err := lookUp(s.Command[0], cwd, env)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStart, err)
	}
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	all := &allowance{left: maxTraffic}
	p := &process{cmd: exec.Command(program, s.Command[1:]...), stdout: stream{out, all}, all: all, stderr: &tail{}, ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = cwd, env, in, p.stderr
	p.cmd.WaitDelay = grace // for those who keep its stderr open
	ownGroup(p.cmd)
	if p.stdin, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	in.Close()
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("%w: %w", errStart, withoutPath(err))
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is told by what it didn't say
		close(p.ended)
	}()
	return p, nil
}

// environ is the environment of a program.
func (l *Lister) environ(s consent.Server) []string {
	out := []string{}
	for _, v := range l.Environ {
		name, _, _ := strings.Cut(v, "=")
		if _, set := s.Env[name]; set {
			continue
		}
		if slices.Contains(variables(), strings.ToUpper(name)) || slices.Contains(s.Inherit, name) {
			out = append(out, v)
		}
	}
	for name, value := range s.Env {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// lookUp finds a program: by its path, from the folder that it is run in, or by
// its name, in the folders of PATH that are absolute. A program of the project
// is never taken for one of the system by its name.
func lookUp(name, cwd string, env []string) (string, error) {
	if strings.ContainsRune(name, '/') || filepath.Base(name) != name {
		if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
			name = filepath.Join(cwd, name)
		}
		if _, err := exec.LookPath(name); err != nil {
			return "", withoutPath(err)
		}
		return name, nil
	}
	for _, v := range env {
		path, ok := strings.CutPrefix(v, "PATH=")
		if !ok {
			continue
		}
		for _, folder := range filepath.SplitList(path) {
			if !filepath.IsAbs(folder) {
				continue
			}
			if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
				return found, nil
			}
		}
	}
	return "", &consent.Absent{Program: name}
}

// withoutPath takes the path of the program off an error of starting it.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return e.Err
	}
	return tree.WithoutPath(err)
}

// transport speaks over the streams of the program.
func (p *process) transport() mcp.Transport {
	return &mcp.IOTransport{Reader: p.stdout, Writer: p.stdin, MaxLineLength: maxTraffic}
}

// kill ends the program at once, with all that it started.
func (p *process) kill() {
	killGroup(p.cmd)
	p.stdout.Close()
	p.stdin.Close()
}

// end ends the program as MCP asks for: its input is closed, then it is asked to
// end, then it is killed.
func (p *process) end() {
	p.endOnce.Do(func() {
		p.stdin.Close()
		p.stdout.Close()
		for _, next := range []func(*exec.Cmd){termGroup, killGroup} {
			wait := time.NewTimer(grace)
			select {
			case <-p.ended:
				wait.Stop()
				killGroup(p.cmd) // what it left behind
				return
			case <-wait.C:
				next(p.cmd)
			}
		}
		<-p.ended
	})
}

// explain adds what a program said last to an error. An error before a greeting was
// answered is that of a program that ended, or speaks something else.
func (p *process) explain(err error, greeted bool) error {
	switch {
	case err == nil:
		return nil
	case p.all.isOver():
		return fmt.Errorf("%w: it said more than %d bytes", errBound, maxTraffic)
	}
	_, answered := errors.AsType[*jsonrpc.Error](err)
	if !greeted && !answered || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ended, or didn't speak MCP")
	}
	if last := p.stderr.last(); last != "" && !credential.In(last) {
		return fmt.Errorf("%w; it said last: %s", err, strconv.Quote(last))
	}
	return err
}

// stream is the program's stdout.
type stream struct {
	io.ReadCloser
	all *allowance
}

func (s stream) Read(buf []byte) (int, error) { return s.all.read(s.ReadCloser, buf) }

// allowance is how much a server may still say.
type allowance struct {
	mu   sync.Mutex
	left int
	over bool
}

func (a *allowance) read(r io.Reader, buf []byte) (int, error) {
	a.mu.Lock()
	left := a.left
	a.over = a.over || left <= 0
	a.mu.Unlock()
	if left <= 0 {
		return 0, errBound
	}
	n, err := r.Read(buf[:min(len(buf), left)])
	a.mu.Lock()
	a.left -= n
	a.mu.Unlock()
	return n, err
}

func (a *allowance) isOver() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.over
}

// tail keeps the end of what a program says on its standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - maxTail; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(b), nil
}

// last is the last line that isn't blank.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.ToValidUTF8(string(t.text), "\ufffd"), "\n")
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(line); line != "" {
			const longest = 200
			return quote.ClipRunes(line, longest)
		}
	}
	return ""
}
