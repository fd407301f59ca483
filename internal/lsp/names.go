package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/outline"
)

// use is a name where it stands in a file.
type use struct {
	outline.Name
	in *document
	// told says that a text tells of it: no key and no expression asks for it.
	told bool
}

func (u *use) location() protocol.Location {
	return protocol.Location{URI: u.in.uri, Range: u.in.span(u.Start, u.End)}
}

// namesIn are those of one file.
func namesIn(d *document, tools bool) []outline.Name {
	return outlined(d, tools, outline.Names, outline.InPrompt)
}

// doubtsIn are the places of one file that may ask for a tool in a way that no name has.
func doubtsIn(d *document, tools bool) []outline.Doubt {
	return outlined(d, tools, outline.Doubts, outline.DoubtsInPrompt)
}

// outlined is what is found in one file, by what it is: one of tools, a prompt file, or
// any other.
func outlined[T any](d *document, tools bool, inFile func(file, text string, at ...string) []T, inPrompt func(text string) []T) []T {
	switch {
	case tools:
		return inFile(d.path, d.text, "tools")
	case kindOf(d.path) == promptFile:
		return inPrompt(d.text)
	}
	return inFile(d.path, d.text)
}

// source is a file of a project in which names stand.
type source struct {
	path    string
	ofTools bool
}

// sources are the manifest, the files of tools of all its targets, those of tests, and
// the prompt files.
func (at sight) sources() []source {
	l := cmp.Or(at.good, at.now)
	out := []source{{at.files.manifest, false}}
	for _, path := range l.ToolFiles() {
		out = append(out, source{path, true})
	}
	for _, path := range slices.Concat(at.now.TestFiles, l.PromptFiles()) {
		out = append(out, source{path, false})
	}
	return out
}

// uses are the names in the files of a project, by file and place. Files outside of the
// folders that the editor has open have none.
func (s *server) uses(at sight) []use {
	var out []use
	seen := map[string]bool{}
	for _, x := range at.sources() {
		d := at.files.file(x.path)
		if d == nil || seen[d.path] || !s.inside(d.path) {
			continue
		}
		seen[d.path] = true
		for _, n := range namesIn(d, x.ofTools) {
			out = append(out, use{Name: n, in: d})
		}
	}
	sortUses(out)
	return out
}

func sortUses(list []use) {
	slices.SortStableFunc(list, func(a, b use) int { return cmp.Or(cmp.Compare(a.in.path, b.in.path), a.Start-b.Start) })
}

// under is the name at a place of a text.
func under(at sight, p protocol.Position) (use, bool) {
	off := at.offset(p)
	for _, n := range namesIn(at.document, kindOf(at.path) == otherFile) {
		if n.Exact && n.Start <= off && off <= n.End {
			return use{Name: n, in: at.document}, true
		}
	}
	return use{}, false
}

// named has a request about the name under the cursor answered. Where there is none the
// answer is nothing, or the error.
func (s *server) named(in protocol.TextDocumentIdentifier, p protocol.Position, none error, answer func(context.Context, sight, use) (any, error)) (func(context.Context) (any, error), error) {
	return s.sighted(in.URI, func(ctx context.Context, at sight) (any, error) {
		u, ok := under(at, p)
		if !ok {
			return nil, none
		}
		return answer(ctx, at, u)
	})
}

// toldOf are the places where texts tell of a tool.
func (s *server) toldOf(at sight, tool string, all []use) []use {
	var out []use
	seen := map[string]bool{}
	tools := []string{tool}
	for i := range all {
		if all[i].Kind == outline.Tool {
			tools = append(tools, all[i].Name.Name)
		}
	}
	slices.Sort(tools)
	tools = slices.Compact(tools)
	l := cmp.Or(at.good, at.now)
	for _, path := range append([]string{at.files.manifest}, l.PromptFiles()...) {
		d := at.files.file(path)
		if d == nil || seen[d.path] || !s.inside(d.path) {
			continue
		}
		seen[d.path] = true
		stretches := outline.ProseInPrompt(d.text)
		if kindOf(d.path) != promptFile {
			stretches = outline.Prose(d.path, d.text)
		}
		for _, x := range stretches {
			for _, m := range app.ToolsTold(d.text[x[0]:x[1]], tools) {
				if m.Tool == tool {
					out = append(out, use{outline.Name{Kind: outline.Tool, Name: tool, Start: x[0] + m.Start, End: x[0] + m.End, Exact: true}, d, true})
				}
			}
		}
	}
	return out
}

// everywhere is a name at all places: where it is made, asked for, and told of.
func (s *server) everywhere(at sight, of use) []use {
	all := s.uses(at)
	var out []use
	for _, u := range all {
		if u.Kind == of.Kind && s.same(at, u, of) {
			out = append(out, u)
		}
	}
	if of.Kind == outline.Tool {
		out = append(out, s.toldOf(at, of.Name.Name, all)...)
	}
	sortUses(out)
	return slices.CompactFunc(out, func(a, b use) bool { return a.in == b.in && a.Start == b.Start && a.End == b.End })
}

// same reports whether two names of a kind mean one thing. References are written in
// several ways.
func (s *server) same(at sight, a, b use) bool {
	if a.Kind != outline.Reference {
		return a.Name.Name == b.Name.Name
	}
	x, ok := s.resolve(at, a)
	y, too := s.resolve(at, b)
	return ok && too && x == y
}

// resolve is the file that a reference means.
func (s *server) resolve(at sight, u use) (string, bool) {
	l := cmp.Or(at.good, at.now)
	if l.Project == nil {
		return "", false
	}
	return l.Project.Resolve(u.Name.Name, u.in.path)
}

// definition leads from a name to where it is made.
func (s *server) definition(data []byte) (func(context.Context) (any, error), error) {
	p, err := params[protocol.DefinitionParams](data)
	if err != nil {
		return nil, err
	}
	return s.named(p.TextDocument, p.Position, nil, func(ctx context.Context, at sight, u use) (any, error) {
		if u.Kind == outline.Reference {
			path, ok := s.resolve(at, u)
			d := at.files.file(path)
			if !ok || d == nil || !s.inside(d.path) {
				return nil, nil
			}
			return protocol.LocationSlice{{URI: d.uri}}, nil
		}
		all := s.everywhere(at, u)
		out := protocol.LocationSlice{}
		for i := range all {
			if all[i].Defines && all[i].Exact {
				out = append(out, all[i].location())
			}
		}
		if len(out) > 0 {
			return out, nil
		}
		// It isn't made in a text of the project's that names it so: where it was read.
		l := cmp.Or(at.good, at.now)
		known, err := l.names(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range ofKind(known, u.Kind) {
			d := at.files.file(l.PathOf(t.Position.File))
			if t.Name == u.Name.Name && !t.Position.IsZero() && d != nil && s.inside(d.path) {
				return protocol.LocationSlice{{URI: d.uri, Range: d.marked(t.Position)}}, nil
			}
		}
		return nil, nil
	})
}

// ofKind are the known names of a kind.
func ofKind(k *app.Known, kind outline.Kind) []app.Thing {
	switch kind {
	case outline.Tool:
		return k.Tools
	case outline.Capability:
		return k.Capabilities
	case outline.Fragment:
		return k.Fragments
	case outline.Variable:
		return k.Variables
	case outline.Target:
		return k.Targets
	case outline.Reference:
		return k.References
	case outline.Model:
		return k.Models
	}
	return nil
}

// references are the places of a name.
func (s *server) references(data []byte) (func(context.Context) (any, error), error) {
	p, err := params[protocol.ReferenceParams](data)
	if err != nil {
		return nil, err
	}
	return s.named(p.TextDocument, p.Position, nil, func(ctx context.Context, at sight, u use) (any, error) {
		all := s.everywhere(at, u)
		out := []protocol.Location{}
		for i := range all {
			if !all[i].Defines || p.Context.IncludeDeclaration {
				out = append(out, all[i].location())
			}
		}
		return out, nil
	})
}

// prepareRename tells whether what is under the cursor can get another name.
func (s *server) prepareRename(data []byte) (func(context.Context) (any, error), error) {
	p, err := params[protocol.PrepareRenameParams](data)
	if err != nil {
		return nil, err
	}
	return s.named(p.TextDocument, p.Position, nil, func(_ context.Context, _ sight, u use) (any, error) {
		if u.Kind != outline.Tool {
			return nil, nil
		}
		return &protocol.PrepareRenamePlaceholder{Range: u.location().Range, Placeholder: u.Name.Name}, nil
	})
}

// refused is a request that can't be done, with the reason as people read it.
func refused(format string, args ...any) error {
	return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), fmt.Sprintf(format, args...))
}

// rename gives a tool another name in the manifest, the tests, the files of tools and
// the prompt files, in what asks for it and in the texts that tell of it. It does all of
// it or nothing.
func (s *server) rename(data []byte) (func(context.Context) (any, error), error) {
	p, err := params[protocol.RenameParams](data)
	if err != nil {
		return nil, err
	}
	only := refused("only tools can be renamed, where their name stands")
	return s.named(p.TextDocument, p.Position, only, func(ctx context.Context, at sight, u use) (any, error) {
		switch {
		case u.Kind != outline.Tool:
			return nil, only
		case at.now.Project == nil:
			return nil, refused("the manifest can't be read as it is: mend it first")
		case app.CheckToolName(p.NewName) != nil:
			return nil, refused("%v", app.CheckToolName(p.NewName))
		}
		known, err := at.now.names(ctx)
		if err != nil {
			return nil, err
		}
		taken := slices.ContainsFunc(known.Tools, func(t app.Thing) bool { return t.Name == p.NewName }) ||
			slices.ContainsFunc(s.uses(at), func(u use) bool { return u.Kind == outline.Tool && u.Defines && u.Name.Name == p.NewName })
		if taken {
			return nil, refused("there is a tool %q already", p.NewName)
		}
		all := s.everywhere(at, u)
		if err := s.renameable(at, known, u.Name.Name, all); err != nil {
			return nil, err
		}
		return s.edit(all, p.NewName), nil
	})
}

// renameable says why a tool can't get another name everywhere; nil where it can.
func (s *server) renameable(at sight, known *app.Known, tool string, all []use) error {
	defined := false
	for i := range all {
		defined = defined || all[i].Defines
		if !all[i].Exact {
			p := all[i].in.place(all[i].Start)
			return refused("%s:%d:%d: the name is written with escapes, or in pieces: rename it there by hand first", filepath.Base(all[i].in.path), p.Line, p.Column)
		}
	}
	for _, t := range known.Tools {
		if t.Name == tool && !defined && !t.Position.IsZero() {
			return refused("the tool is defined in %s, which isn't a text of the project that is open", t.Position)
		}
	}
	var files []*document
	var doubts [][]outline.Doubt
	for _, x := range at.sources() {
		name := filepath.Base(x.path)
		d := at.files.file(x.path)
		if d != nil && s.inside(d.path) && utf8.ValidString(d.text) && !slices.Contains(files, d) {
			files, doubts = append(files, d), append(doubts, doubtsIn(d, x.ofTools))
		}
		switch {
		case d == nil && isThere(x.path):
			return refused("%s can't be read, and may have the name, too", name)
		case d == nil:
		case !s.inside(d.path):
			return refused("%s lies outside of the folders that are open, and may have the name, too", name)
		case !strings.Contains(d.text, tool):
		case !utf8.ValidString(d.text):
			return refused("%s isn't UTF-8: mend it first", name)
		case kindOf(d.path) != promptFile && namesIn(d, x.ofTools) == nil:
			return refused("%s can't be read as it is: mend it first", name)
		}
	}
	if i, doubt, found := outline.Doubtful(tool, doubts); found {
		p := files[i].place(doubt.Start)
		return refused("%s:%d:%d: %s", filepath.Base(files[i].path), p.Line, p.Column, doubted(doubt.How))
	}
	return nil
}

// doubted says what a place has to do with the name of a tool, and what to do there.
func doubted(how outline.How) string {
	switch how {
	case outline.Unread:
		return "this can't be read as it is, and has the name: mend it first"
	case outline.Made:
		return "this asks for a tool by a name that is put together, maybe this one: write the name there first"
	case outline.Beside:
		return "this text may be the name, since all tools are read beside it: rename it there by hand first"
	}
	return "this text may be the name that a condition or prompt file asks for: rename it there by hand first"
}

// isThere reports whether something lies at a path, be it a link that leads nowhere.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// edit puts another name at all places.
func (s *server) edit(all []use, name string) *protocol.WorkspaceEdit {
	var files []*document
	edits := map[*document][]protocol.TextEdit{}
	for i := range all {
		d := all[i].in
		if edits[d] == nil {
			files = append(files, d)
		}
		edits[d] = append(edits[d], protocol.TextEdit{Range: all[i].location().Range, NewText: name})
	}
	return s.workspaceEdit(files, edits)
}

// workspaceEdit has edits in the form that the editor can: with the versions that they
// are for, where it can, so that it refuses them for a text that has changed.
func (s *server) workspaceEdit(files []*document, edits map[*document][]protocol.TextEdit) *protocol.WorkspaceEdit {
	e := &protocol.WorkspaceEdit{}
	if !s.versioned {
		e.Changes = map[uri.URI][]protocol.TextEdit{}
		for _, d := range files {
			e.Changes[d.uri] = edits[d]
		}
		return e
	}
	for _, d := range files {
		of := protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: d.uri}}
		if d.open {
			of.Version = &d.version
		}
		var list []protocol.TextDocumentEditElement
		for i := range edits[d] {
			list = append(list, &edits[d][i])
		}
		e.DocumentChanges = append(e.DocumentChanges, &protocol.TextDocumentEdit{TextDocument: of, Edits: list})
	}
	return e
}
