package tests

import (
	"fmt"
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

// ofPackage are names by the package that has them, with what they ask. Of a package of
// the standard library that has any, a name is in this table, in [harmless], or it
// fails the test: whoever uses it first looks what it asks.
var ofPackage = map[string]map[string]string{
	"time": {
		"Now": clock, "Since": clock, "Until": clock, "After": clock, "AfterFunc": clock, "Tick": clock, "NewTimer": clock, "NewTicker": clock, "Sleep": clock,
		"LoadLocation": disk,

		// The zone of the machine. What [unixTimes] make is in it until it is told another.
		"Local": environment, "Unix": environment, "UnixMilli": environment, "UnixMicro": environment,
	},
	"log/slog":    {"New": clock, "NewLogLogger": clock, "Default": terminal, "SetDefault": terminal, "Debug": terminal, "Info": terminal, "Warn": terminal, "Error": terminal},
	"crypto/x509": {"SystemCertPool": disk},
	"context":     {"WithTimeout": clock, "WithTimeoutCause": clock, "WithDeadline": clock, "WithDeadlineCause": clock},
	"os": {
		"Args": environment, "Getenv": environment, "LookupEnv": environment, "Environ": environment, "ExpandEnv": environment, "Setenv": environment, "Getwd": environment, "Chdir": environment, "Executable": environment, "Clearenv": environment, "Unsetenv": environment, "Getppid": environment,
		"UserHomeDir": environment, "UserCacheDir": environment, "UserConfigDir": environment, "Hostname": environment, "Getuid": environment, "Geteuid": environment, "Getgid": environment, "Getegid": environment, "Getgroups": environment, "Getpid": environment, "TempDir": environment,
		"Open": disk, "OpenFile": disk, "OpenRoot": disk, "OpenInRoot": disk, "Create": disk, "CreateTemp": disk, "ReadFile": disk, "WriteFile": disk, "ReadDir": disk, "Readlink": disk,
		"Stat": disk, "Lstat": disk, "Mkdir": disk, "MkdirAll": disk, "MkdirTemp": disk, "Remove": disk, "RemoveAll": disk, "Rename": disk, "Link": disk, "Symlink": disk, "Chmod": disk, "Chown": disk, "Lchown": disk, "CopyFS": disk, "Chtimes": disk, "Truncate": disk, "DirFS": disk,
		"Pipe": programs, "StartProcess": programs, "FindProcess": programs, "Exit": programs,
		"Stdin": terminal, "Stdout": terminal, "Stderr": terminal,
	},
	"fmt":                              {"Print": terminal, "Printf": terminal, "Println": terminal, "Scan": terminal, "Scanf": terminal, "Scanln": terminal},
	"runtime":                          {"GOOS": machine, "GOARCH": machine, "NumCPU": machine, "GOMAXPROCS": machine, "AddCleanup": machine, "LockOSThread": machine, "UnlockOSThread": machine},
	"runtime/debug":                    {"ReadBuildInfo": machine, "SetGCPercent": machine, "Stack": machine},
	"runtime/metrics":                  {"Read": machine},
	"flag":                             {"Bool": environment, "String": environment, "Parse": environment, "Set": environment, "Visit": environment},
	"mime":                             {"TypeByExtension": disk, "ExtensionsByType": disk},
	"hash/maphash":                     {"MakeSeed": chance, "String": chance},
	"database/sql":                     {"Open": network},
	"testing":                          {"Short": environment},
	"github.com/google/uuid":           {"NewDCESecurity": environment, "New": chance, "NewString": chance, "NewRandom": chance, "NewUUID": chance, "NewV6": chance, "NewV7": chance},
	"github.com/bmatcuk/doublestar/v4": {"FilepathGlob": disk},
	"github.com/modelcontextprotocol/go-sdk/mcp": {"CommandTransport": programs},
	"github.com/pressly/goose/v3":                {"NewProvider": clock},
	"github.com/rogpeppe/go-internal/txtar":      {"ParseFile": disk, "Write": disk},
	"path/filepath":                              {"EvalSymlinks": disk, "Walk": disk, "WalkDir": disk, "Glob": disk, "Abs": environment},
}

// harmless are the other names that the program uses of the packages of [ofPackage] in
// the standard library: types, constants, and what works on its arguments alone. time.Parse
// may take the machine's zone for one of equal distance: what would tell it, [zoneNames]
// and the methods of [ofTimes], is asking.
var harmless = map[string]string{
	"time":            "Date DateOnly Duration FixedZone Hour Millisecond Minute Parse ParseDuration RFC3339 RFC3339Nano Second Time TimeOnly UTC",
	"context":         "AfterFunc Background CancelCauseFunc CancelFunc Canceled Cause Context DeadlineExceeded WithCancel WithCancelCause WithValue WithoutCancel",
	"os":              "ErrExist ErrNotExist File FileInfo FileMode Interrupt LinkError O_APPEND O_CREATE O_EXCL O_RDONLY O_RDWR O_WRONLY Root SameFile Signal",
	"fmt":             "Appendf Errorf FormatString Fprintf Fprintln Sprint Sprintf Sscanf State Stringer",
	"runtime/metrics": "Sample",
	"flag":            "Flag",
	"mime":            "ParseMediaType",
	"hash/maphash":    "Seed",
	"database/sql":    "Conn DB ErrConnDone LevelRepeatableRead NullInt64 NullString OpenDB Result Rows Tx TxOptions",
	"testing":         "M T TB",
	"log/slog":        "Attr DiscardHandler Handler HandlerOptions Int Int64 LevelDebug LevelError LevelInfo Logger NewJSONHandler NewTextHandler Record String StringValue TimeKey",
	"crypto/x509":     "NewCertPool",
	"path/filepath":   "Base Clean Dir Ext FromSlash IsAbs IsLocal Join Rel Separator Split SplitList ToSlash VolumeName",
}

// ofNothing are the packages of the standard library that the program imports and that
// ask nothing, whatever is used of them.
var ofNothing = strings.Fields(`
	bufio bytes cmp compress/flate compress/gzip container/heap container/list crypto/sha256 crypto/subtle
	database/sql/driver embed encoding encoding/base64 encoding/binary encoding/csv encoding/hex encoding/json
	encoding/xml errors html io io/fs iter maps math math/bits net/netip net/url path reflect regexp slices sort
	strconv strings sync sync/atomic unicode unicode/utf16 unicode/utf8 unsafe`)

// byImport are packages whose import alone is the asking.
var byImport = map[string][]string{
	"os/exec": {programs}, "os/user": {environment}, "net": {network}, "net/http": {network}, "crypto/tls": {network},
	"crypto/rand": {chance}, "os/signal": {machine}, "syscall": {machine},

	// The doors of this module: who imports one can ask through it.
	module + "/disk":             {disk},
	module + "/internal/tree":    {disk},
	module + "/internal/watch":   {disk},
	module + "/internal/history": {programs},

	"github.com/danielgtaylor/huma/v2":                          {network},
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
	"github.com/pelletier/go-toml/v2", // Unmarshal reads bytes
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

// TestAsked: what a file asks is seen, and what nobody has looked at is told.
func TestAsked(t *testing.T) {
	for src, want := range map[string]string{
		`import "os"; var _ = os.Geteuid`:                                     "environment",
		`import "os"; var _ = os.Args`:                                        "environment",
		`import "os"; var _, _ = os.Stdin.Read(nil)`:                          "terminal",
		`import o "os"; func f() { o.Exit(1) }`:                               "programs",
		`import "os"; var _ = os.NewFile`:                                     "?os.NewFile",
		`import . "os"; var _ = Getpid`:                                       "?os, without its name",
		`import "fmt"; func f() { fmt.Println() }`:                            "terminal",
		`func f() { println() }`:                                              "terminal",
		`func print() {}; func f() { print() }`:                               "",
		`import "log"; func f() { log.Println() }`:                            "?log",
		`import "text/template"; var _, _ = template.ParseFiles("x")`:         "?text/template",
		`import "time"; var _ = time.Local`:                                   "environment",
		`import "time"; var _ = time.Unix(0, 0).Format("15")`:                 "environment",
		`import "time"; var _ = time.Unix(0, 0).UTC()`:                        "",
		`import "time"; var _ = time.UnixMicro(0).In(time.UTC)`:               "",
		`import "time"; func f(t time.Time) { t.Local() }`:                    "environment",
		`import "time"; func f(t time.Time) { t.UTC().Format(time.RFC1123) }`: "?time.RFC1123",
		`import clock "time"; func f(t clock.Time) { t.Local() }`:             "environment",
		`import "time"; func f(t time.Time) { _, _ = t.Zone() }`:              "environment",
		`import "time"; func f(t time.Time) { _ = t.Location() }`:             "environment",
		`import "time"; func f(t time.Time) { t.Format("15:04 MST") }`:        "environment",
		`var _ = "15:04 MST"`:                                                 "",
		`func f(t struct{ Zone int }) { _ = t.Zone }`:                         "",
		`import "log/slog"; func f() { slog.Info("x") }`:                      "terminal",
		`import "log/slog"; func f(l *slog.Logger) { l.Info("x") }`:           "",
		`import "crypto/x509"; var _ = x509.NewCertPool`:                      "",
		`import "runtime/debug"; var _, _ = debug.ReadBuildInfo()`:            "machine",
		`import "runtime"; var _ = runtime.NumGoroutine`:                      "?runtime.NumGoroutine",
		`import "C"`: "?C",
		`import "unsafe"; //go:linkname now time.now`:                     "?a name of another package, by go:linkname",
		`import "strings"; var _ = strings.ToUpper`:                       "",
		`import "time"; func f(time struct{ Now int }) { _ = time.Now }`:  "",
		`import "github.com/fsnotify/fsnotify"`:                           "disk",
		`import "github.com/fsnotify/other"`:                              "?github.com/fsnotify/other",
		`import "golang.org/x/net/html"`:                                  "?golang.org/x/net/html",
		`import "` + module + `x"`:                                        "?" + module + "x",
		`import "` + module + `/store"`:                                   "",
		`import "` + module + `/disk"`:                                    "disk",
		`import "github.com/pressly/goose/v3"; var _ = goose.NewProvider`: "clock",
		`import ("os"; "time"); var _, _ = os.Open, time.Now`:             "clock disk",
	} {
		name := filepath.Join(t.TempDir(), "x.go")
		if err := os.WriteFile(name, []byte("package x\n"+strings.ReplaceAll(src, "; ", "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		asks, unknown := asked(t, name, map[string]bool{})
		got := slices.Sorted(maps.Keys(asks))
		for _, x := range unknown {
			_, what, _ := strings.Cut(x, ": ")
			got = append(got, "?"+what)
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s\nasks %q, want %q", src, g, want)
		}
	}
}

// known reports whether it has been said what a package asks; of this module the other
// tables say it.
func known(path string) bool {
	return path == module || strings.HasPrefix(path, module+"/") ||
		byImport[path] != nil || ofPackage[path] != nil || slices.Contains(ofNothing, path) || slices.Contains(pure, path)
}

// majorVersion ends the path of a module, and isn't part of the name of its package.
var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

// unixTimes are in the machine's zone, unless one of [zoned] is called on them at once.
var unixTimes, zoned = []string{"Unix", "UnixMilli", "UnixMicro"}, []string{"UTC", "In"}

// ofTimes are methods of times that tell the machine's zone, and [zoneNames] what layouts
// write it by.
var ofTimes, zoneNames = []string{"Local", "Zone", "ZoneBounds", "Location"}, "MST"

// asked are the things of the world that a file asks, each with its first place, and
// what of it nobody has said what it asks; it adds to used what the file imports, and the names that it has of it.
func asked(t *testing.T, file string, used map[string]bool) (asks map[string]string, unknown []string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	asks = map[string]string{}
	tell := func(what string, at token.Pos) {
		if asks[what] == "" {
			asks[what] = fset.Position(at).String()
		}
	}
	doubt := func(at token.Pos, what string) {
		unknown = append(unknown, fmt.Sprintf("%s: %s", fset.Position(at), what))
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
		used[path] = true
		name := majorVersion.ReplaceAllString(path, "")
		name = name[strings.LastIndexByte(name, '/')+1:]
		if x.Name != nil {
			name = x.Name.Name
		}
		switch {
		case !known(path):
			doubt(x.Pos(), path)
		case name == "." && ofPackage[path] != nil:
			doubt(x.Pos(), path+", without its name")
		}
		names[name] = path
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname ") {
				doubt(c.Pos(), "a name of another package, by go:linkname")
			}
		}
	}
	times := slices.Contains(slices.Collect(maps.Values(names)), "time")
	told := map[ast.Node]bool{} // times that are told their zone
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if x, is := n.Fun.(*ast.Ident); is && x.Obj == nil && (x.Name == "print" || x.Name == "println") {
				tell(terminal, n.Pos())
			}
		case *ast.BasicLit:
			if times && n.Kind == token.STRING && strings.Contains(n.Value, zoneNames) {
				tell(environment, n.Pos())
			}
		case *ast.SelectorExpr:
			if call, is := n.X.(*ast.CallExpr); is && slices.Contains(zoned, n.Sel.Name) {
				told[call.Fun] = true
			}
			x, is := n.X.(*ast.Ident)
			path := ""
			if is && x.Obj == nil {
				path = names[x.Name]
			}
			what := ofPackage[path][n.Sel.Name]
			used[path+"."+n.Sel.Name] = true
			switch {
			case path == "":
				if times && slices.Contains(ofTimes, n.Sel.Name) {
					tell(environment, n.Pos())
				}
			case path == "time" && told[n] && slices.Contains(unixTimes, n.Sel.Name):
			case what != "":
				tell(what, n.Pos())
			case harmless[path] != "" || ofPackage[path] != nil && standard(path):
				if !slices.Contains(strings.Fields(harmless[path]), n.Sel.Name) {
					doubt(n.Pos(), path+"."+n.Sel.Name)
				}
			}
		}
		return true
	})
	return asks, unknown
}

// standard reports whether a package is of the standard library.
func standard(path string) bool {
	host, _, _ := strings.Cut(path, "/")
	return !strings.Contains(host, ".")
}
