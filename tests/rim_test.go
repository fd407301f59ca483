package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a package can ask of the world outside of its arguments.
const (
	clock       = "clock"
	environment = "environment"
	disk        = "disk"
	programs    = "programs"
	network     = "network"
	chance      = "chance"
	terminal    = "terminal"
	machine     = "machine" // its system and processors, and the signals that a process gets
)

// mayAsk is the rim of the module: for each package, what of the world it asks,
// and why it is the one to do so, whether it asks itself or through one of the doors
// of [byImport]. A package that isn't listed asks nothing but what the packages ask that
// it imports; [asksNothing] are those for which that is nothing, too. Tools that make
// source files and the benchmarks aren't part of the program.
var mayAsk = map[string]map[string]string{
	"project/consent":        {disk: "looks whether an installed pack is a link"},
	"docs/examples/agent":    {disk: "its tools read and write files", environment: "a folder that isn't absolute starts from the current one"},
	"internal/app":           {programs: "asks git, through internal/history, who wrote a line and what a revision has", machine: "where clients of other makers keep their settings", disk: "writes locks, approvals and packs; finds starters and stores", environment: "the one place that asks where the user's folders are"},
	"internal/archive":       {disk: "reads and rewrites the cases of tests", chance: "how a difference that fails a test is set out"},
	"internal/cli":           {machine: "ends in order when it is told to", clock: "the time that prompt files see, progress bars and ages of records", disk: "files that flags name", terminal: "whether people read what is printed", environment: "NO_COLOR and TERM; GOGC, which says when garbage is collected; flags that name files start from the current folder"},
	"internal/history":       {machine: "what a refusal of the system says of a file", programs: "runs git on a view of its own", clock: "git is ended when it takes too long", disk: "the view of a repository", environment: "git gets the few variables that it needs"},
	"internal/mention":       {disk: "looks which names a project has, and reads .gitignore and .gitmodules, through internal/tree"},
	"internal/otherclient":   {disk: "reads them, through internal/tree"},
	"internal/starter":       {disk: "reads the files of other clients, through internal/tree"},
	"internal/provenance":    {programs: "asks git, through internal/history, who wrote a line", disk: "reads the files that are not in a prompt, through internal/tree"},
	"internal/lsp":           {disk: "what the paths of an editor are without links"},
	"internal/mcpserver":     {disk: "is told of changed files, by internal/watch", network: "answers messages that came over HTTP; listens nowhere"},
	"internal/prompttest":    {machine: "as many mutants at once as there are processors; no answer depends on it", disk: "copies a project that a test lays files over"},
	"internal/serve":         {machine: "as many requests at once as processors allow; who may read a file of tokens", network: "listens, and sends spans to a collector", clock: "bounds requests, times them, and tells when files were read", chance: "secrets, and ids of requests and of spans", disk: "what the system says of the process, for its metrics", environment: "OTEL_RESOURCE_ATTRIBUTES and its kin, for whom spans are"},
	"internal/storetables":   {clock: "the library that does the steps times each"},
	"internal/toon/toontest": {disk: "the library that generates keeps inputs that failed, where a test asks it to"},
	"internal/call":          {clock: "when a stream read a project"},
	"internal/lengthtest":    {environment: "how long tests may take"},
	"internal/pacetest":      {clock: "how fast the machine is"},
	"internal/storetest":     {machine: "as many tests at once as there are processors", disk: "a database for each test", network: "the server, and a way to it that a test can break", programs: "a server that a test can kill", environment: "which engines are at hand", clock: "a name for each schema"},
	"internal/watch":         {machine: "when the system says that a file changed", disk: "compares what stands in folders with what was read there", clock: "how young a file was when it was read, and how long a change has to settle", environment: "names that aren't absolute start from the current folder"},
	"internal/tree":          {machine: "opens a file so that a pipe in its stead keeps nobody waiting", disk: "the one door to files of the user's tree", chance: "the name that a file has until it is whole", environment: "names that aren't absolute start from the current folder"},
	"internal/treetest":      {machine: "pipes, the eyes of another user, and which folders are of memory", disk: "folders of files, pipes, and the eyes of another user", programs: "starts those that a test talks with", environment: "whether the user is one whom permissions bind, and where temporary files are"},
	"project":                {disk: "finds the manifest, resolves the place of a store", environment: "a folder that isn't absolute starts from the current one"},
	"internal/nametable":     {chance: "where a name lies in a table, so that nobody can choose names that collide; no output depends on it"},
	"session":                {chance: "ids of reminders, unless the caller brings its own", clock: "when a session began, unless the caller brings a clock"},
	"store":                  {clock: "when a record was written, unless the caller brings a clock", disk: "the file of an import", network: "knows a lost connection by its error; opens none"},
	"store/postgres":         {network: "the server", clock: "a connection that doesn't come is given up", environment: "PGUSER and its kin, for what an address leaves open: the driver reads them", disk: "the user's file of passwords, which the driver reads"},
	"store/sqlite":           {machine: "how the path of a file is written", disk: "the file of the database", environment: "a file that isn't absolute starts from the current folder"},
	"token":                  {chance: "where a count is remembered, so that nobody can choose texts that collide; no output depends on it"},
	"project/toolserver":     {machine: "ends a server with all that it started", programs: "starts the servers that were approved", network: "asks those at an address", clock: "gives up on one that doesn't answer", disk: "keeps the listings"},
	"disk":                   {disk: "where paths lead that nothing else stands for"},
	"workspace":              {machine: "whether the system tells letter case in names of files; what it says of a path through a file", disk: "reads instruction files and follows links, through internal/tree", environment: "a folder that isn't absolute starts from the current one"},
	"internal/manifest":      {disk: "holds names of files to the form that internal/tree has; opens nothing"},
	"internal/profile":       {disk: "reads the build files of a project, through internal/tree"},
	"pack":                   {disk: "opens prompt files through internal/tree"},
	"project/lint":           {machine: "as many checks at once as there are processors; no answer depends on it"},
	"workspace/skill":        {disk: "reads skills, through internal/tree"},
}

// ofPackage are functions by the package that they are in, with what they ask.
var ofPackage = map[string]map[string]string{
	"time": {
		"Now": clock, "Since": clock, "Until": clock, "After": clock, "AfterFunc": clock, "Tick": clock, "NewTimer": clock, "NewTicker": clock, "Sleep": clock,
		"LoadLocation": disk,
	},
	"context": {"WithTimeout": clock, "WithTimeoutCause": clock, "WithDeadline": clock, "WithDeadlineCause": clock},
	"os": {
		"Getenv": environment, "LookupEnv": environment, "Environ": environment, "ExpandEnv": environment, "Setenv": environment, "Getwd": environment, "Chdir": environment, "Executable": environment, "Clearenv": environment, "Unsetenv": environment, "Getppid": environment,
		"UserHomeDir": environment, "UserCacheDir": environment, "UserConfigDir": environment, "Hostname": environment, "Getuid": environment, "Geteuid": environment, "Getgid": environment, "Getegid": environment, "Getgroups": environment, "Getpid": environment, "TempDir": environment,
		"Open": disk, "OpenFile": disk, "OpenRoot": disk, "OpenInRoot": disk, "Create": disk, "CreateTemp": disk, "ReadFile": disk, "WriteFile": disk, "ReadDir": disk, "Readlink": disk,
		"Stat": disk, "Lstat": disk, "Mkdir": disk, "MkdirAll": disk, "MkdirTemp": disk, "Remove": disk, "RemoveAll": disk, "Rename": disk, "Link": disk, "Symlink": disk, "Chmod": disk, "Chown": disk, "Lchown": disk, "CopyFS": disk, "Chtimes": disk, "Truncate": disk, "DirFS": disk,
		"Pipe": programs, "StartProcess": programs, "FindProcess": programs,
	},
	"runtime":                                    {"GOOS": machine, "GOARCH": machine, "NumCPU": machine, "GOMAXPROCS": machine},
	"hash/maphash":                               {"MakeSeed": chance},
	"github.com/google/uuid":                     {"NewDCESecurity": environment, "New": chance, "NewString": chance, "NewRandom": chance, "NewUUID": chance, "NewV6": chance, "NewV7": chance},
	"github.com/bmatcuk/doublestar/v4":           {"FilepathGlob": disk},
	"github.com/modelcontextprotocol/go-sdk/mcp": {"CommandTransport": programs},
	"github.com/pressly/goose/v3":                {"NewProvider": clock},
	"github.com/rogpeppe/go-internal/txtar":      {"ParseFile": disk, "Write": disk},
	"path/filepath":                              {"EvalSymlinks": disk, "Walk": disk, "WalkDir": disk, "Glob": disk, "Abs": environment},
}

// byImport are packages whose import alone is the asking.
var byImport = map[string][]string{
	"os/exec": {programs}, "os/user": {environment}, "net": {network}, "net/http": {network}, "net/rpc": {network}, "net/smtp": {network}, "crypto/tls": {network},
	"math/rand": {chance}, "math/rand/v2": {chance}, "crypto/rand": {chance}, "os/signal": {machine}, "syscall": {machine},

	// The doors of this module: who imports one can ask through it.
	module + "/disk":             {disk},
	module + "/internal/tree":    {disk},
	module + "/internal/watch":   {disk},
	module + "/internal/history": {programs},

	"github.com/danielgtaylor/huma/v2":                          {network},
	"github.com/danielgtaylor/huma/v2/adapters/humago":          {network},
	"github.com/fsnotify/fsnotify":                              {disk},
	"github.com/google/go-cmp/cmp":                              {chance},
	"github.com/jackc/pgx/v5":                                   {network, environment, disk},
	"github.com/jackc/pgx/v5/pgconn":                            {network},
	"github.com/jackc/pgx/v5/stdlib":                            {network},
	"github.com/modelcontextprotocol/go-sdk/mcp":                {network},
	"github.com/pressly/goose/v3/lock":                          {clock},
	"github.com/prometheus/client_golang/prometheus":            {clock},
	"github.com/prometheus/client_golang/prometheus/collectors": {disk},
	"github.com/prometheus/client_golang/prometheus/promhttp":   {network},
	"github.com/spf13/cobra":                                    {environment},
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace":         {network},
	"go.opentelemetry.io/otel/sdk/resource":                     {environment},
	"go.opentelemetry.io/otel/sdk/trace":                        {clock, chance, environment},
	"pgregory.net/rapid":                                        {disk},
	"go.uber.org/goleak":                                        {clock},
	"golang.org/x/term":                                         {terminal},
	"modernc.org/sqlite":                                        {disk},
}

// pure are the packages of others that the program imports and that ask nothing, at
// least of what it may use of them. A package of others that stands neither here nor
// above fails the test: whoever imports it first looks what it asks.
var pure = []string{
	"github.com/google/jsonschema-go/jsonschema",
	"github.com/modelcontextprotocol/go-sdk/jsonrpc",
	"github.com/pelletier/go-toml/v2/unstable",
	"github.com/spf13/pflag",
	"github.com/tdewolff/minify/v2",
	"github.com/tdewolff/minify/v2/js",
	"go.lsp.dev/jsonrpc2", // on a stream that it is handed
	"go.lsp.dev/protocol",
	"go.lsp.dev/uri",
	"go.opentelemetry.io/otel", // says where its own errors go
	"go.opentelemetry.io/otel/attribute",
	"go.opentelemetry.io/otel/codes",
	"go.opentelemetry.io/otel/propagation",
	"go.opentelemetry.io/otel/trace",
	"go.opentelemetry.io/proto/otlp/trace/v1",
	"go.yaml.in/yaml/v4",
	"golang.org/x/sync/singleflight", // what asks is handed to it
	"golang.org/x/text/unicode/norm",
	"google.golang.org/protobuf/proto",
	"modernc.org/sqlite/lib", // its constants
}

// TestRim holds the list of packages that ask something of the world against what
// their files say.
func TestRim(t *testing.T) {
	found := map[string]map[string]string{} // package, what, the first place
	used := map[string]bool{}               // what they import
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if strings.HasPrefix(name, "bench") || strings.HasSuffix(name, "/gen") || name == "docs" || name == "tests" {
			continue
		}
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(name), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%q has no files: %v", name, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for what, at := range asked(t, file, used) {
				if found[name] == nil {
					found[name] = map[string]string{}
				}
				found[name][what] = at
			}
		}
	}
	if len(found) < 5 {
		t.Fatalf("%d packages ask anything: the test looks at the wrong place", len(found))
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		for _, what := range slices.Sorted(maps.Keys(found[name])) {
			if mayAsk[name][what] == "" {
				t.Errorf("%s: %q asks the %s, and the table has no reason why", found[name][what], name, what)
			}
		}
	}
	for _, list := range [][]string{slices.Collect(maps.Keys(byImport)), slices.Collect(maps.Keys(ofPackage)), pure} {
		for _, path := range list {
			if host, _, _ := strings.Cut(path, "/"); strings.Contains(host, ".") && !used[path] {
				t.Errorf("nobody imports %s: take it off the list", path)
			}
		}
	}
	for name, list := range mayAsk {
		for what := range list {
			if found[name][what] == "" {
				t.Errorf("the table lets %q ask the %s, and it doesn't", name, what)
			}
		}
	}
}

// asksNothing are the packages whose answers depend on their arguments alone, with all that
// they import of this module; a seed by which names or counts are kept in memory aside.
var asksNothing = []string{
	"", "contract", "internal/amend", "internal/bitset", "internal/canonical", "internal/circles", "internal/confusable", "internal/controltoken", "internal/credential", "internal/enum", "internal/ignore", "internal/imitation", "internal/markdown", "internal/nametable", "internal/nearest", "internal/needle", "internal/outline", "internal/page", "internal/quote", "internal/sessionname", "internal/storeaddress", "internal/strict", "internal/terminal", "internal/textdiff", "internal/toon", "internal/unitab", "internal/unrendered", "jinja", "layer", "model", "reminder", "token", "wire", "wire/cache",
}

// TestAsksNothing holds that list against the imports: what comes to ask through another
// package is seen, and so is what could be said of one more.
func TestAsksNothing(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		imports[name] = nil
		for _, path := range p.Imports {
			if rest, ours := strings.CutPrefix(path, module); ours {
				imports[name] = append(imports[name], strings.TrimPrefix(rest, "/"))
			}
		}
	}
	asks := map[string]bool{}
	var look func(string) bool
	look = func(name string) bool {
		if known, is := asks[name]; is {
			return known
		}
		asks[name] = len(mayAsk[name]) > 0 && name != "internal/nametable" && name != "token"
		for _, path := range imports[name] {
			asks[name] = look(path) || asks[name]
		}
		return asks[name]
	}
	var nothing []string
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if !look(name) && !strings.HasPrefix(name, "bench") && !strings.HasSuffix(name, "/gen") && name != "docs" && name != "tests" && name != "clients" {
			nothing = append(nothing, name)
		}
	}
	if !slices.Equal(nothing, asksNothing) {
		t.Errorf("these ask nothing:\n%q\nand the list has\n%q", nothing, asksNothing)
	}
}

// TestRimOfImports: what a package of others asks is said before it is imported.
func TestRimOfImports(t *testing.T) {
	for path, want := range map[string]bool{
		"fmt": true, "go/ast": true, module: true, module + "/store": true, "github.com/fsnotify/fsnotify": true, "golang.org/x/term": true,
		"go.yaml.in/yaml/v4": true, "github.com/google/uuid": true,
		"github.com/fsnotify/other": false, "golang.org/x/net/html": false, module + "x": false,
	} {
		if got := known(path); got != want {
			t.Errorf("%s is known: %t", path, got)
		}
	}
	file := filepath.Join(t.TempDir(), "x.go")
	src := "package x\nimport (\n\"os\"\n\"github.com/fsnotify/fsnotify\"\n\"github.com/pressly/goose/v3\"\n)\nvar _, _, _ = fsnotify.NewWatcher, goose.NewProvider, os.Geteuid\n"
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(asked(t, file, map[string]bool{})))
	if want := []string{clock, disk, environment}; !slices.Equal(got, want) {
		t.Errorf("asks %q, want %q", got, want)
	}
}

// known reports whether it has been said what a package asks: of the standard library
// and of this module the other tables do.
func known(path string) bool {
	host, _, _ := strings.Cut(path, "/")
	return !strings.Contains(host, ".") || path == module || strings.HasPrefix(path, module+"/") ||
		byImport[path] != nil || ofPackage[path] != nil || slices.Contains(pure, path)
}

// majorVersion ends the path of a module, and isn't part of the name of its package.
var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

// asked are the things of the world that a file asks, each with its first place, and
// adds to used what it imports.
func asked(t *testing.T, file string, used map[string]bool) map[string]string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	tell := func(what string, at token.Pos) {
		if out[what] == "" {
			out[what] = fset.Position(at).String()
		}
	}
	names := map[string]string{} // the name in this file to the import path
	for _, x := range f.Imports {
		path, err := strconv.Unquote(x.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range byImport[path] {
			tell(what, x.Pos())
		}
		if !known(path) {
			t.Errorf("%s: nobody has said what %s asks of the world", fset.Position(x.Pos()), path)
		}
		used[path] = true
		name := majorVersion.ReplaceAllString(path, "")
		name = name[strings.LastIndexByte(name, '/')+1:]
		if x.Name != nil {
			name = x.Name.Name
		}
		if name == "." && ofPackage[path] != nil {
			t.Errorf("%s: %s is imported without a name, so what it is asked can't be told", file, path)
		}
		names[name] = path
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				if what := ofPackage[names[x.Name]][s.Sel.Name]; what != "" {
					tell(what, s.Pos())
				}
			}
		}
		return true
	})
	return out
}
