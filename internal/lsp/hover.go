package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/outline"
)

// hover tells of what stands under the cursor: of a fragment, a prompt file or a tool
// what became of its text in each prompt, of a name what it is, of a key what it means.
func (s *server) hover(data []byte) (func(context.Context) (any, error), error) {
	p, err := params[protocol.HoverParams](data)
	if err != nil {
		return nil, err
	}
	return s.sighted(p.TextDocument.URI, func(ctx context.Context, at sight) (any, error) {
		off := at.offset(p.Position)
		var parts []part
		named := false // a prompt file, which was told of
		span := protocol.Range{Start: p.Position, End: p.Position}
		if u, ok := under(at, p.Position); ok {
			span = u.location().Range
			about, err := s.aboutName(ctx, at, u)
			if err != nil {
				return nil, err
			}
			parts = append(parts, about...)
			named = u.Kind == outline.Reference && len(about) > 0
		}
		if k := kindOf(at.path); k == manifestFile || k == testFile {
			if path, key, ok := outline.PathAt(at.path, at.text, off); ok && key {
				if schema, err := formats(); err == nil {
					if about := schema.About(path); about != "" {
						parts = append(parts, part{text: about})
					}
				}
			}
		}
		if at.now.Project != nil && !named {
			standing, err := s.standing(ctx, at, off)
			if err != nil {
				return nil, err
			}
			parts = append(parts, standing...)
		}
		if len(parts) == 0 {
			return nil, nil
		}
		return &protocol.Hover{Contents: s.markup(parts), Range: &span}, nil
	})
}

// aboutName tells what a name is of, and what its author says of it.
func (s *server) aboutName(ctx context.Context, at sight, u use) ([]part, error) {
	l := cmp.Or(at.good, at.now)
	known, err := l.names(ctx)
	if err != nil {
		return nil, err
	}
	name := u.Name.Name
	if u.Kind == outline.Reference {
		path, ok := s.resolve(at, u)
		if !ok {
			return nil, nil
		}
		return s.standingOf(ctx, at, path)
	}
	for _, t := range ofKind(known, u.Kind) {
		if t.Name != name {
			continue
		}
		text := fmt.Sprintf("%s %s", u.Kind, t.Name)
		if u.Kind == outline.Fragment {
			return []part{{text: text}}, nil // what became of it is told below
		}
		if t.Position.File != "" {
			text += ", from " + t.Position.String()
		}
		out := []part{{text: text}}
		if t.About != "" {
			out = append(out, part{text: t.About, quoted: true})
		}
		return out, nil
	}
	return nil, nil
}

// standing tells what became of the fragment that a byte of the manifest belongs to, or
// of those that a prompt file is part of.
func (s *server) standing(ctx context.Context, at sight, off int) ([]part, error) {
	if kindOf(at.path) == promptFile {
		return s.standingOf(ctx, at, at.path)
	}
	if kindOf(at.path) != manifestFile {
		return nil, nil
	}
	path, _, ok := outline.PathAt(at.path, at.text, off)
	if !ok || len(path) < 2 {
		return nil, nil
	}
	here, err := at.now.StandingAt(ctx, at.now.request, app.FragmentList(path[0]), at.place(off), func(path string) bool { return real(path) == at.path })
	return told(here), err
}

// real is a path without links; empty for one that isn't there.
func real(path string) string {
	r, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return r
}

// standingOf tells what became of the fragments that a prompt file is part of.
func (s *server) standingOf(ctx context.Context, at sight, file string) ([]part, error) {
	if at.now.Project == nil {
		return nil, nil
	}
	list, err := at.now.Standing(ctx, at.now.request, func(p *app.Project, f *cento.Fragment) bool {
		for _, source := range p.Sources(f) {
			if path, ok := p.Path(source.Ref.Path()); ok && real(path) == real(file) {
				return true
			}
		}
		return false
	})
	return told(list), err
}

// maxTold is how much of a text is shown, in bytes, and maxVerdicts of how many prompts
// one by one.
const (
	maxTold     = 2000
	maxVerdicts = 20
)

// told words what became of fragments: for each the prompts that it is in, and what its
// text is there; for the others why not.
func told(list []app.Standing) []part {
	var out []part
	texts := map[string]bool{}
	for i, x := range list {
		if i == maxVerdicts {
			out = append(out, part{text: fmt.Sprintf("and %d more verdicts", len(list)-i)})
			break
		}
		where := "the manifest without target"
		if x.Target != "" {
			where = "target " + x.Target
		}
		verdict := "out"
		if x.Included {
			verdict = "in"
		}
		about := ""
		if !x.Counting.Exact {
			about = "about "
		}
		out = append(out, part{text: fmt.Sprintf("%s in %s: %s; %s; %s%d tokens (%s)", x.ID, where, verdict, x.Reason, about, x.Tokens, x.Counting.Encoding)})
		if x.Text != "" && !texts[x.Text] {
			texts[x.Text] = true
			out = append(out, part{text: shortened(x.Text), quoted: true})
		}
	}
	return out
}

// shortened is the beginning of a text, and how much is missing.
func shortened(text string) string {
	if len(text) <= maxTold {
		return text
	}
	end := maxTold
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s\n… %d more bytes", text[:end], len(text)-end)
}

// part is a stretch of what is told: words of the program, or a text of somebody.
type part struct {
	text   string
	quoted bool
}

// markup puts parts together. In Markdown nothing of a text is markup: it stands in a
// fence that is longer than any in it, and words of the program have their marks
// escaped.
func (s *server) markup(parts []part) *protocol.MarkupContent {
	var out []string
	for _, p := range parts {
		switch {
		case s.plain:
			out = append(out, p.text)
		case p.quoted:
			fence := "```"
			for strings.Contains(p.text, fence) {
				fence += "`"
			}
			out = append(out, fence+"text\n"+strings.TrimRight(p.text, "\n")+"\n"+fence)
		default:
			out = append(out, escaped(p.text))
		}
	}
	kind := protocol.MarkupKindMarkdown
	if s.plain {
		kind = protocol.MarkupKindPlainText
	}
	return &protocol.MarkupContent{Kind: kind, Value: strings.Join(out, "\n\n")}
}

// escaped is a text in which Markdown finds no marks, on one line.
func escaped(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '\n' || r == '\r':
			r = ' '
		case strings.ContainsRune("\\`*_{}[]<>#+|&~!", r), i == 0 && r == '-':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
