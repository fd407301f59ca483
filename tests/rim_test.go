package tests

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a package can ask of the world outside of its arguments.
const (
	clock       = "clock"
	environment = "environment"
	disk        = "disk"
	programs    = "programs" // those that it starts or ends, itself too
	network     = "network"
	chance      = "chance"
	terminal    = "terminal" // the streams that a process has from its start
	machine     = "machine"  // its system, processors and memory, and the signals that a process gets
)

// mayAsk is the rim of the module: for each package, what of the world it asks,
// and why it is the one to do so, whether it asks itself or through one of the doors
// of [byImport]. A package that isn't listed asks nothing but what the packages ask that
// it imports; [asksNothing] are those for which that is nothing, too. Tools that make
// source files and the benchmarks aren't part of the program.
var mayAsk = map[string]map[string]string{
	"cmd/cento":              {environment: "hands over how it was started", terminal: "hands over its streams", programs: "ends with the status that it is told"},
	"project/consent":        {disk: "looks whether an installed pack is a link"},
	"docs/examples/agent":    {terminal: "what it answers", programs: "ends with a status", disk: "its tools read and write files", environment: "a folder that isn't absolute starts from the current one"},
	"internal/app":           {programs: "asks git, through internal/history, who wrote a line and what a revision has", machine: "where clients of other makers keep their settings", disk: "writes locks, approvals and packs; finds starters and stores", environment: "the one place that asks where the user's folders are", chance: "the name that a pack has until it is whole"},
	"internal/archive":       {environment: "whether a test is told to rewrite its cases", disk: "reads and rewrites the cases of tests", chance: "how a difference that fails a test is set out"},
	"internal/cli":           {machine: "ends in order when it is told to", clock: "the time that prompt files see, progress bars and ages of records", disk: "files that flags name", terminal: "whether people read what is printed", environment: "NO_COLOR and TERM; GOGC, which says when garbage is collected; flags that name files start from the current folder"},
	"internal/history":       {machine: "what a refusal of the system says of a file", programs: "runs git on a view of its own", clock: "git is ended when it takes too long", disk: "the view of a repository", environment: "git gets the few variables that it needs"},
	"internal/mention":       {disk: "looks which names a project has, and reads .gitignore and .gitmodules, through internal/tree"},
	"internal/otherclient":   {disk: "reads them, through internal/tree"},
	"internal/starter":       {disk: "reads the files of other clients, through internal/tree"},
	"internal/provenance":    {programs: "asks git, through internal/history, who wrote a line", disk: "reads the files that are not in a prompt, through internal/tree"},
	"internal/lsp":           {machine: "where in the program a mistake of its own was", disk: "what the paths of an editor are without links"},
	"internal/mcpserver":     {disk: "is told of changed files, by internal/watch", network: "answers messages that came over HTTP; listens nowhere"},
	"internal/prompttest":    {machine: "as many mutants at once as there are processors; no answer depends on it", disk: "copies a project that a test lays files over"},
	"internal/serve":         {machine: "as many requests at once as processors allow; who may read a file of tokens", network: "listens, and sends spans to a collector", clock: "bounds requests, times them, and tells when files were read", chance: "secrets, and ids of requests and of spans", disk: "what the system says of the process, for its metrics", environment: "OTEL_RESOURCE_ATTRIBUTES and its kin, for whom spans are"},
	"internal/storetables":   {clock: "the library that does the steps times each"},
	"internal/toon/toontest": {disk: "the library that generates keeps inputs that failed, where a test asks it to"},
	"internal/wiretest":      {network: "a provider that answers requests in tests", disk: "the library that generates keeps inputs that failed, where a test asks it to"},
	"internal/call":          {clock: "when a stream read a project"},
	"internal/lengthtest":    {environment: "how long tests may take"},
	"internal/pacetest":      {clock: "how fast the machine is"},
	"internal/storetest":     {terminal: "why no test could begin", machine: "as many tests at once as there are processors", disk: "a database for each test", network: "the server, and a way to it that a test can break", programs: "a server that a test can kill", environment: "which engines are at hand", clock: "a name for each schema"},
	"internal/watch":         {machine: "when the system says that a file changed", disk: "compares what stands in folders with what was read there", clock: "how young a file was when it was read, and how long a change has to settle", environment: "names that aren't absolute start from the current folder"},
	"internal/tree":          {machine: "opens a file so that a pipe in its stead keeps nobody waiting", disk: "the one door to files of the user's tree", chance: "the name that a file has until it is whole", environment: "names that aren't absolute start from the current folder"},
	"internal/treetest":      {terminal: "what those that it starts complain of", machine: "pipes, the eyes of another user, and which folders are of memory", disk: "folders of files, pipes, and the eyes of another user", programs: "starts those that a test talks with", environment: "whether the user is one whom permissions bind, and where temporary files are"},
	"project":                {disk: "finds the manifest, resolves the place of a store"},
	"internal/nametable":     {chance: "where a name lies in a table, so that nobody can choose names that collide; no output depends on it"},
	"session":                {chance: "ids of reminders, unless the caller brings its own", clock: "when a session began, unless the caller brings a clock", environment: "the time zone of the clock that a prompt was made with"},
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
			asks, unknown := asked(t, file, used)
			for _, x := range unknown {
				t.Errorf("%s: nobody has said what this asks of the world", x)
			}
			for what, at := range asks {
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
	for _, list := range [][]string{slices.Collect(maps.Keys(byImport)), slices.Collect(maps.Keys(ofPackage)), ofNothing, pure} {
		for _, path := range list {
			if !strings.HasPrefix(path, module) && !used[path] {
				t.Errorf("nobody imports %s: take it off the list", path)
			}
		}
	}
	for path, list := range harmless {
		for name := range strings.FieldsSeq(list) {
			if !used[path+"."+name] {
				t.Errorf("nobody uses %s.%s: take it off the list", path, name)
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
	"", "contract", "internal/amend", "internal/bitset", "internal/canonical", "internal/circles", "internal/confusable", "internal/controltoken", "internal/credential", "internal/enum", "internal/ignore", "internal/imitation", "internal/markdown", "internal/nametable", "internal/nearest", "internal/needle", "internal/outline", "internal/page", "internal/quote", "internal/schemarefs", "internal/sessionname", "internal/strict", "internal/terminal", "internal/textdiff", "internal/toon", "internal/unitab", "internal/unrendered", "jinja", "layer", "model", "reminder", "token", "wire", "wire/cache",
}

// TestAsksNothing holds that list against the imports: what comes to ask through another
// package is seen, and so is what could be said of one more.
func TestAsksNothing(t *testing.T) {
	imports := map[string][]string{}
	systems := map[string]bool{} // whose paths have the form that the system gives them
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		imports[name] = nil
		systems[name] = slices.Contains(p.Imports, "path/filepath")
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
		asks[name] = len(mayAsk[name]) > 0 && name != "internal/nametable" && name != "token" || systems[name]
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
