package lsp

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// document is a text: one that is open in the editor, or that of a file. It never
// changes; a change makes another one.
type document struct {
	uri     uri.URI // as the editor says it
	path    string  // absolute, without links
	version int32
	open    bool // else it was read from disk
	*lines
}

// maxOpen is how many texts are followed at once, and maxText how long one may be;
// a longer one is told of by its length where it is read.
const (
	maxOpen = 1000
	maxText = 16 << 20
)

// openFolders are those that an editor has open. One that isn't there is none.
func openFolders(p *protocol.InitializeParams) []string {
	var uris []uri.URI
	folders, _ := p.WorkspaceFolders.Get()
	for _, f := range folders {
		uris = append(uris, f.URI)
	}
	//lint:ignore SA1019 editors that know one folder only say it so
	if root := p.RootURI; len(uris) == 0 && root != nil {
		uris = append(uris, *root)
	}
	var out []string
	for _, u := range uris {
		if !u.IsFile() {
			continue
		}
		if real, err := filepath.EvalSymlinks(u.FsPath()); err == nil && filepath.IsAbs(real) && !slices.Contains(out, real) {
			out = append(out, real)
		}
	}
	return out
}

// pathOf is the file of a text, without links; one that isn't there yet lies in the
// folder that is.
func pathOf(u uri.URI) (string, error) {
	if !u.IsFile() || u.Authority() != "" {
		return "", fmt.Errorf("%.200q is no file", u)
	}
	path := filepath.Clean(u.FsPath())
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", fmt.Errorf("%.200q is no path", u)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", fmt.Errorf("%.200q lies in no folder", u)
	}
	return filepath.Join(dir, filepath.Base(path)), nil
}

// inside reports whether a path lies in a folder that the editor has open.
func (s *server) inside(path string) bool {
	return slices.ContainsFunc(s.folders, func(dir string) bool { return isBelow(dir, path) })
}

func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// document is the open text of a request.
func (s *server) document(u uri.URI) (*document, error) {
	path, err := pathOf(u)
	if err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	d := s.texts[path]
	switch {
	case d != nil:
		return d, nil
	case !s.inside(path):
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("%.200q lies outside of the folders that are open", u))
	}
	return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("%.200q isn't open", u))
}

func (s *server) didOpen(data []byte) error {
	p, err := params[protocol.DidOpenTextDocumentParams](data)
	if err != nil {
		return err
	}
	path, err := pathOf(p.TextDocument.URI)
	switch {
	case err != nil:
		return err
	case !s.inside(path):
		return fmt.Errorf("%.200q lies outside of the folders that are open", p.TextDocument.URI)
	case s.texts[path] == nil && len(s.texts) >= maxOpen:
		return fmt.Errorf("more than %d texts are open", maxOpen)
	case len(p.TextDocument.Text) > maxText:
		return fmt.Errorf("%.200q is longer than %d bytes", p.TextDocument.URI, maxText)
	}
	s.texts[path] = &document{p.TextDocument.URI, path, p.TextDocument.Version, true, newLines(p.TextDocument.Text, s.utf8)}
	s.changed(path)
	return nil
}

func (s *server) didChange(data []byte) error {
	p, err := params[protocol.DidChangeTextDocumentParams](data)
	if err != nil {
		return err
	}
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return err
	}
	text, err := edited(d.lines, p.ContentChanges)
	if err != nil {
		// What the editor shows isn't known any more.
		delete(s.texts, d.path)
		s.changed(d.path)
		return err
	}
	// A request that is being answered has the document as it was.
	s.texts[d.path] = &document{d.uri, d.path, p.TextDocument.Version, true, newLines(text, s.utf8)}
	s.changed(d.path)
	return nil
}

// edited is a text with changes made in it, one after the other.
func edited(l *lines, changes []protocol.TextDocumentContentChangeEvent) (string, error) {
	for _, c := range changes {
		text := ""
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			text = c.Text
		case *protocol.TextDocumentContentChangePartial:
			from, to := l.offset(c.Range.Start), l.offset(c.Range.End)
			if to < from {
				return "", fmt.Errorf("a change ends before it begins: %v", c.Range)
			}
			text = l.text[:from] + c.Text + l.text[to:]
		default:
			return "", fmt.Errorf("a change is of no known form")
		}
		if len(text) > maxText {
			return "", fmt.Errorf("the text is longer than %d bytes", maxText)
		}
		l = newLines(text, l.utf8)
	}
	return l.text, nil
}

func (s *server) didSave(data []byte) error {
	p, err := params[protocol.DidSaveTextDocumentParams](data)
	if err != nil {
		return err
	}
	path, err := pathOf(p.TextDocument.URI)
	if err == nil && s.inside(path) {
		s.changed(path)
	}
	return err
}

func (s *server) didClose(data []byte) error {
	p, err := params[protocol.DidCloseTextDocumentParams](data)
	if err != nil {
		return err
	}
	path, err := pathOf(p.TextDocument.URI)
	if err != nil || s.texts[path] == nil {
		return err
	}
	delete(s.texts, path)
	s.changed(path)
	return nil
}

// didChangeFiles is told of files that changed on disk.
func (s *server) didChangeFiles(data []byte) error {
	p, err := params[protocol.DidChangeWatchedFilesParams](data)
	if err != nil {
		return err
	}
	for _, c := range p.Changes {
		if path, err := pathOf(c.URI); err == nil && s.inside(path) {
			s.changed(path)
		}
	}
	return nil
}

// unsaved are the texts that stand over files, as they are now.
func (s *server) unsaved() map[string]string {
	out := make(map[string]string, len(s.texts))
	for path, d := range s.texts {
		out[path] = d.text
	}
	return out
}

// versions are those of the open texts, as they are now.
func (s *server) versions() map[string]*document { return maps.Clone(s.texts) }

// isFolder reports whether a path is a folder on disk.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
