package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/outline"
)

// formats are the schema of manifests, read once.
var formats = sync.OnceValues(func() (*outline.Schema, error) { return outline.ReadSchema(app.ManifestSchema()) })

// kind is what a file is to a project.
type kind int

const (
	otherFile kind = iota
	manifestFile
	testFile
	promptFile
)

// kindOf tells files apart by their names, as the program finds them.
func kindOf(path string) kind {
	switch base := filepath.Base(path); {
	case base == app.ManifestName:
		return manifestFile
	case strings.HasSuffix(base, app.TestFileSuffix):
		return testFile
	case app.IsPromptName(base):
		return promptFile
	}
	return otherFile
}

// completion is what may stand where somebody types. Keys are known without a look at
// the project; names are those of the last look whose manifest could be read, so that
// they are there while the text is broken by what is being typed.
func (s *server) completion(data []byte) (func(context.Context) (any, error), error) {
	p, err := params[protocol.CompletionParams](data)
	if err != nil {
		return nil, err
	}
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	f := s.followIn(d.path)
	return func(ctx context.Context) (any, error) {
		list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
		off := d.offset(p.Position)
		c, kind, ok := wanted(d, off)
		if !ok {
			return list, nil
		}
		if k := kindOf(d.path); (k == manifestFile || k == testFile) && kind == "" {
			schema, err := formats()
			if err != nil {
				return nil, err
			}
			list.Items = keyItems(d, schema, &c)
			kind = outline.KindAt(c.Path, c.Key)
			if c.Key && c.Value {
				kind = cmp.Or(kind, outline.KindAt(c.Path, false))
			}
		}
		if kind != "" && f != nil {
			items, err := s.nameItems(ctx, f, d, &c, kind)
			if err != nil {
				return nil, err
			}
			list.Items = append(list.Items, items...)
		}
		for i := range list.Items {
			list.Items[i].SortText = protocol.NewOptional(fmt.Sprintf("%05d", i))
		}
		return list, nil
	}, nil
}

// wanted is what is typed at a byte: the name of a kind within an expression, or a key or
// value, whose kind is empty.
func wanted(d *document, off int) (c outline.Cursor, kind outline.Kind, ok bool) {
	prompt := kindOf(d.path) == promptFile
	if !prompt {
		if c, ok = outline.At(d.text, off); ok && (c.Key && !c.Value || outline.KindAt(c.Path, false) != outline.Condition) {
			return c, "", true
		}
	}
	if name, kind, asked := outline.AskedAt(d.text, off, prompt); asked {
		return name, kind, true
	}
	return c, "", ok
}

// maxItems is how many names are proposed at once; the rest comes when more is typed.
const maxItems = 1000

// nameItems are the names of a kind.
func (s *server) nameItems(ctx context.Context, f *followed, d *document, c *outline.Cursor, kind outline.Kind) ([]protocol.CompletionItem, error) {
	s.mu.Lock()
	l, next := f.good, f.next
	s.mu.Unlock()
	if l == nil { // the first look is being taken
		select {
		case <-next:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		s.mu.Lock()
		l = f.good
		s.mu.Unlock()
	}
	if l == nil {
		return nil, nil
	}
	known, err := l.names(ctx)
	if err != nil {
		return nil, err
	}
	word := protocol.CompletionItemKindReference
	if kind == outline.Variable {
		word = protocol.CompletionItemKindVariable
	}
	behind := ""
	if c.Key && !c.Value {
		behind = colon(c)
	}
	var items []protocol.CompletionItem
	for _, t := range ofKind(known, kind) {
		if len(items) == maxItems {
			break
		}
		if strings.HasPrefix(t.Name, c.Typed) || kind == outline.Reference && !strings.HasPrefix(c.Typed, "$") {
			items = append(items, item(d, c, t.Name, behind, word, t.About))
		}
	}
	return items, nil
}

// keyItems are the keys and words of the format that may stand at a cursor.
func keyItems(d *document, schema *outline.Schema, c *outline.Cursor) []protocol.CompletionItem {
	var items []protocol.CompletionItem
	path := c.Path
	if kindOf(d.path) == testFile && len(path) == 0 {
		// A file of tests has this key alone.
		return []protocol.CompletionItem{item(d, c, "tests", colon(c), protocol.CompletionItemKindProperty, schema.About([]string{"tests"}))}
	}
	if c.Key {
		has := map[string]bool{}
		for _, name := range c.Has {
			has[name] = true
		}
		for _, k := range schema.Keys(path) {
			if !has[k.Name] {
				items = append(items, item(d, c, k.Name, colon(c), protocol.CompletionItemKindProperty, k.About))
			}
		}
	}
	if c.Value {
		for _, v := range schema.Values(path) {
			items = append(items, item(d, c, v.Name, "", protocol.CompletionItemKindEnumMember, v.About))
		}
	}
	return items
}

// colon is what stands behind a key.
func colon(c *outline.Cursor) string {
	if c.Colon {
		return ""
	}
	return ": "
}

// item replaces what is typed by a word. What it means is text, never markup.
func item(d *document, c *outline.Cursor, word, behind string, kind protocol.CompletionItemKind, about string) protocol.CompletionItem {
	i := protocol.CompletionItem{
		Label: word, Kind: kind, FilterText: protocol.NewOptional(word),
		TextEdit: &protocol.TextEdit{Range: d.span(c.Start, c.End), NewText: word + behind},
	}
	if about != "" {
		i.Documentation = &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: about}
	}
	return i
}
