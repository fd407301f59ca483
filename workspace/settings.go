package workspace

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pelletier/go-toml/v2"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// Settings files of clients change which instruction files they load. Cento reads the keys
// below, and names in a note a key that it finds and does not read.

const (
	// maxSettings is the largest settings file that is read, in bytes.
	maxSettings = 256 << 10
	// maxSettingNames bounds a list of names in a settings file.
	maxSettingNames = 64
	// maxBraces is the most braces of a pattern that is tried: each is tried one by one.
	maxBraces = 3
)

// settingsFile is a settings file that was read.
type settingsFile struct {
	shown  string
	values map[string]any
}

// settingsAt reads a settings file; nil where there is none. A file that can't be read has
// a note.
func (l *loader) settingsAt(g *ground, name string) *settingsFile {
	if g == nil || tree.CheckName(name) != nil {
		return nil
	}
	c := candidate{ground: g, name: name}
	if c.absent() {
		return nil
	}
	s := &settingsFile{shown: g.tree.Show(name)}
	f, err := g.tree.Read(name)
	if err == nil {
		s.values, err = parseSettings(name, f.Text)
	}
	if err != nil {
		reason := "it can't be parsed"
		if len(cento.SourceErrors(err)) > 0 {
			_, reason, _ = explain(err, s.shown)
		}
		l.settingNote(s, "this settings file is not read: "+reason)
		return nil
	}
	return s
}

// parseSettings parses TOML, or JSON with comments and trailing commas.
func parseSettings(name, text string) (values map[string]any, err error) {
	switch {
	case len(text) > maxSettings:
		return nil, &cento.SourceError{Code: tree.TooLarge, Message: fmt.Sprintf("it is over %d bytes", maxSettings)}
	case strings.HasSuffix(name, ".toml"):
		err = toml.Unmarshal([]byte(text), &values)
	default:
		err = json.Unmarshal(plainJSON(text), &values)
	}
	return values, err
}

// plainJSON replaces comments and trailing commas by spaces.
func plainJSON(text string) []byte {
	out := []byte(text)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := strings.IndexByte(text[i:], '\n')
			if out[i+1] == '*' {
				if end = strings.Index(text[i+2:], "*/"); end >= 0 {
					end += 4
				}
			}
			if end < 0 {
				end = len(out) - i
			}
			for j := i; j < i+end; j++ {
				out[j] = ' '
			}
			i += end - 1
		case c == ',':
			comma = i
		case c == ']' || c == '}':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c > ' ':
			comma = -1
		}
	}
	return out
}

// settingNote adds a note about a settings file.
func (l *loader) settingNote(s *settingsFile, message string) {
	l.settingNotes = append(l.settingNotes, cento.Note{Code: InstructionsSettings, Message: message, Position: cento.Position{File: s.shown}})
}

// value is the value of a key such as "context.fileName".
func (s *settingsFile) value(key string) (any, bool) {
	if s == nil {
		return nil, false
	}
	v, ok := any(s.values), true
	for _, part := range strings.Split(key, ".") {
		m, isMap := v.(map[string]any)
		if !isMap {
			return nil, false
		}
		if v, ok = m[part]; !ok {
			return nil, false
		}
	}
	return v, true
}

// settingNames is the list of texts that a key has. A single text counts where one is allowed. A value
// of another kind has a note.
func (l *loader) settingNames(s *settingsFile, key string, single bool) ([]string, bool) {
	v, ok := s.value(key)
	if !ok {
		return nil, false
	}
	if text, isText := v.(string); isText && single {
		v = []any{text}
	}
	list, ok := v.([]any)
	out := make([]string, 0, len(list))
	for _, x := range list {
		text, isText := x.(string)
		ok = ok && isText
		out = append(out, text)
	}
	if !ok || len(out) > maxSettingNames || slices.ContainsFunc(out, func(n string) bool { return strings.Contains(n, "${") || strings.Contains(n, "{env:") }) {
		l.settingNote(s, fmt.Sprintf("%s is not read: Cento reads up to %d plain texts", key, maxSettingNames))
		return nil, false
	}
	return out, true
}

// unread notes the keys of a settings file that change the answer and are not read.
func (l *loader) unreadSettings(s *settingsFile, keys ...string) {
	for _, key := range keys {
		if _, ok := s.value(key); ok {
			l.settingNote(s, key+" changes what the client loads, and is not read")
		}
	}
}

// userSettings reads a settings file of the user.
func (l *loader) userSettings(cfg *InstructionsConfig, folder, name string) *settingsFile {
	u := l.openUser(cfg, folder)
	if u == nil || u.ground == nil {
		return nil
	}
	return l.settingsAt(u.ground, path.Join(u.prefix, name))
}

// inProject is the ground of a folder, and its name there.
func (l *loader) inProject(dir string) (*ground, string) {
	if rel, ok := below(l.project.base, dir); ok {
		return l.project, rel
	}
	return l.folderAbove(dir), "."
}

// projectSettings reads a settings file in a folder.
func (l *loader) projectSettings(dir, name string) *settingsFile {
	g, rel := l.inProject(dir)
	return l.settingsAt(g, path.Join(rel, name))
}

// applySettings changes the convention by the client's settings files.
func (l *loader) applySettings(cfg *InstructionsConfig, cwd, top string) {
	set := *l.convention
	switch set.name {
	case "codex":
		l.settleCodex(cfg, &set, cwd, top)
	case "claude":
		for _, s := range []*settingsFile{
			l.userSettings(cfg, folderClaude, "settings.json"),
			l.projectSettings(cwd, ".claude/settings.json"), l.projectSettings(cwd, ".claude/settings.local.json"),
		} {
			names, _ := l.settingNames(s, "claudeMdExcludes", false)
			l.excludes = append(l.excludes, names...)
		}
	case "gemini", "qwen":
		folder := folderGemini
		if set.name == "qwen" {
			folder = folderQwen
		}
		var names []string
		for i, s := range []*settingsFile{l.userSettings(cfg, folder, "settings.json"), l.projectSettings(cwd, "."+folder+"/settings.json")} {
			for _, key := range []string{"context.fileName", "contextFileName"} {
				if set.name == "gemini" && key == "contextFileName" {
					continue // of an older version
				}
				if list, ok := l.settingNames(s, key, true); ok {
					names = list
				}
			}
			l.unreadSettings(s, "context.loadMemoryFromIncludeDirectories")
			if markers, ok := l.settingNames(s, "context.memoryBoundaryMarkers", false); ok && i == 0 && set.name == "gemini" {
				set.markers = markers // the project's are not read by the client
			}
		}
		if names = slices.DeleteFunc(names, func(n string) bool { return tree.CheckName(path.Clean(n)) != nil }); len(names) > 0 {
			set.rename(folder, names)
		}
	case "opencode":
		l.settleOpencode(cfg, cwd, top)
	}
	l.convention = &set
}

// rename lets a convention look for files of other names.
func (c *convention) rename(folder string, names []string) {
	var user []userFile
	if c.name == "gemini" {
		names = append(slices.Clone(names), c.ranks[0]...)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	for _, n := range names {
		user = append(user, userFile{folder, n})
	}
	if c.passes != nil {
		kept := c.passes[len(c.passes)-2:] // QWEN.local.md and rules
		user = append(user, userFile{folder, "rules/"})
		c.passes = nil
		for _, n := range names {
			c.passes = append(c.passes, []string{n})
		}
		c.passes = append(c.passes, kept...)
		names = append(slices.Clone(names), slices.Concat(kept...)...)
	}
	c.user, c.ranks = [][]userFile{user}, [][]string{names}
}

func (l *loader) settleCodex(cfg *InstructionsConfig, c *convention, cwd, top string) {
	user := l.userSettings(cfg, folderCodex, "config.toml")
	if markers, ok := l.settingNames(user, "project_root_markers", false); ok {
		c.markers = markers
	}
	folders := l.folders(l.project.base, cwd, top)
	layers := []*settingsFile{user}
	for _, dir := range slices.Backward(folders) {
		s := l.projectSettings(dir, ".codex/config.toml")
		if s == nil {
			continue
		}
		switch l.codexTrust(user, folders) {
		case "untrusted":
			l.settingNote(s, "Codex does not read this file: the user's config.toml calls the project untrusted")
			continue
		case "":
			l.settingNote(s, "Codex reads this file once the user trusts the project")
		}
		layers = append(layers, s)
	}
	for _, s := range layers {
		if names, ok := l.settingNames(s, "project_doc_fallback_filenames", false); ok {
			names = slices.DeleteFunc(names, func(n string) bool { return n == "" || n != path.Base(n) || tree.CheckName(n) != nil })
			c.ranks = [][]string{append(slices.Clone(agentsMD), names...)}
		}
		if n, ok := s.value("project_doc_max_bytes"); ok {
			if n, ok := n.(int64); ok && n >= 0 && cfg.Limit == 0 {
				l.limit = int(min(n, 1<<40))
				l.remaining, l.fileLimit = l.limit, l.limit
			}
		}
	}
}

// codexTrust is what the user's settings call a project; empty for nothing.
func (l *loader) codexTrust(user *settingsFile, folders []string) string {
	if user == nil {
		return ""
	}
	projects, _ := user.values["projects"].(map[string]any)
	for _, dir := range folders {
		if p, ok := projects[dir].(map[string]any); ok {
			level, _ := p["trust_level"].(string)
			return level
		}
	}
	return ""
}

// settleOpencode adds the files that `instructions` of opencode's settings name.
func (l *loader) settleOpencode(cfg *InstructionsConfig, cwd, top string) {
	type setting struct {
		name, shown string
		user        bool
	}
	var named []setting
	take := func(s *settingsFile, user bool) {
		names, _ := l.settingNames(s, "instructions", false)
		for _, n := range names {
			named = append(named, setting{n, s.shown, user})
		}
	}
	for _, name := range []string{"config.json", "opencode.json", "opencode.jsonc"} {
		take(l.userSettings(cfg, folderOpencode, name), true)
	}
	folders := l.folders(l.project.base, cwd, top)
	for _, dir := range slices.Backward(folders) {
		for _, name := range []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"} {
			take(l.projectSettings(dir, name), false)
		}
	}
	for _, n := range named {
		s := &settingsFile{shown: n.shown}
		switch name := n.name; {
		case strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://"):
			l.settingNote(s, fmt.Sprintf("opencode fetches %q; Cento does not", name))
		case extendedGlob().MatchString(name):
			l.settingNote(s, fmt.Sprintf("%q is not read: of patterns Cento reads *, ?, [] and {}", name))
		case strings.HasPrefix(name, "~/") && l.home != "":
			l.nameFiles(l.home, name[2:], name, n.user)
		case path.IsAbs(name):
			l.nameFiles("/", name, name, n.user)
		default:
			for i, dir := range folders {
				if _, ok := below(l.project.base, dir); !ok && !n.user && i > 0 {
					l.settingNote(s, fmt.Sprintf("opencode looks for %q in the folders above the project too; Cento does not", name))
					break
				}
				l.nameFiles(dir, name, name, n.user)
			}
		}
	}
}

// extendedGlob is one of the patterns of shells that Cento doesn't match.
var extendedGlob = compiled(`[!@+*?]\(`)

// nameFiles adds the files of a folder that a pattern matches, as it is written. Only the user's own settings
// may name files outside of the project.
func (l *loader) nameFiles(dir, pattern, written string, user bool) {
	full := path.Join(dir, pattern)
	dir, glob := doublestar.SplitPattern(full)
	pl := &place{pick: every}
	l.named = append(l.named, pl)
	if _, ok := below(l.project.base, dir); !ok && !user {
		p := &part{file: File{Path: l.show(full), Trust: cento.TrustWorkspace}}
		l.failed(p, &cento.SourceError{Code: tree.Outside, Message: "the project's settings name a file outside of the project", Position: cento.Position{File: p.file.Path}})
		pl.parts = append(pl.parts, p)
		return
	}
	g, rel := l.inProject(dir)
	if g == nil {
		return
	}
	if g != l.project {
		g.trust = cento.TrustUser
	}
	add := func(name string) {
		pl.files = append(pl.files, candidate{ground: g, name: name})
	}
	if !strings.ContainsAny(glob, "*?[{") {
		add(path.Join(rel, glob))
	} else if len(glob) <= maxGlob && strings.Count(glob, "{") <= maxBraces {
		pl.pattern = written
		l.globFiles(g, rel, glob, add)
	}
}

// namedPlaces adds the files that settings name and that no folder has already.
func (l *loader) namedPlaces() {
	seen := map[string]bool{}
	for _, pl := range l.places {
		for _, c := range pl.files {
			if c.instead == "" {
				seen[c.absolute(c.name)] = true
			}
		}
	}
	for _, pl := range l.named {
		pl.files = slices.DeleteFunc(pl.files, func(c candidate) bool {
			known := seen[c.absolute(c.name)]
			seen[c.absolute(c.name)] = true
			return known
		})
	}
	l.places = append(l.places, l.named...)
}

// globFiles lists files that match, sorted by path.
func (l *loader) globFiles(g *ground, dir, glob string, add func(string)) {
	left := maxRuleEntries
	var walk func(at, rel string, depth int)
	walk = func(at, rel string, depth int) {
		entries, err := g.tree.ReadDir(at, maxRuleEntries)
		if err != nil {
			return
		}
		for _, e := range entries {
			if left--; left < 0 || slices.Contains(VCSMarkers(), e.Name) || tree.CheckName(e.Name) != nil {
				continue
			}
			name := path.Join(rel, e.Name)
			if e.Mode.IsDir() {
				if depth < maxRuleDepth {
					walk(path.Join(at, e.Name), name, depth+1)
				}
			} else if ok, err := doublestar.Match(glob, name); ok && err == nil {
				add(path.Join(at, e.Name))
			}
		}
	}
	walk(dir, "", 1)
}

// excluded reports whether the client's settings exclude a file, by its absolute path.
func (l *loader) excluded(abs string) bool {
	return slices.ContainsFunc(l.excludes, func(pattern string) bool {
		if len(pattern) > maxGlob || strings.Count(pattern, "{") > maxBraces {
			return false
		}
		ok, err := doublestar.Match(pattern, abs)
		return ok && err == nil
	})
}

// folderAbove opens a folder outside of the project.
func (l *loader) folderAbove(dir string) *ground {
	t, err := tree.OpenOn(l.disk, filepath.FromSlash(dir), tree.Options{Limit: l.maxFile, Show: func(name string) string {
		return l.show(path.Join(dir, name))
	}})
	if err != nil {
		return nil
	}
	l.closers = append(l.closers, t)
	return &ground{disk: l.disk, tree: t, base: dir, trust: cento.TrustWorkspace, confine: "."}
}
