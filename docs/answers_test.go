package docs_test

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/cli"
)

// silent are the commands without a result of their own with --json, and why.
var silent = map[string]string{
	"cento mcp":             "messages of the Model Context Protocol; see [MCP clients](../mcp.md)",
	"cento lsp":             "it speaks a protocol of its own: [editors](../editors.md)",
	"cento call":            "its answers are those of [requests](../FORMATS.md#requests)",
	"cento contract schema": "a JSON Schema, with and without `--json`",
	"cento help":            "a text, as `text`",
	"cento log export":      "JSON lines, with and without `--json`; see `cento help log`",
	"cento schema":          "a JSON Schema, with and without `--json`",
}

// byLine are the commands that print an answer on each line.
var byLine = map[string]bool{"cento ablate": true}

// written are the types that write their own JSON, and where it is described.
var written = map[string]string{
	"cento.Input":        "[a recorded input](../FORMATS.md#a-recorded-input)",
	"cento.Importance":   "number, or `required`",
	"contract.Contract":  "[a contract](../FORMATS.md#contract)",
	"layer.Contribution": "[a contribution](manifest.md#contribution)",
	"layer.Layer":        "[a layer](manifest.md#layer)",
	"layer.Resolved":     "[a contribution](manifest.md#contribution), with `slot` and `layer`",
	"layer.Template":     "[a template](manifest.md#template)",
	"project.Profile":    "[a project profile](../FORMATS.md#profile)",
	"reminder.Reminder":  "[a reminder](../FORMATS.md#reminders)",
}

// usual are the meanings of fields that are the same wherever they stand.
var usual = map[string]string{
	"at": "when", "bytes": "size in bytes", "caps": "capabilities", "code": "for programs; see [codes](codes.md)",
	"column": "from 1, in code points", "description": "what it is for, in its own words", "digest": "SHA-256 in lower-case hex",
	"end": "end of a stretch of bytes, exclusive", "events": "what happened to reminders, in order", "exact": "whether that is what the model counts",
	"file": "the file, as people know it", "fragment": "id of the fragment", "guidance": "words that ride with the tool into the prompt",
	"hint": "what to do; may be empty", "id": "its id", "included": "whether it is in", "label": "what it was recorded for",
	"layer": "the layer that it came from", "line": "from 1", "message": "in words", "name": "its name", "notes": "remarks",
	"origin": "where it was read", "path": "the file or folder, as people know it", "position": "where", "reason": "the decision in words",
	"seq": "number of the record within its session, from 1", "server": "the tool server; absent for a tool of the project's own",
	"session": "id of the session", "sha256": "digest, in lower-case hex", "source": "who contributed it", "start": "start of a stretch of bytes",
	"status": "what became of it", "text": "the text", "title": "its heading", "tokens": "size in tokens", "tools": "tools",
	"active": "whether it is on", "budget": "how many bytes they may take", "changes": "what differs", "checked": "how many were looked at",
	"created": "when it began", "updated": "when it changed last", "dry_run": "nothing was done; it is what would be", "entries": "what stands in it, in order",
	"epoch": "number of prompts that were made; 0 before the first", "turn": "number of turns that have ended", "faults": "what isn't as it was written",
	"findings": "what was found, by place", "warnings": "how many are no more than that", "form": "name of the form", "links": "who includes whom",
	"manifest": "the text of it", "ok": "whether nothing is wrong", "parent": "the session that it was forked from", "pending": "reminders that are neither expired nor replaced",
	"permission": "`none`, `read` or `write`", "rules": "those that decide", "summary": "what the prompt says", "placement": "where reminders go: `system`, `turn` or `native`",
	"profile": "name of the loading rules", "rank": "its rank of precedence", "reads": "variables that it reads, and where", "reference": "how it is named, as in `$workspace/review`",
	"required": "whether a value has to be given", "severity": "`error` or `warning`", "skills": "those that were found, the first of a name first",
	"state": "`approved`, `not approved` or `changed since it was approved`", "vars": "variables that it declares", "var": "variable whose value it is", "records": "records", "sessions": "sessions",
	"trust": "whose word it is", "version": "its version", "errors": "what is wrong", "fragments": "fragments",
}

// answerReference describes the results of all commands with --json out of the
// types that are written and the comments of their fields.
func answerReference(t *testing.T) string {
	answers := cli.Answers()
	w := answerWriter{t: t, comments: map[string]map[string]string{}, names: map[string]reflect.Type{}}
	for _, types := range answers {
		for _, typ := range types {
			w.collect(typ)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Answers in JSON\n\n%s\nWhat commands print with `--json`, field by field. A field that may be absent is left out\nwhen there is nothing to say; read over fields that you don't know. Errors are described\nin [formats](../FORMATS.md#errors).\n\n", generated)
	b.WriteString("| command | prints |\n|---|---|\n")
	seen := 0
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		types, why := answers[path], silent[path]
		switch {
		case len(types) > 0:
			seen++
			var links []string
			for _, typ := range types {
				links = append(links, w.kind(typ))
			}
			lines := ""
			if byLine[path] {
				lines = ", one on each line"
			}
			fmt.Fprintf(&b, "| `%s` | %s%s |\n", path, strings.Join(links, "; or "), lines)
		case why != "":
			fmt.Fprintf(&b, "| `%s` | %s |\n", path, why)
		case !cmd.HasSubCommands():
			t.Errorf("%s has no entry in the table of answers, and no reason for that", path)
		}
		for _, sub := range cmd.Commands() {
			each(sub)
		}
	}
	each(cli.Commands())
	if seen != len(answers) {
		t.Errorf("the table of answers has %d commands, %d of which there are", len(answers), seen)
	}
	for _, name := range slices.Sorted(maps.Keys(w.names)) {
		fmt.Fprintf(&b, "\n## %s\n\n| field | is | meaning |\n|---|---|---|\n", name)
		w.fields(&b, w.names[name], nil)
	}
	return b.String()
}

type answerWriter struct {
	t *testing.T
	// comments are those of fields, by type and field.
	comments map[string]map[string]string
	// names are the types with a table, by their title.
	names map[string]reflect.Type
}

// collect finds the types of this module that a value is made of.
func (w *answerWriter) collect(typ reflect.Type) {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		w.collect(typ.Elem())
		return
	case reflect.Struct:
	default:
		return
	}
	if written[typ.String()] != "" || !strings.HasPrefix(typ.PkgPath(), "github.com/cento-dev/cento") {
		return
	}
	if implements[json.Marshaler](typ) || implements[encoding.TextMarshaler](typ) {
		if implements[json.Marshaler](typ) {
			w.t.Errorf("%s writes its own JSON, and nothing says where that is described", typ)
		}
		return
	}
	name := title(typ)
	if other, ok := w.names[name]; ok {
		if other != typ {
			w.t.Errorf("%s and %s have one title", other, typ)
		}
		return
	}
	w.names[name] = typ
	w.collectFields(typ)
}

func (w *answerWriter) collectFields(typ reflect.Type) {
	for f := range fieldsOf(typ) {
		switch inner := f.Type; {
		case f.Anonymous && f.Tag.Get("json") == "": // its fields stand in this one's table
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			w.collectFields(inner)
		case f.IsExported() && f.Tag.Get("json") != "-":
			w.collect(inner)
		}
	}
}

func implements[T any](typ reflect.Type) bool {
	i := reflect.TypeFor[T]()
	return typ.Implements(i) || reflect.PointerTo(typ).Implements(i)
}

var hump = regexp.MustCompile(`([a-z])([A-Z])`)

// title is a type as words: app.PromptFile is "prompt file", and store.Record
// "store: record".
func title(typ reflect.Type) string {
	words := strings.ToLower(hump.ReplaceAllString(typ.Name(), "$1 $2"))
	switch pkg, _, _ := strings.Cut(typ.String(), "."); pkg {
	case "cento", "app", "cli", "provenance", "starter":
		return words
	default:
		return pkg + ": " + words
	}
}

// kind says what a value is in JSON.
func (w *answerWriter) kind(typ reflect.Type) string {
	if at := written[typ.String()]; at != "" {
		return at
	}
	switch {
	case typ == reflect.TypeFor[time.Time]():
		return "time, RFC 3339"
	case typ == reflect.TypeFor[json.RawMessage]():
		return "any JSON"
	case typ.Kind() == reflect.Pointer:
		return w.kind(typ.Elem())
	case implements[encoding.TextMarshaler](typ):
		return "text"
	}
	switch typ.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list: " + w.kind(typ.Elem())
	case reflect.Array:
		return fmt.Sprintf("list of %d: %s", typ.Len(), w.kind(typ.Elem()))
	case reflect.Map:
		return "map: " + w.kind(typ.Elem())
	case reflect.Struct:
		return fmt.Sprintf("[%s](#%s)", title(typ), anchor(title(typ)))
	}
	w.t.Errorf("no words for %s", typ)
	return ""
}

// fields writes the rows of a type, but for the fields that one around it hides.
func (w *answerWriter) fields(b *strings.Builder, typ reflect.Type, hidden []string) {
	before := ""
	var own []string
	for f := range fieldsOf(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		own = append(own, name)
	}
	for f := range fieldsOf(typ) {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			w.fields(b, inner, own)
			continue
		case !f.IsExported() || name == "-" || slices.Contains(hidden, name):
			continue
		}
		if name == "" {
			w.t.Errorf("%s.%s has no name in JSON", typ, f.Name)
		}
		is := w.kind(f.Type)
		switch {
		case strings.Contains(rest, "omit"):
			is += "; may be absent"
		case f.Type.Kind() == reflect.Pointer:
			is += "; or null"
		}
		text := w.meaning(typ, f.Name, name)
		switch {
		case text == "" && strings.Contains(before, "`"+name+"`"):
			text = before // one comment tells of both
		case text == "":
			text = usual[name]
		default:
			before = text
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, is, inTable(text))
	}
}

// meaning is what FORMATS.md says of a field, else the comment on it.
func (w *answerWriter) meaning(typ reflect.Type, field, name string) string {
	if described[typ.String()] == typ {
		for _, m := range fieldTable.FindAllStringSubmatch(read(w.t, "docs/FORMATS.md"), -1) {
			for row := range strings.Lines(m[3]) {
				cells := strings.SplitN(strings.TrimSuffix(strings.TrimSpace(row), "|"), "|", 3)
				if m[2] == typ.String() && strings.Contains(cells[1], "`"+name+"`") {
					return linkFromReference.ReplaceAllStringFunc(strings.ReplaceAll(strings.TrimSpace(cells[2]), `\|`, "|"), fromReference)
				}
			}
		}
	}
	pkg := typ.PkgPath()
	if w.comments[pkg] == nil {
		w.comments[pkg] = fieldComments(w.t, strings.TrimPrefix(strings.TrimPrefix(pkg, "github.com/cento-dev/cento"), "/"))
	}
	text := strings.Join(strings.Fields(w.comments[pkg][typ.Name()+"."+field]), " ")
	text = goLink.ReplaceAllString(text, "$1")
	for _, verb := range []string{" is ", " are "} {
		text = strings.TrimPrefix(text, field+verb)
	}
	for f := range fieldsOf(typ) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			text = regexp.MustCompile(`\b`+f.Name+`\b`).ReplaceAllStringFunc(text, func(s string) string {
				if f.Name == strings.ToLower(f.Name) {
					return s
				}
				return "`" + name + "`"
			})
		}
	}
	return strings.TrimSuffix(text, ".")
}

var (
	goLink            = regexp.MustCompile(`\[([\w.]+)\]`)
	linkFromReference = regexp.MustCompile(`\]\([^)]+\)`)
)

// fromReference turns a link of docs/FORMATS.md into one of a reference.
func fromReference(link string) string {
	target := strings.TrimSuffix(strings.TrimPrefix(link, "]("), ")")
	switch {
	case strings.HasPrefix(target, "#"):
		target = "../FORMATS.md" + target
	case strings.HasPrefix(target, "reference/"):
		target = strings.TrimPrefix(target, "reference/")
	default:
		target = "../" + target
	}
	return "](" + target + ")"
}

// fieldComments are the comments on the fields of a package's structs, by
// Type.Field: the one above, else the one behind.
func fieldComments(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no package in %q: %v", folder, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					for _, name := range f.Names {
						out[spec.Name.Name+"."+name.Name] = cmp.Or(f.Doc.Text(), f.Comment.Text())
					}
				}
			}
			return true
		})
	}
	return out
}
