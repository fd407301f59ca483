package skill

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// fileName is the name of the file that makes a folder a skill.
const fileName = "SKILL.md"

// Header is the front matter of a skill.
type Header struct {
	Name          string            `json:"name"`
	Description   string            `json:"description"`
	License       string            `json:"license,omitempty"`
	Compatibility string            `json:"compatibility,omitempty"`
	Metadata      map[string]string `json:"metadata,omitempty"`
	// AllowedTools are what the skill may use, as they are written, such as
	// `Bash(git:*)`; see [Header.Tools].
	AllowedTools []string `json:"allowed_tools,omitempty"`
	// DisableModelInvocation keeps the skill out of the catalogue: no model takes it up
	// by itself, and people make it active. It is a field of Claude Code's.
	DisableModelInvocation bool `json:"disable_model_invocation,omitempty"`
}

// Tools are the names of the allowed tools, each once: what stands before a
// parenthesis.
func (h *Header) Tools() []string {
	var out []string
	h.tools(func(_ int, name string) { out = append(out, name) })
	return out
}

// tools visits the names of the allowed tools, each once, with the index of its entry.
func (h *Header) tools(visit func(i int, name string)) {
	var seen []string
	for i, allowed := range h.AllowedTools {
		name, _, _ := strings.Cut(allowed, "(")
		if name != "" && !slices.Contains(seen, name) {
			seen = append(seen, name)
			visit(i, name)
		}
	}
}

// Document is a SKILL.md that was read.
type Document struct {
	Header
	// allowedAt is where each of AllowedTools stands.
	allowedAt []cento.Position
	// Described is the description as the catalogue has it: on one line, every
	// stretch of it with its place.
	Described cento.Text
	// Named is the name with its place.
	Named cento.Text
	// Body is the text behind the front matter; only what was handed over.
	Body cento.Text
	// Notes tell of fields that aren't used.
	Notes []cento.Note
	// Deviations are the rules of the specification that the file breaks and that keep
	// nobody from using it.
	Deviations []*cento.SourceError
}

// ToolPlaces are where the names of [Header.Tools] stand first.
func (d *Document) ToolPlaces() []cento.Position {
	var out []cento.Position
	d.tools(func(i int, _ string) { out = append(out, d.allowedAt[i]) })
	return out
}

// Parse reads a SKILL.md. The file is its name as people know it, in positions;
// the folder is the name of the folder that it lies in. Limits that are 0 are
// the defaults.
//
// A skill needs front matter with a description. Every other rule that the file breaks is
// one of [Document.Deviations]: a skill without a name that can be shown has that of its
// folder, front matter that is not YAML is read key by key, and a field of another kind
// is not used. Without a description everything that is wrong is returned at once: the
// errors of this package, and those of form.
func Parse(file, folder, text string, trust cento.Trust, limits cento.Limits) (*Document, error) {
	block, body, ok := cut(text)
	at := cento.Position{File: file, Line: 1, Column: 1}
	switch {
	case !ok && begins(text):
		return nil, &cento.SourceError{Code: InvalidFrontMatter, Position: at, Message: "the front matter has no end", Hint: "end it with a line ---"}
	case !ok:
		return nil, &cento.SourceError{
			Code: InvalidFrontMatter, Position: at, Message: "there is no front matter at the top",
			Hint: "begin the file with a line ---, the fields name and description, and another line ---",
		}
	case len(text)-len(body) > maxFrontMatter:
		return nil, tooLong(file)
	}
	// An empty line stands for the first ruler, so that places are right.
	limits = limits.Or(cento.DefaultLimits())
	root, invalid := strict.YAML(file, []byte("\n"+block), limits)
	if invalid != nil {
		invalid = explain(invalid)
		if root = strict.Loose(file, []byte("\n"+block), limits); root == nil {
			return nil, invalid
		}
	}
	d := strict.Decoder{Trust: trust}
	d.Report(invalid)
	doc := &Document{}
	if root.Kind() != strict.Map {
		d.Fail(at, InvalidFrontMatter, "the front matter is no map of fields").Hint = "name and description have to be there"
		return nil, d.Err()
	}
	var fields headerFile
	doc.Notes = fields.read(&d, root)
	doc.Header, doc.allowedAt = fields.header(&d, folder), fields.allowedTools.at
	if err := d.Err(); err != nil {
		if doc.Description == "" {
			return nil, err
		}
		doc.Deviations = cento.SourceErrors(err)
	}
	if doc.Name == "" {
		doc.Name = folder
		doc.Named = cento.Text{Body: folder, Runs: []cento.Run{{End: len(folder), Position: at, Trust: trust, Fixed: true}}, Trust: trust, Origin: at}
	} else {
		doc.Named = cento.Text{Body: doc.Name, Runs: fields.name.Runs(trust), Trust: trust, Origin: fields.name.Position()}
	}
	doc.Described = oneLine(cento.Text{
		Body: fields.description.Value, Runs: fields.description.Runs(trust), Trust: trust, Origin: fields.description.Position(),
	})
	doc.Body = cento.Text{Body: body, Trust: trust, Origin: cento.Position{File: file, Line: strings.Count(block, "\n") + 3, Column: 1}}
	return doc, nil
}

// explain adds what most often makes the front matter of a skill no YAML.
func explain(err error) error {
	if e, ok := err.(*cento.SourceError); ok && e.Code == strict.Syntax && e.Hint == "" {
		e.Hint = "put quotes around a value that holds a colon and a space"
	}
	return err
}

// tooLong is the error of a front matter over its limit.
func tooLong(file string) error {
	return &cento.SourceError{
		Code: InvalidFrontMatter, Position: cento.Position{File: file, Line: 1, Column: 1},
		Message: fmt.Sprintf("the front matter doesn't end within %d bytes", maxFrontMatter),
		Hint:    "end it with a line ---; long texts belong behind it",
	}
}

// begins reports whether a file has front matter, whether or not it ends.
func begins(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(first, " \t") == "---"
}

// cut parts a file at its two rulers. White space behind a ruler doesn't count.
func cut(text string) (block, body string, ok bool) {
	if !begins(text) {
		return "", "", false
	}
	_, rest, _ := strings.Cut(text, "\n")
	for at := 0; at < len(rest); {
		line, _, ended := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if ended {
			next++
		}
		if strings.TrimRight(line, " \t") == "---" {
			return rest[:at], rest[next:], true
		}
		at = next
	}
	return "", "", false
}

// headerFile is the front matter as it is written.
type headerFile struct {
	name, description, compatibility *strict.Located[string]
	license                          string
	metadata                         map[string]string
	allowedTools                     toolList
	disableModelInvocation           bool
}

var fieldNames = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools", "disable-model-invocation"}

// maxNoted is how many fields of one skill are noted each on its own.
const maxNoted = 5

// read decodes the fields and notes those that nothing uses.
func (f *headerFile) read(d *strict.Decoder, root *strict.Node) []cento.Note {
	var notes []cento.Note
	unused := 0
	for key, value := range root.Members() {
		name, _ := key.Text()
		var to any
		switch name {
		case "name":
			to = &f.name
		case "description":
			to = &f.description
		case "license":
			to = &f.license
		case "compatibility":
			to = &f.compatibility
		case "metadata":
			to = &f.metadata
		case "allowed-tools":
			to = &f.allowedTools
		case "disable-model-invocation":
			to = &f.disableModelInvocation
		default:
			if unused++; unused <= maxNoted {
				notes = append(notes, cento.Note{
					Code: UnknownField, Position: key.Position(),
					Message: fmt.Sprintf("the field %q of a skill is not used; %s", name, strict.UnknownHint(name, fieldNames)),
				})
			}
			continue
		}
		if value.Kind() != strict.Null {
			d.In(name, func() { d.Decode(value, to) })
		}
	}
	if more := unused - maxNoted; more > 0 {
		notes[maxNoted-1].Message += fmt.Sprintf("; %d more are not used", more)
	}
	for _, required := range []struct {
		name string
		text *strict.Located[string]
	}{{"name", f.name}, {"description", f.description}} {
		if required.text == nil {
			d.Fail(root.Position(), strict.MissingKey, "the field %q is missing", required.name).Hint = "every skill has a name, which is that of its folder, and a description of what it does and when to use it"
		}
	}
	return notes
}

// header checks the fields against the specification.
func (f *headerFile) header(d *strict.Decoder, folder string) Header {
	h := Header{License: f.license, Metadata: f.metadata, AllowedTools: f.allowedTools.entries, DisableModelInvocation: f.disableModelInvocation}
	check := func(field string, t *strict.Located[string], check func(text string, at cento.Position)) string {
		if t == nil {
			return ""
		}
		if _, ok := t.Text(); ok { // otherwise of another kind, as was reported
			d.In(field, func() { check(t.Value, t.Position()) })
		}
		return t.Value
	}
	if h.Name = check("name", f.name, func(s string, at cento.Position) { checkName(d, s, folder, at) }); !showable(h.Name) {
		h.Name = ""
	}
	h.Description = strings.TrimSpace(check("description", f.description, func(s string, at cento.Position) {
		checkText(d, s, maxDescription, at)
	}))
	h.Compatibility = check("compatibility", f.compatibility, func(s string, at cento.Position) {
		checkText(d, s, maxCompatibility, at)
	})
	return h
}

// checkName holds a name to the rules: lower-case letters, digits and single
// hyphens between them, and the name of the folder.
func checkName(d *strict.Decoder, name, folder string, at cento.Position) {
	const rule = "a name has lower-case letters a-z, digits and single hyphens between them"
	fail := func(format string, args ...any) {
		d.Fail(at, InvalidName, format, args...).Hint = rule
	}
	bad := strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' })
	switch n := utf8.RuneCountInString(name); {
	case name == "":
		fail("the name is empty")
	case n > maxName:
		fail("the name has %d characters, and %d are allowed", n, maxName)
	case bad >= 0:
		r, _ := utf8.DecodeRuneInString(name[bad:])
		fail("%q has the character %q", name, r)
	case name[0] == '-' || name[len(name)-1] == '-':
		fail("%q begins or ends with a hyphen", name)
	case strings.Contains(name, "--"):
		fail("%q has two hyphens together", name)
	case name != folder:
		d.Fail(at, OtherFolder, "the skill is named %q, and its folder %q", name, folder).Hint = "give both one name"
	}
}

// showable reports whether a name can be shown on a line and typed.
func showable(name string) bool {
	const most = 256
	return utf8.RuneCountInString(name) <= most && strings.TrimSpace(name) == name && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// checkText holds a text to its length.
func checkText(d *strict.Decoder, text string, limit int, at cento.Position) {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		d.Fail(at, InvalidText, "the text is blank").Hint = "say what the skill does and when to use it"
	case n > limit:
		d.Fail(at, InvalidText, "the text has %d characters, and %d are allowed", n, limit).Hint = "details belong behind the front matter"
	}
}

// toolList is one text, its entries parted by white space or commas, or a list of such
// texts: no name of a tool has white space in it. Each entry has its place.
type toolList struct {
	entries []string
	at      []cento.Position
}

// DecodeNode reads either form.
func (l *toolList) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() == strict.List {
		var texts []strict.Located[string]
		d.Decode(n, &texts)
		for i := range texts {
			l.split(texts[i].Value, texts[i].Runs(d.Trust))
		}
		return
	}
	text, ok := n.Text()
	if !ok {
		d.Expected(n, "a text or a list of texts")
		return
	}
	l.split(text, n.Runs(d.Trust))
}

// split parts a text where it has white space or a comma outside of parentheses: what a
// tool may be called with can hold both.
func (l *toolList) split(text string, runs []cento.Run) {
	places := cento.NewCursor(text, runs)
	depth, from := 0, -1
	end := func(to int) {
		if from >= 0 {
			l.entries, l.at = append(l.entries, text[from:to]), append(l.at, places.At(from))
			from = -1
		}
	}
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		case ' ', '\t', '\n', '\r', ',':
			if depth == 0 {
				end(i)
				continue
			}
		}
		if from < 0 {
			from = i
		}
	}
	end(len(text))
}
