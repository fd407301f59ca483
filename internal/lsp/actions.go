package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/cento-dev/cento/internal/app"
)

// fixAll is the kind of the action that mends all of a file.
const fixAll = protocol.CodeActionKindSourceFixAll + ".cento"

// codeAction offers the fixes of what is found at a range, each as `cento check --fix`
// makes it, and all of those of the file at once.
func (s *server) codeAction(data []byte) (func(context.Context) (any, error), error) {
	p, err := params[protocol.CodeActionParams](data)
	if err != nil {
		return nil, err
	}
	return s.sighted(p.TextDocument.URI, func(ctx context.Context, at sight) (any, error) {
		out := []protocol.CommandOrCodeAction{}
		if wants(p.Context.Only, protocol.CodeActionKindQuickFix) {
			for _, a := range s.quickFixes(at, p) {
				out = append(out, a)
			}
		}
		// An editor that asks because the cursor moved shows no such action.
		if len(p.Context.Only) == 0 && p.Context.TriggerKind == protocol.CodeActionTriggerKindAutomatic || !wants(p.Context.Only, fixAll) {
			return out, nil
		}
		all, err := s.fixesOfAll(ctx, at)
		if all != nil {
			out = append(out, all)
		}
		return out, err
	})
}

// wants reports whether actions of a kind are asked for: a kind stands for those below
// it, and none for all.
func wants(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}

// quickFixes are one action for each way to mend what is shown at the range that is asked
// about, or named by the editor, which may mean the whole line.
func (s *server) quickFixes(at sight, p *protocol.CodeActionParams) []*protocol.CodeAction {
	var out []*protocol.CodeAction
	type change struct {
		in    *document
		edits []app.Edit
	}
	var made []change
	for i := range at.now.Findings {
		f := &at.now.Findings[i]
		if f.Fix == nil {
			continue
		}
		u, d := s.diagnostic(at.files, f)
		// Some editors count columns in another way where they tell a finding back.
		named := func(x protocol.Diagnostic) bool {
			return x.Message == d.Message && x.Range.Start.Line == d.Range.Start.Line
		}
		if u != at.uri || !meet(d.Range, p.Range) && !slices.ContainsFunc(p.Context.Diagnostics, named) {
			continue
		}
		in := at.files.file(at.now.PathOf(f.Fix.File))
		if in == nil || !s.inside(in.path) {
			continue
		}
		edits, n := app.Together(in.text, f.Fix)
		if n == 0 {
			continue // the file isn't what it was
		}
		if same := slices.IndexFunc(made, func(c change) bool { return c.in == in && slices.Equal(c.edits, edits) }); same >= 0 {
			out[same].Diagnostics = append(out[same].Diagnostics, d)
			continue
		}
		made = append(made, change{in, edits})
		a := s.action(protocol.CodeActionKindQuickFix, f.Fix.Title, in, edits)
		a.Diagnostics = []protocol.Diagnostic{d}
		preferred := true
		a.IsPreferred = &preferred
		out = append(out, a)
	}
	return out
}

// meet reports whether two ranges have something in common, an end being part of each.
func meet(a, b protocol.Range) bool {
	before := func(p, q protocol.Position) bool {
		return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
	}
	return !before(a.End, b.Start) && !before(b.End, a.Start)
}

// fixesOfAll mends everything in a text that can be; nil where nothing can.
func (s *server) fixesOfAll(ctx context.Context, at sight) (*protocol.CodeAction, error) {
	texts := make(map[string]string, len(at.now.texts))
	for path, d := range at.now.texts {
		texts[path] = d.text
	}
	edits, n, err := at.now.Mended(ctx, at.now.request, texts, at.path)
	if err != nil || n == 0 {
		return nil, err
	}
	title := "mend 1 finding"
	if n > 1 {
		title = fmt.Sprintf("mend %d findings", n)
	}
	return s.action(fixAll, title+" in this file", at.document, edits), nil
}

// action makes edits of one file.
func (s *server) action(kind protocol.CodeActionKind, title string, in *document, edits []app.Edit) *protocol.CodeAction {
	list := make([]protocol.TextEdit, len(edits))
	for i, e := range edits {
		list[i] = protocol.TextEdit{Range: in.span(e.Start, e.End), NewText: e.Text}
	}
	return &protocol.CodeAction{Title: title, Kind: &kind, Edit: s.workspaceEdit([]*document{in}, map[*document][]protocol.TextEdit{in: list})}
}
