// Agent is an agent on the library with a scripted model: it works in a folder, asks
// a sub-agent with a contract, is reminded of what failed, and goes on where it was
// after it was killed.
//
//	go run ./docs/examples/agent -dir docs/examples/agent/workspace -db agent.db
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/sqlite"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/workspace"
)

func main() {
	dir := flag.String("dir", ".", "the project to work in")
	db := flag.String("db", "agent.db", "where sessions are kept")
	flag.Parse()
	if err := run(context.Background(), *dir, *db, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// kind is what a session is for: the host keeps it as the session's metadata, and so
// knows it again after a restart, and in each fork.
type kind struct {
	Role  string   `json:"role"`
	Tools []string `json:"tools"`
}

// tool is what the host knows of a tool: what the prompt and the model are told, and
// what is done when it is called.
type tool struct {
	guidance, schema string
	run              func(a *agent, argument string) (string, error)
}

func toolOf(name string) tool {
	return map[string]tool{
		"read":  {"Read a file before you change it.", `{"type":"object"}`, (*agent).read},
		"write": {"One file per call.", `{"type":"object"}`, (*agent).write},
		"shell": {"Prefer make targets.", `{"type":"object"}`, func(*agent, string) (string, error) { return "ok", nil }},
		"task":  {"Give facts and one objective.", `{"type":"object"}`, (*agent).delegate},
	}[name]
}

// defined are the definitions of tools, for the prompt.
func defined(names []string) []cento.Tool {
	out := make([]cento.Tool, len(names))
	for i, name := range names {
		guidance := toolOf(name).guidance
		out[i] = cento.Tool{Name: name, Guidance: &guidance, Parameters: json.RawMessage(toolOf(name).schema), Trust: cento.TrustHost}
	}
	return out
}

// host is what all sessions of the program share.
type host struct {
	dir      string
	sessions *session.Service
	out      io.Writer
}

// open reads the project for a session.
func (h *host) open(ctx context.Context, r session.Reading) (*project.Project, error) {
	var k kind
	if err := json.Unmarshal(r.Metadata, &k); err != nil {
		return nil, err
	}
	team := layer.Layer{}.WithContributions(layer.RuntimeContext("You are the " + k.Role + " of this program.").WithTrust(cento.TrustHost))
	return project.Open(ctx, project.Request{
		Dir: h.dir, Now: r.Now, Session: r.Layer, Tools: defined(k.Tools),
		Host:  cento.Host{SystemSuffix: cento.HostText("Answer in English.")},
		Stack: []layer.Ranked{{Name: "program", Rank: layer.HostRank, Layer: team}},
	})
}

// source is the input of a session's prompt.
func (h *host) source(ctx context.Context, r session.Reading) (cento.Input, error) {
	p, err := h.open(ctx, r)
	if err != nil {
		return cento.Input{}, err
	}
	return p.Input, nil
}

// agent is one session under way.
type agent struct {
	*host
	ctx  context.Context
	id   string
	kind kind
}

// begin starts a session, or goes on with the one of that name.
func (h *host) begin(ctx context.Context, id string, k kind) (*agent, error) {
	metadata, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	p, err := h.open(ctx, session.Reading{Session: id, Own: session.Own{Metadata: metadata}})
	if err != nil {
		return nil, err
	}
	inTurn := reminder.InTurn
	_, err = h.sessions.Start(ctx, session.StartRequest{
		ID: id, Settings: session.Settings{Placement: &inTurn}, Own: session.Own{Metadata: metadata, Scope: p.Scope.Rules()},
	}, h.source)
	if err != nil && !errors.Is(err, store.SessionExists) {
		return nil, err
	}
	return h.resume(ctx, id)
}

// resume makes an agent of a session by what is kept of it.
func (h *host) resume(ctx context.Context, id string) (*agent, error) {
	shown, err := h.sessions.Show(ctx, id)
	if err != nil {
		return nil, err
	}
	a := &agent{host: h, ctx: ctx, id: id}
	if err := json.Unmarshal(shown.Metadata, &a.kind); err != nil {
		return nil, err
	}
	return a, nil
}

// answer is what the scripted model says: words, or a call of a tool.
type answer struct{ say, tool, argument string }

// step is a turn of the model, which is asked with the body of a request. Its key makes
// it one turn, however often it is tried.
func (a *agent) step(n int, said string, model func(body string) answer) error {
	turn, err := a.sessions.Turn(a.ctx, session.TurnRequest{
		ID: a.id, Options: session.Options{Key: fmt.Sprint("turn-", n)}, Tools: a.kind.Tools,
		Wire: &wire.Request{Form: wire.Anthropic, Messages: []wire.Message{{Role: "user", Text: said}}},
	}, a.source)
	if err != nil {
		return err
	}
	reply := model(turn.Request.Body)
	a.tell("turn %d: system %s, reminders %d: %s%s", n, (*turn.Digest)[:8], len(turn.Reminders), reply.say, reply.tool)
	if reply.tool == "" {
		return nil
	}
	result, err := toolOf(reply.tool).run(a, reply.argument)
	if err != nil {
		result = "error: " + err.Error()
		_, err := a.sessions.Remind(a.ctx, session.RemindRequest{
			ID: a.id, Options: session.Options{Key: fmt.Sprint("failed-", n)},
			Reminder: reminder.Reminder{Body: "The last call of " + reply.tool + " failed.", TTLTurns: 1, DedupeKey: "failed", Authority: reminder.Corrective},
		})
		if err != nil {
			return err
		}
	}
	a.tell("  %s: %s", reply.tool, result)
	return nil
}

func (a *agent) tell(format string, values ...any) {
	fmt.Fprintf(a.out, a.id+" "+format+"\n", values...)
}

// allowed asks the scope that is kept with the session, as its prompt tells it.
func (a *agent) allowed(name string, wanted workspace.Permission) error {
	given, _, _, err := a.sessions.Permission(a.ctx, a.id, filepath.Join(a.dir, name))
	if err == nil && given < wanted {
		err = fmt.Errorf("%s: %s is wanted, and %s allowed", name, wanted, given)
	}
	return err
}

func (a *agent) read(name string) (string, error) {
	if err := a.allowed(name, workspace.Read); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(a.dir) // a link can't lead out of it
	if err != nil {
		return "", err
	}
	defer root.Close()
	text, err := root.ReadFile(name)
	return strings.TrimSpace(string(text)), err
}

func (a *agent) write(name string) (string, error) {
	if err := a.allowed(name, workspace.Write); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return "written", root.WriteFile(name, []byte("done\n"), 0o644)
}

// delegate asks a sub-agent by a contract, until its answer keeps to it.
func (a *agent) delegate(objective string) (string, error) {
	k := kind{Role: "reader", Tools: []string{"read"}}
	metadata, err := json.Marshal(k)
	if err != nil {
		return "", err
	}
	child := a.id + "-reader"
	_, err = a.sessions.Fork(a.ctx, session.ForkRequest{ID: a.id, Child: child, Own: session.Own{Metadata: metadata}, Key: "fork"})
	if err != nil {
		return "", err
	}
	sub, err := a.resume(a.ctx, child)
	if err != nil {
		return "", err
	}
	var facts contract.Context
	facts.AddFacts("signals", contract.Fact{ID: "s1", Content: "make test runs the tests"})
	c, err := contract.New(contract.Analyzer, objective, facts, contract.NewOutput(contract.EmitAnalysis, "evaluations").WithFormat(contract.FormatJSON))
	if err != nil {
		return "", err
	}
	c = c.WithConstraints(contract.NoInvent, contract.CiteSources)
	ask := c.Text(contract.Lines) + "\n\n" + c.AnswerShape()
	for i := range 3 {
		var said string
		err := sub.step(i, ask, func(body string) answer {
			cites := "s9" // at first it cites what nobody said
			if strings.Contains(body, "is no fact of the contract") {
				cites = "s1"
			}
			said = `{"emit":"analysis","key":"evaluations","facts":[{"id":"a1","content":"tests are run by make","cites":["` + cites + `"]}]}`
			return answer{say: "an answer that cites " + cites}
		})
		if err != nil {
			return "", err
		}
		report := c.CheckAnswer(said, cento.Limits{})
		if report.Holds {
			return report.Answer.Facts[0].Content, nil
		}
		ask = c.Retry(report)
		sub.tell("  asked again, since %s", report.Findings[0].Message)
	}
	return "", errors.New("the sub-agent never kept to its contract")
}

// run is the whole conversation. What is done already isn't done again: the session
// knows which turn it is in.
func run(ctx context.Context, dir, db string, out io.Writer) error {
	s, err := sqlite.Open(ctx, db, store.Options{Wait: 10 * time.Second})
	if err != nil {
		return err
	}
	defer s.Close()
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	h := &host{dir: dir, sessions: session.New(s), out: out}
	a, err := h.begin(ctx, "coder", kind{Role: "coder", Tools: []string{"read", "write", "shell", "task"}})
	if err != nil {
		return err
	}
	script := []answer{
		{tool: "read", argument: "AGENTS.md"}, {tool: "write", argument: "vendor/x.go"}, {say: "I see: not there."},
		{tool: "task", argument: "say how tests are run"}, {tool: "write", argument: "notes.txt"}, {say: "Done."},
	}
	shown, err := h.sessions.Show(ctx, a.id)
	if err != nil {
		return err
	}
	for n := int(shown.Turn); n < len(script); n++ {
		if err := a.step(n, "Go on.", func(string) answer { return script[n] }); err != nil {
			return err
		}
	}
	_, err = h.sessions.EndTurn(ctx, session.EndRequest{ID: a.id, Options: session.Options{Key: "end"}})
	return err
}
