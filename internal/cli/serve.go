package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/terminal"
	"github.com/cento-dev/cento/internal/tree"
)

// serveFlags say what a service serves, and to whom.
type serveFlags struct {
	projects, hosts               []string
	listen, metrics, store, token string
	readOnly, paths               bool
	body                          int64
	inFlight                      int
}

func (c *console) serveCommand() *command {
	var f serveFlags
	cmd := &command{
		use:   "serve",
		short: "Answer over HTTP what the command line answers",
		long: `Answer over HTTP: the operations of cento call, the prompts of projects, sessions and
what is recorded, for agents on other machines and in other languages. The address is
printed, and GET /openapi.json there tells what there is.

Without --project it is the project of this folder, by the name of its root. On a
loopback address no --tokens are needed: a token of your own is made then, kept in
serve.token in your folder of state, and asked for all the same. On any other address
there have to be tokens.

Every flag can be set by a variable as well: --max-body by CENTO_SERVE_MAX_BODY, and
those that are repeatable with commas between. A flag counts more. On SIGHUP the file
of tokens is read again; on SIGTERM what is under way has twenty seconds. With
OTEL_EXPORTER_OTLP_ENDPOINT spans are sent to a collector.`,
		examples: `  cento serve
  cento serve --project web=~/src/web --project api=~/src/api
  cento serve --listen 0.0.0.0:7420 --tokens tokens --allow-host prompts.example.com
  cento serve token ci read render`,
		args:    c.subcommand,
		answers: answer[servingAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			if err := fromEnvironment(cmd.Flags()); err != nil {
				return err
			}
			return c.serve(cmd.Context(), &f)
		},
	}
	cmd.with(func(fl *flags) {
		fl.StringArrayVar(&f.projects, "project", nil, "a project to serve, `[NAME=]DIR`; repeatable")
		fl.StringVar(&f.listen, "listen", "127.0.0.1:7420", "the `ADDRESS` to listen on; port 0 takes a free one")
		fl.StringVar(&f.store, "store", "", "where sessions and records are: a file or postgres://… `DSN`; default that of the projects")
		fl.StringVar(&f.token, "tokens", "", "a `FILE` of tokens, as cento serve token makes it")
		fl.BoolVar(&f.readOnly, "read-only", false, "change nothing: sessions and records are read alone")
		fl.StringArrayVar(&f.hosts, "allow-host", nil, "a `NAME` that the service goes by, besides its address; repeatable")
		fl.Var(sizeFlag{&f.body}, "max-body", "how much a request may bring, `SIZE`; default 16MiB")
		fl.IntVar(&f.inFlight, "max-inflight", 0, "how many requests are answered at once, `N`; as many wait; default four for each processor")
		fl.StringVar(&f.metrics, "metrics-listen", "", "an `ADDRESS` for metrics and health alone, which asks for no token")
		fl.BoolVar(&f.paths, "show-paths", false, "tell where on disk projects are")
	})
	cmd.below = []*command{c.serveToken()}
	return cmd
}

// fromEnvironment sets the flags that weren't given by the variables that are.
func fromEnvironment(fl *pflag.FlagSet) (err error) {
	fl.VisitAll(func(f *pflag.Flag) {
		name := "CENTO_SERVE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := os.Getenv(name)
		if f.Changed || value == "" || err != nil {
			return
		}
		values := []string{value}
		if f.Value.Type() == "stringArray" {
			values = strings.Split(value, ",")
		}
		for _, v := range values {
			if e := f.Value.Set(v); e != nil {
				err = wrongUse("", "%s: %w", name, e)
				return
			}
		}
	})
	return err
}

// serve answers until somebody ends it.
func (c *console) serve(ctx context.Context, f *serveFlags) error {
	config := serve.Config{
		Listen: f.listen, MetricsListen: f.metrics, Tokens: f.token, ReadOnly: f.readOnly, AllowHosts: f.hosts,
		MaxBody: f.body, MaxInFlight: f.inFlight, ShowPaths: f.paths, Log: c.serviceLog(), Env: os.Getenv,
	}
	if f.inFlight < 0 {
		return wrongUse("a number from 1 on", "--max-inflight %d answers nothing", f.inFlight)
	}
	if err := c.serviceProjects(ctx, f, &config); err != nil {
		return err
	}
	where := ""
	if f.token == "" {
		var err error
		if config.Local, where, err = localToken(); err != nil {
			return err
		}
	}
	defer gatherGarbage(garbageRoom)()
	s, err := serve.New(ctx, config)
	if err != nil {
		return err
	}
	stop := reloads(s, config.Log) // before anybody learns whom to signal
	defer stop()
	told := servingAnswer{s.Address(), s.MetricsAddress()}
	if c.json {
		err = c.printJSON(told)
	} else {
		err = c.print(func(w *terminal.Writer) { w.Printf("%s\n", told.Address) })
	}
	if where != "" {
		c.err.Say("the token is in %s", where)
	}
	if c.err.Screen { // who reads it there started the service; a log is read by others
		c.err.Say("the inspector, for one browser within a quarter of an hour: %s", s.SignInLink())
	}
	if err == nil {
		err = c.err.Flush()
	}
	if err != nil { // nobody could learn where it is
		ended, cancel := context.WithCancel(ctx)
		cancel()
		return errors.Join(err, s.Serve(ended))
	}
	return s.Serve(ctx)
}

// reloads reads the file of tokens again whenever somebody asks for it.
func reloads(s *serve.Server, log *slog.Logger) (stop func()) {
	asked := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(asked, syscall.SIGHUP)
	go func() {
		defer close(done)
		for range asked {
			if err := s.Reload(); err != nil {
				log.Error("the tokens stay as they were", "error", err.Error())
			} else {
				log.Info("the tokens were read again")
			}
		}
	}()
	return func() {
		signal.Stop(asked)
		close(asked)
		<-done
	}
}

// serviceProjects are those that the flags name, or that of this folder, and the store
// that they have.
func (c *console) serviceProjects(ctx context.Context, f *serveFlags, config *serve.Config) error {
	named := f.projects
	if len(named) == 0 {
		named = []string{"."}
	}
	for _, p := range named {
		name, dir, ok := strings.Cut(p, "=")
		if !ok {
			name, dir = "", p
		}
		dir, err := workFolder("--project", dir)
		if err != nil {
			return err
		}
		from := &whatIf{cwd: dir}
		r, err := c.request(ctx, from)
		if err != nil {
			return err
		}
		request := func() (app.Request, error) { // what it says of the process stays
			again, err := r, error(nil)
			if again.Dir, err = workFolder("--cwd", dir); err != nil {
				return again, err
			}
			again.Now, err = from.now()
			return again, err
		}
		site, err := app.Locate(r)
		if err != nil {
			return err
		}
		if c.site = site; name == "" {
			name = filepath.Base(filepath.FromSlash(site.Root.Dir))
		}
		config.Projects = append(config.Projects, serve.Project{Name: name, Request: request})
		at, err := servicePlace(site, r, f.store)
		if err != nil {
			return err
		}
		if config.Store != "" && config.Store != at {
			return wrongUse("name one for all of them with --store", "the projects have different stores")
		}
		config.Store = at
	}
	return nil
}

// servicePlace is where the store is: as the flag names it from this folder, whichever
// project there is, else as the project says.
func servicePlace(site app.Site, r app.Request, asked string) (string, error) {
	if asked == "" {
		return app.StorePlace(site, r, "")
	}
	here, err := workFolder("--store", ".")
	if err != nil {
		return "", err
	}
	return app.AskedStore(here, asked)
}

// localToken is the token of the user, which is made when there is none, and the file
// that it is in.
func localToken() (secret, path string, err error) {
	env, err := app.Environment()
	if err != nil {
		return "", "", err
	}
	if env.State == "" {
		return "", "", wrongUse("name a file of tokens with --tokens, or set XDG_STATE_HOME", "there is no folder to keep a token in")
	}
	path = filepath.Join(env.State, "serve.token")
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		secret, _, err := serve.NewToken("local", "read", "write", "render")
		if err != nil {
			return "", "", err
		}
		if err := os.MkdirAll(env.State, 0o700); err != nil {
			return "", "", writing(path, err)
		}
		if err := createFile(path, secret+"\n", 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", "", writing(path, err)
		}
	}
	f, err := tree.ReadPath(path, tree.Options{Limit: 4096})
	if err != nil {
		return "", "", err
	}
	if err := serve.Private(path, f.Info.Mode()); err != nil {
		return "", "", err
	}
	secret = strings.TrimSpace(f.Text)
	if len(secret) < 32 {
		return "", "", wrongUse("take the file away, and another one is made", "%s holds no token", path)
	}
	return secret, path, nil
}

// serviceLog is the log of a service on stderr: lines of JSON, but for a terminal.
func (c *console) serviceLog() *slog.Logger {
	to := logWriter{c.err}
	if !c.err.Screen {
		return slog.New(inUTC{slog.NewJSONHandler(to, nil)})
	}
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			a.Value = slog.StringValue(a.Value.Time().UTC().Format(time.RFC3339Nano))
		}
		return a
	}}))
}

// inUTC tells the time of each line as it is in UTC.
type inUTC struct{ slog.Handler }

func (h inUTC) Handle(ctx context.Context, r slog.Record) error {
	r.Time = r.Time.UTC()
	return h.Handler.Handle(ctx, r)
}

func (h inUTC) WithAttrs(attrs []slog.Attr) slog.Handler { return inUTC{h.Handler.WithAttrs(attrs)} }

func (h inUTC) WithGroup(name string) slog.Handler { return inUTC{h.Handler.WithGroup(name)} }

// logWriter hands each line of a log over at once. A handler writes one line at a time.
type logWriter struct{ to *terminal.Writer }

func (w logWriter) Write(b []byte) (int, error) {
	if _, err := w.to.Lines().Write(b); err != nil {
		return 0, err
	}
	return len(b), w.to.Flush()
}

// sizeFlag takes a number of bytes, as in 16MiB.
type sizeFlag struct{ to *int64 }

func (v sizeFlag) Set(text string) error {
	digits := strings.TrimRight(text, "KMGiB")
	n, err := strconv.ParseInt(digits, 10, 64)
	unit, ok := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[text[len(digits):]]
	if err != nil || !ok || n < 1 || n > (1<<40)/unit {
		return fmt.Errorf("write it as 16MiB")
	}
	*v.to = n * unit
	return nil
}

func (v sizeFlag) String() string { return "" }

func (v sizeFlag) Type() string { return "size" }

func (c *console) serveToken() *command {
	var file string
	cmd := &command{
		use:   "token NAME SCOPE...",
		short: "Make a token, and the line that lets it in",
		long: `Make a token. The token itself is printed once and kept nowhere: what the service
reads is its digest. With --tokens the line goes to the end of the file, which is made
for you alone when it isn't there; a service that runs reads it again on SIGHUP.

Scopes are read (prompts, sessions, records), write (transitions of sessions) and render
(operations on files that come with a request). NAME is what logs call the token. A
scope can be narrowed to a project, as in read@web.`,
		examples: "  cento serve token ci read render\n  cento serve token web-agent read@web write@web --tokens tokens",
		args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return wrongUse("as in cento serve token ci read", "cento serve token wants a name and at least one scope")
			}
			return nil
		},
		answers: answer[tokenAnswer](),
		run: func(_ *cobra.Command, args []string) error {
			secret, line, err := serve.NewToken(args[0], args[1:]...)
			if err != nil {
				return err
			}
			if file != "" {
				if err := serve.MayAdd(file, line); err != nil {
					return err
				}
				if err := addLine(file, line); err != nil {
					return writing(file, err)
				}
				c.err.Say("added %s to %s", args[0], file)
			} else {
				c.err.Say("its line in a file of tokens: %s", line)
			}
			if c.json {
				return c.printJSON(tokenAnswer{args[0], secret, line})
			}
			return c.print(func(w *terminal.Writer) { w.Printf("%s\n", secret) })
		},
	}
	cmd.with(func(fl *flags) { fl.StringVar(&file, "tokens", "", "the `FILE` of tokens that the line is added to") })
	return cmd
}
