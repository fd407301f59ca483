package project

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
)

// pathTexts tells of texts that are nothing but the path of a file that there is, or the
// reference of a prompt file: they are sent as they stand, and their writer means the
// file.
func (r *reader) pathTexts(fragments []cento.Fragment) []cento.Note {
	const most = 20
	var notes []cento.Note
	var files *tree.Tree
	var err error
	root := r.Root.Dir
	if _, ok := below(root, r.Base); !ok {
		root = r.Base // the manifest was named and stands elsewhere
	}
	for i := range fragments {
		f := &fragments[i]
		body := strings.TrimSpace(f.Body)
		if f.Template != "" || f.Excluded != nil || f.Tail || f.Trust != cento.TrustWorkspace && f.Trust != cento.TrustUser {
			continue
		}
		path, imported := importedPath(body)
		if !readsAsPath(path) {
			continue
		}
		if ref, ok := strings.CutPrefix(body, string(pack.Workspace)+"/"); ok {
			path = promptFolder + "/" + strings.TrimSuffix(ref, ".md") + ".md"
		}
		name, ok := below(root, r.named(filepath.FromSlash(path)))
		if !ok {
			continue
		}
		is, known := r.shared.files.Load(filepath.Join(root, name))
		if !known {
			if files == nil {
				if files, err = tree.OpenOn(r.disk, root, tree.Options{}); err != nil {
					return nil
				}
				defer files.Close()
			}
			info, err := files.Stat(name)
			is = err == nil && info.Mode().IsRegular()
			r.shared.files.Store(filepath.Join(root, name), is)
		}
		if is == false {
			continue
		}
		named := " of that name"
		if imported {
			named = " " + path + ", which only other programs import this way"
		}
		text := cento.Text{Body: f.Body, Runs: f.Runs, Origin: f.Origin}
		notes = append(notes, cento.Note{
			Code: CodeTextPath, Fragment: f.ID, Position: text.Locate(strings.Index(f.Body, body)),
			Message: strconv.Quote(body) + " is sent as it stands, and not the file" + named + ": " + insteadOfPath(f.ID, path),
		})
		if len(notes) == most {
			break
		}
	}
	return notes
}

// imports are how other programs name a file whose text they put in: Claude Code, Gemini CLI
// and its commands, opencode, promptfoo, Kiro, and YAML of several.
var imports = [][2]string{{"@{", "}"}, {"@", ""}, {"{file:", "}"}, {"file://", ""}, {"#[[file:", "]]"}, {"!include ", ""}}

// importedPath is the path in a text that is an import of another program, else the text.
func importedPath(text string) (path string, imported bool) {
	for _, spelling := range imports {
		path, begins := strings.CutPrefix(text, spelling[0])
		path, ends := strings.CutSuffix(path, spelling[1])
		if begins && ends {
			return strings.TrimSpace(path), true
		}
	}
	return text, false
}

// readsAsPath reports whether a text may be meant as the path of a file: a word with a
// slash or an ending.
func readsAsPath(text string) bool {
	const longest = 256
	if text == "" || len(text) > longest || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	return strings.ContainsRune(text, '/') || filepath.Ext(text) != ""
}

// insteadOfPath says what to write for the text of a file, in the place of a fragment.
func insteadOfPath(id, path string) string {
	key := "template"
	switch {
	case id == cento.SystemID:
		key = "instruction"
	case id == cento.ReplacementID, slices.ContainsFunc([]string{"primary:", "builtin:", "text:"}, func(prefix string) bool { return strings.HasPrefix(id, prefix) }):
		return "write the text itself here"
	}
	file, inside := strings.CutPrefix(filepath.ToSlash(filepath.Clean(path)), promptFolder+"/")
	ref := string(pack.Workspace) + "/" + strings.TrimSuffix(file, ".md")
	if inside {
		return "write " + key + ": " + ref
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return "move it to " + promptFolder + "/" + name + ".md and write " + key + ": " + string(pack.Workspace) + "/" + name
}
