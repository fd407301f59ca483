package starter

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/otherclient"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// A project that used other clients has instructions in their files already. Those that
// are loaded as project instructions need nothing. By default every other file stays out,
// as it does without a manifest. On request the manifest refers to it, unless that would
// lose the condition under which its client reads it.

// ImportStatus is what became of a file.
type ImportStatus string

// The states.
const (
	// ImportLoaded: the file is in the prompt as a project instruction.
	ImportLoaded ImportStatus = "loaded"
	// ImportAdded: a fragment of the manifest refers to the file.
	ImportAdded ImportStatus = "imported"
	// ImportLeft: a fragment could refer to the file, and nobody asked for it.
	ImportLeft ImportStatus = "left_out"
	// ImportConditional: its client reads the file under a condition that a fragment
	// can't have.
	ImportConditional ImportStatus = "conditional"
	// ImportLink: the file holds only the path of another one.
	ImportLink ImportStatus = "link"
	// ImportSame: its text is in the prompt already, from another file.
	ImportSame ImportStatus = "same"
	// ImportBlank: there is nothing in it.
	ImportBlank ImportStatus = "blank"
	// ImportOverridden: AGENTS.override.md is read instead.
	ImportOverridden ImportStatus = "overridden"
	// ImportFailed: it can't be read.
	ImportFailed ImportStatus = "failed"
)

// Import is a file that instructs agents, and what was done with it.
type Import struct {
	// Path is relative to the root of the project.
	Path   string       `json:"path"`
	Status ImportStatus `json:"status"`
	// Fragment is the id of the fragment that refers to it.
	Fragment string `json:"fragment,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Bytes    int    `json:"bytes"`
	// Names are the files that its text names as `@path`, as clients do to put
	// them in, and that the prompt doesn't have for that.
	Names []string `json:"names,omitempty"`

	text string
}

// key is what texts are compared by: front matter, and white space at the ends, have no
// part in a prompt.
func (x *Import) key() string {
	_, begin := strict.Behind(x.text)
	return strings.TrimSpace(x.text[begin:])
}

// importFiles looks for files of the project in some of its folders, which are
// relative to the root. Base is the folder of the manifest, as seen from the root.
func importFiles(r project.Request, root workspace.Root, cwd, base string, add bool) ([]Import, error) {
	t, err := tree.Open(filepath.FromSlash(root.Dir), tree.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	in, err := workspace.LoadInstructions(workspace.InstructionsConfig{Root: root.Dir, Cwd: cwd, Global: r.Config, Home: r.Home})
	if err != nil {
		return nil, err
	}
	loaded := map[string]workspace.File{}
	for _, f := range in.Files {
		loaded[f.Path] = f
	}
	folders := []string{"."}
	if base != "." {
		folders = append(folders, base)
	}
	out := []Import{}
	for _, folder := range folders {
		for _, f := range otherclient.Files(t, folder) {
			name := strings.TrimPrefix(strings.TrimPrefix(f.Path, folder), "/")
			if name == "AGENTS.override.md" || name == "CLAUDE.local.md" || name == "CONTEXT.md" {
				continue // of AGENTS.md, of one person, and of people as well
			}
			x := Import{Path: f.Path, Bytes: f.Bytes, Names: f.Names, text: f.Text}
			if f.Failed != "" {
				x.Status, x.Reason = ImportFailed, f.Failed
			}
			out = append(out, x)
		}
	}
	decide(out, loaded, t, base, add)
	return out, nil
}

// decide says what is done with each file. The files that are loaded come
// first, so that a copy of one counts as such.
func decide(files []Import, loaded map[string]workspace.File, t *tree.Tree, base string, add bool) {
	texts := map[string]string{}
	for i := range files {
		x := &files[i]
		switch f := loaded[x.Path]; {
		case x.Status != "":
		case f.Status == workspace.Loaded:
			x.Status, x.Reason = ImportLoaded, "the project instructions have it"
			texts[x.key()] = x.Path
		case f.Status == workspace.Cut:
			x.Status, x.Reason = ImportLoaded, f.Reason
			texts[x.key()] = x.Path
		}
	}
	ids := map[string]bool{}
	for i := range files {
		x := &files[i]
		if x.Status != "" {
			continue
		}
		first, twice := texts[x.key()]
		named, names := strings.CutPrefix(x.key(), "@")
		names = names && !strings.ContainsAny(named, "\n \t") && loaded[path.Join(path.Dir(x.Path), named)].Status == workspace.Loaded
		switch target, condition := path.Join(path.Dir(x.Path), x.key()), Condition(x.Path, x.text); {
		case x.key() == "":
			x.Status, x.Reason = ImportBlank, "there is nothing in it"
		case loaded[x.Path].Status == workspace.Ignored:
			x.Status, x.Reason = ImportSame, loaded[x.Path].Reason
		case twice:
			x.Status, x.Reason = ImportSame, "the same text as "+workspace.Visible(first)
		case names:
			x.Status, x.Reason = ImportSame, "it only names "+workspace.Visible(named)+", which is loaded"
		case !strings.ContainsAny(x.key(), " \t\n") && target != x.Path && isFile(t, target):
			x.Status, x.Reason = ImportLink, fmt.Sprintf("holds only the path of %q, as a link does that was checked out as a text", workspace.Visible(target))
		case path.Base(x.Path) == "AGENTS.md" && loaded[path.Join(path.Dir(x.Path), "AGENTS.override.md")].Status == workspace.Loaded:
			x.Status, x.Reason = ImportOverridden, "AGENTS.override.md is read instead"
		case condition != "":
			x.Status, x.Reason = ImportConditional, condition
		case fromBase(base, x.Path) == "":
			x.Status, x.Reason = ImportFailed, "its name can't be written into a manifest"
		case !add:
			x.Status, x.Reason = ImportLeft, "it is in no prompt of Cento"
			texts[x.key()] = x.Path
		default:
			x.Status, x.Fragment = ImportAdded, "import:"+workspace.Visible(x.Path)
			for n := 2; ids[x.Fragment]; n++ {
				x.Fragment = "import:" + workspace.Visible(x.Path) + "." + strconv.Itoa(n)
			}
			ids[x.Fragment] = true
			texts[x.key()] = x.Path
		}
	}
	has := map[string]bool{}
	for _, x := range files {
		has[x.Path] = x.Status == ImportLoaded || x.Status == ImportAdded || x.Status == ImportSame
	}
	for i := range files { // of the files that a text names, those that the prompt doesn't have
		x := &files[i]
		if x.Status != ImportLoaded && x.Status != ImportAdded {
			x.Names = nil
		}
		x.Names = slices.DeleteFunc(x.Names, func(name string) bool { return has[name] })
	}
}

func isFile(t *tree.Tree, name string) bool {
	info, err := t.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// fromBase is a file as the manifest names it; empty for a name that it can't write.
func fromBase(base, name string) string {
	rel, err := filepath.Rel(filepath.FromSlash(base), filepath.FromSlash(name))
	if err != nil || strings.ContainsFunc(rel, func(r rune) bool { return r == utf8.RuneError }) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// always is what front matter has to say in the rules of some clients before they read a
// file with every request. Without it the file waits for a person, for the model or for a
// file that it matches.
var always = []struct{ folder, field, value string }{
	{".cursor/rules/", "alwaysApply", "true"},
	{".windsurf/rules/", "trigger", "always_on"},
	{".github/instructions/", "applyTo", "**"},
	{".continue/rules/", "alwaysApply", "true"},
}

// Condition says why a client doesn't read a file with every request; empty if it does.
// A field that isn't known here may be a condition, and counts as one.
func Condition(name, text string) string {
	block, _ := strict.Behind(text)
	fields := map[string]string{}
	var keys []string
	if root := strict.Loose(name, []byte(block), cento.DefaultLimits()); root != nil {
		for k, v := range root.Members() {
			key, _ := k.Text()
			value, ok := v.Text()
			if items := v.Items(); len(items) == 1 {
				value, ok = items[0].Text()
			}
			if !ok && v.Kind() != strict.Null {
				value = "…"
			}
			keys, fields[key] = append(keys, key), value
		}
	} else if !strict.SaysNothing(block) {
		return "its front matter can't be read"
	}
	for _, a := range always {
		if !strings.Contains("/"+name, "/"+a.folder) {
			continue
		}
		if value := fields[a.field]; value == a.value {
			return ""
		}
		told := fmt.Sprintf("its client doesn't read it with every request, since its front matter has no %s: %q", a.field, a.value)
		for _, key := range []string{"globs", "applyTo", "trigger"} {
			if value := fields[key]; value != "" {
				told += fmt.Sprintf("; it has %s: %q", key, value)
			}
		}
		return told
	}
	for _, key := range keys {
		value := fields[key]
		switch key {
		case "name", "title", "description", "author", "version", "tags":
			continue
		case "inclusion", "trigger":
			if value == "always" || value == "always_on" {
				continue
			}
		case "alwaysApply":
			if value == "true" {
				continue
			}
		case "paths", "globs", "applyTo":
			if value == "" || value == "**" {
				continue
			}
		}
		return fmt.Sprintf("its front matter has %s: %q, which a fragment can't have", key, value)
	}
	return ""
}

// fragments is the part of a manifest that refers to the files.
func fragments(files []Import, base string) string {
	var b strings.Builder
	for i := range files {
		x := &files[i]
		if x.Status != ImportAdded {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("\n# Files of other clients, as they are when a prompt is made.\nfragments:\n")
		}
		fmt.Fprintf(&b, "  - {id: %s, title: %s, file: %s}\n", strconv.QuoteToASCII(x.Fragment), strconv.QuoteToASCII(workspace.Visible(x.Path)), strconv.QuoteToASCII(fromBase(base, x.Path)))
	}
	return b.String()
}
