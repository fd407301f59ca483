package lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/tree"
)

// maxShown is how many findings of one file are shown; an editor draws each of them.
const maxShown = 500

// publish tells the editor what a look found, file by file in their order, and takes
// back what is no longer so. A file that several projects read has what they all say.
func (s *server) publish(f *followed, l *look) {
	files := map[uri.URI][]protocol.Diagnostic{}
	r := s.reader(l)
	for i := range l.Findings {
		u, d := s.diagnostic(r, &l.Findings[i])
		if u == "" {
			s.log(protocol.MessageTypeWarning, fmt.Sprintf("%s: %s", l.Findings[i].Code, l.Findings[i].Message))
			continue
		}
		files[u] = append(files[u], d)
	}
	// An open text without findings is told of too: then the editor knows that it was
	// looked at. So is a file that has none any more.
	versions := map[uri.URI]int32{}
	for path, d := range l.texts {
		versions[d.uri] = d.version
		if files[d.uri] == nil && isBelow(f.dir, path) {
			files[d.uri] = nil
		}
	}
	s.mu.Lock()
	for u := range f.told {
		if _, again := files[u]; !again {
			files[u] = nil
		}
	}
	f.told = files
	all := map[uri.URI][]protocol.Diagnostic{}
	for _, dir := range slices.Sorted(maps.Keys(s.followed)) {
		for u := range files {
			all[u] = append(all[u], s.followed[dir].told[u]...)
		}
	}
	f.told = maps.Clone(files)
	maps.DeleteFunc(f.told, func(_ uri.URI, list []protocol.Diagnostic) bool { return list == nil })
	s.mu.Unlock()
	for _, u := range slices.Sorted(maps.Keys(all)) {
		list := all[u]
		if more := len(list) - maxShown; more > 0 {
			list = list[:maxShown]
			list[maxShown-1].Message = protocol.String(fmt.Sprintf("and %d more findings in this file", more+1))
		}
		p := &protocol.PublishDiagnosticsParams{URI: u, Diagnostics: append([]protocol.Diagnostic{}, list...)}
		if v, open := versions[u]; open {
			p.Version = protocol.NewOptional(v)
		}
		if err := s.notify(protocol.MethodTextDocumentPublishDiagnostics, p); err != nil {
			return // the connection is gone
		}
	}
}

// diagnostic is a finding as the editor shows it, and in which file. What is about no
// file that the editor has open stands at the top of the manifest, with its place.
func (s *server) diagnostic(r *fileReader, f *app.Diagnosed) (uri.URI, protocol.Diagnostic) {
	d := protocol.Diagnostic{
		Severity: severity(f.Severity), Code: protocol.String(f.Code), Source: protocol.NewOptional("cento"),
	}
	message := f.Message
	if f.More > 0 {
		message += fmt.Sprintf("\nand %d more findings of %s", f.More, f.Code)
	}
	if len(f.Targets) > 0 {
		message += "\nin " + targetNames(f.Targets)
	}
	if f.Hint != "" {
		message += "\nhint: " + f.Hint
	}
	file := r.file(f.Path)
	if file == nil || !s.inside(file.path) {
		if place := f.Position.String(); place != "" {
			message = place + ": " + message
		}
		file = r.file(r.manifest)
		if file == nil || !s.inside(file.path) {
			return "", d
		}
		d.Range = file.span(0, 0)
	} else {
		d.Range = file.marked(f.Position)
	}
	d.Message = protocol.String(message)
	for _, rel := range f.Related {
		if other := r.file(r.PathOf(rel.Position.File)); other != nil && s.inside(other.path) {
			d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: other.uri, Range: other.marked(rel.Position)}, Message: rel.Message,
			})
		} else {
			d.Message = protocol.String(message + "\n" + rel.String())
		}
	}
	return file.uri, d
}

func severity(s cento.Severity) protocol.DiagnosticSeverity {
	switch s.String() {
	case "error":
		return protocol.DiagnosticSeverityError
	case "warning":
		return protocol.DiagnosticSeverityWarning
	}
	return protocol.DiagnosticSeverityInformation
}

// targetNames names targets; the manifest without one has no name.
func targetNames(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "target " + n
		if n == "" {
			out[i] = "the manifest without target"
		}
	}
	return strings.Join(out, ", ")
}

// marked is what the editor marks for a position of ours: the word or the quoted text
// that begins there, the line where no column is known, and the first line where no
// line is.
func (l *lines) marked(p cento.Position) protocol.Range {
	at := l.at(p)
	line := lineOf(l.ours, at)
	end := l.end(l.ours, line)
	if p.Column == 0 {
		text := l.text[at:end]
		return l.span(at+len(text)-len(strings.TrimLeft(text, " \t")), end)
	}
	return l.span(at, at+wordLength(l.text[at:end]))
}

// wordLength is how long what begins a line is: a quoted text, a name, or one
// character.
func wordLength(line string) int {
	if line == "" {
		return 0
	}
	if q := line[0]; q == '"' || q == '\'' || q == '`' {
		if i := strings.IndexByte(line[1:], q); i >= 0 {
			return i + 2
		}
	}
	n := strings.IndexFunc(line, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",:[]{}()\"'`", r)
	})
	switch {
	case n < 0:
		return len(line)
	case n == 0:
		_, size := utf8.DecodeRuneInString(line)
		return size
	}
	return n
}

// fileReader has the files of a look: the texts that are open, and what lies on disk.
type fileReader struct {
	*look
	server   *server
	manifest string // its path; where there is none, where one would be
	files    map[string]*document
}

func (s *server) reader(l *look) *fileReader {
	r := &fileReader{look: l, server: s, files: map[string]*document{}, manifest: l.Site.ManifestPath}
	if r.manifest == "" {
		r.manifest = filepath.Join(l.request.Dir, app.ManifestName)
	}
	return r
}

// file is the text of a file, and nil for one that can't be read.
func (r *fileReader) file(path string) *document {
	if path == "" {
		return nil
	}
	if d, there := r.files[path]; there {
		return d
	}
	real, err := filepath.EvalSymlinks(path)
	var d *document
	if err == nil {
		if d = r.texts[real]; d == nil {
			if _, err := tree.Within(r.Site.FilesRoot(), path); err != nil {
				return nil
			}
			if raw, err := tree.ReadRawPath(real, tree.Options{}); err == nil {
				d = &document{uri: uri.File(real), path: real, lines: newLines(string(raw), r.server.utf8)}
			}
		}
	}
	r.files[path] = d
	return d
}
