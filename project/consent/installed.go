package consent

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
)

// The codes of installed packs.
const (
	// ChangedPack: a pack isn't what the lock says.
	ChangedPack cento.ErrorCode = "pack.changed"
	// UnlockedPack: a pack isn't in the lock.
	UnlockedPack cento.ErrorCode = "pack.unlocked"
)

// packFile is the name of the file by which a folder is a pack.
const packFile = "pack.yaml"

const (
	// maxPackFiles and maxPackBytes bound what one pack may hold.
	maxPackFiles = 10_000
	maxPackDepth = 32
	maxPackBytes = 64 << 20
)

// Installed is a pack as it was read: all at once, so that what was checked
// against the lock is what is used.
type Installed struct {
	Name        string
	Version     string
	Description string
	// HasLayer tells that the pack has a layer, which [Installed.Layer] reads.
	HasLayer bool
	// Prompts holds the files of $pack/<name>, which are those in Folder: a path
	// below the pack's own folder, empty for all of it.
	Prompts pack.Root
	Folder  string
	// Digest is the SHA-256, in lower-case hex, of the list of all files: a line
	// for each with its SHA-256, two blanks and its path, ordered by path, which
	// is how sha256sum prints them.
	Digest string
	// Files are the paths of all files, sorted.
	Files []string

	texts map[string]string
	layer *strict.Node // nil for none
}

// Text is the content of one of Files.
func (p *Installed) Text(file string) string { return p.texts[file] }

// Layer reads the pack's layer; the zero layer when it has none. Everything that
// is wrong with it is returned at once. The prefixes are those of the host, which its
// references may begin with too.
func (p *Installed) Layer(prefixes ...string) (layer.Layer, error) {
	d := strict.Decoder{Trust: cento.TrustWorkspace, Prefixes: prefixes}
	var l layer.Layer
	own := make([]pack.Prefix, len(prefixes))
	for i, p := range prefixes {
		own[i] = pack.Prefix(p)
	}
	if p.layer != nil {
		d.In("layer", func() {
			d.Decode(p.layer, &l)
			for reference, at := range l.Templates() {
				_, err := pack.ParseRef(reference, pack.Ref{}, at, own...)
				if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == pack.UnqualifiedRef {
					files := pack.NewLoader(pack.Roots{Packs: map[string]pack.Root{p.Name: p.Prompts}}, cento.Limits{})
					e.Hint = files.QualifyInPack(reference, p.Name, p.Folder)
				}
				d.Report(err)
			}
		})
	}
	return l, d.Err()
}

// NameOf is the name that the pack in a folder calls itself. The function show
// gives the name that people know for a path. Its errors are those of
// [OpenInstalled].
func NameOf(dir string, show func(string) string, limits cento.Limits) (string, error) {
	limits = limits.Or(cento.DefaultLimits())
	shown := show(filepath.Join(dir, packFile))
	f, err := tree.ReadPath(filepath.Join(dir, packFile), tree.Options{Limit: limits.File, Show: func(string) string { return shown }})
	if errors.Is(err, tree.NotFound) {
		e := &cento.SourceError{
			Code: pack.InvalidPack, Position: cento.Position{File: show(dir)}, Message: "the folder has no " + packFile,
			Hint: "a pack has a file " + packFile + " with name, version and description",
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			e.Message, e.Hint = "there is no such folder", "name the folder in which the pack's "+packFile+" lies"
		}
		return "", e
	}
	if err != nil {
		return "", err
	}
	root, err := strict.YAML(shown, []byte(f.Text), limits)
	if err != nil {
		return "", err
	}
	_, name := root.Member("name")
	if name == nil {
		return "", unnamed(root)
	}
	said, _ := name.Text()
	return said, pack.CheckName(said, name.Position())
}

// unnamed is the error of a pack file without the key name; at the key that was meant for it
// where there is one.
func unnamed(root *strict.Node) error {
	e := &cento.SourceError{Code: pack.InvalidPack, Position: root.Position(), Message: "the pack has no name", Hint: "write name: NAME, with version and description beside it"}
	for key := range root.Members() {
		said, _ := key.Text()
		if _, ok := nearest.Name(said, []string{"name"}); ok {
			e.Position, e.Hint = key.Position(), fmt.Sprintf("did you mean %q for %q?", "name", said)
			break
		}
	}
	return e
}

// OpenInstalled reads the pack of that name from a folder on a disk. The function show
// gives the name that people know for a file in the folder; nil shows its path
// below the pack. The position is that of whoever names the pack.
//
// Errors: [pack.InvalidPack], [cento.LimitExceeded], what the file pack.yaml can have
// wrong, and those of package tree for files that can't be read.
func OpenInstalled(disk disk.Disk, name, dir string, show func(string) string, limits cento.Limits, at cento.Position) (*Installed, error) {
	limits = limits.Or(cento.DefaultLimits())
	if show == nil {
		show = func(file string) string { return string(pack.PackPrefix(name)) + "/" + file }
	}
	if err := pack.CheckName(name, at); err != nil {
		return nil, err
	}
	t, err := tree.OpenOn(disk, dir, tree.Options{Limit: limits.File, Show: show})
	if err != nil {
		return nil, notOpened(disk, name, dir, show, at, err)
	}
	defer t.Close()
	r := packReader{tree: t, show: show, files: map[string]string{}}
	if err := r.folder(".", 1); err != nil {
		return nil, err
	}
	text, ok := r.files[packFile]
	if !ok {
		return nil, &cento.SourceError{
			Code: pack.InvalidPack, Position: at, Message: "the pack " + quoted(name) + " has no " + packFile,
			Hint: "a pack has a file " + packFile + " with name, version and description",
		}
	}
	p := &Installed{Digest: r.digest(), Files: r.sorted(), texts: r.files}
	return p, p.read(name, show(packFile), text, &r, limits, at)
}

// maxBeside bounds how many folders are looked at in search of what a wrong name meant.
const maxBeside = 256

// notOpened is the error of a pack whose folder can't be had: where it was looked for,
// and which pack beside it may be meant.
func notOpened(disk disk.Disk, name, dir string, show func(string) string, at cento.Position, err error) error {
	where := strings.TrimSuffix(show("."), "/.")
	e := &cento.SourceError{
		Code: pack.InvalidPack, Position: at, Message: "the pack " + quoted(name) + " cannot be opened in " + quoted(where), Err: unplaced(err),
		Hint: "packs lie inside the project; cento pack add installs one",
	}
	own := filepath.Base(dir)
	entries, lost := tree.ListPath(disk, filepath.Dir(dir), maxBeside)
	if !errors.Is(err, fs.ErrNotExist) || lost != nil { // the folder's own error says what is wrong
		return e
	}
	var beside []string
	for _, x := range entries {
		// What has another form than a name can be no pack, and isn't shown.
		if x.Name == own || pack.CheckName(x.Name, at) != nil {
			continue
		}
		if _, err := disk.Stat(filepath.Join(filepath.Dir(dir), x.Name, packFile)); err == nil {
			beside = append(beside, x.Name)
		}
	}
	if near, ok := nearest.Name(own, beside); ok {
		if own != name { // the manifest says the path itself
			near = path.Join(path.Dir(where), near)
		}
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// read takes what pack.yaml says; at is where somebody names the pack.
func (p *Installed) read(name, shown, text string, r *packReader, limits cento.Limits, at cento.Position) error {
	root, err := strict.YAML(shown, []byte(text), limits)
	if err != nil {
		return err
	}
	var fields struct {
		Name        strict.Located[string] `json:"name"`
		Version     strict.Located[string] `json:"version"`
		Description strict.Located[string] `json:"description"`
		Layer       *strict.Node           `json:"layer,omitempty" holds:"template slots patch"`
		Prompts     strict.Located[string] `json:"prompts,omitempty"`
	}
	var d strict.Decoder
	d.Decode(root, &fields)
	for _, of := range []struct {
		key, hint string
		said      *strict.Located[string]
	}{
		{"version", "say which version of the pack it is, as in 1.0", &fields.Version},
		{"description", "say in a line what the pack is for", &fields.Description},
		{"prompts", "name a folder of the pack, or leave prompts out where the files lie beside " + packFile, &fields.Prompts},
	} {
		if s, ok := of.said.Text(); ok && strings.TrimSpace(s) == "" {
			d.In(of.key, func() { d.Fail(of.said.Position(), strict.WrongValue, "a blank text").Hint = of.hint })
		}
	}
	if err := d.Err(); err != nil {
		return err
	}
	if fields.Name.Value != name {
		e := &cento.SourceError{
			Code: pack.InvalidPack, Position: fields.Name.Position(),
			Message: "the pack calls itself " + quoted(fields.Name.Value) + " and is installed as " + quoted(name),
			Hint:    "give it one name in both places",
		}
		if !at.IsZero() {
			e.Related = []cento.Related{{Position: at, Message: "installed here"}}
		}
		return e
	}
	p.Name, p.Version, p.Description = name, fields.Version.Value, fields.Description.Value
	p.layer, p.HasLayer = fields.Layer, fields.Layer != nil
	below := ""
	if folder := fields.Prompts.Value; folder != "" && folder != "." {
		if fault := tree.CheckName(strings.TrimSuffix(folder, "/")); fault != nil {
			return &cento.SourceError{
				Code: pack.InvalidPack, Position: fields.Prompts.Position(), Message: "prompts must be a folder of the pack: " + fault.Reason,
			}
		}
		below = strings.TrimSuffix(folder, "/") + "/"
	}
	p.Folder = strings.TrimSuffix(below, "/")
	prompts := map[string]string{}
	for file, text := range r.files {
		if inside, ok := strings.CutPrefix(file, below); ok {
			prompts[inside] = text
		}
	}
	if len(prompts) == 0 {
		return r.noPrompts(p.Folder, fields.Prompts.Position())
	}
	p.Prompts = pack.Texts(prompts)
	return nil
}

// noPrompts is the error of a folder of prompt files in which no file of the pack lies. A
// folder without files is as none: neither the digest nor a copy of the pack has it.
func (r *packReader) noPrompts(folder string, at cento.Position) error {
	e := &cento.SourceError{
		Code: pack.InvalidPack, Position: at, Message: "prompts: there is no folder " + quoted(folder) + " in the pack",
		Hint: "name a folder of the pack, or leave prompts out where the files lie beside " + packFile,
	}
	link := slices.IndexFunc(r.links, func(l string) bool {
		name, _, _ := strings.Cut(l, " -> ")
		return folder == name || strings.HasPrefix(folder, name+"/")
	})
	_, file := r.files[folder]
	switch near, ok := nearest.Name(folder, r.withFiles()); {
	case file:
		e.Message = "prompts: " + quoted(folder) + " is a file"
	case link >= 0:
		e.Message = "prompts: " + quoted(folder) + " is a link to a folder, which isn't entered"
		e.Hint = "name the folder itself, which lies in the pack"
	case slices.Contains(r.folders, folder):
		e.Message = "prompts: there is no file in the folder " + quoted(folder)
	case ok:
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// withFiles are the folders of the pack in which a file lies, or below which one does.
func (r *packReader) withFiles() []string {
	var out []string
	for file := range r.files {
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// packReader reads all files of a pack.
type packReader struct {
	tree    *tree.Tree
	show    func(string) string
	files   map[string]string
	links   []string // folders that are links, with what they lead to
	folders []string // the others
	seen    int
	bytes   int
}

func (r *packReader) folder(dir string, depth int) error {
	entries, err := r.tree.ReadDir(dir, maxPackFiles-r.seen)
	if err != nil {
		return err
	}
	r.seen += len(entries)
	for _, e := range entries {
		name := path.Join(dir, e.Name)
		if strings.ContainsFunc(name, unicode.IsControl) {
			return &cento.SourceError{Code: pack.InvalidPack, Message: "a file of a pack has a control character in its name, " + quoted(r.show(name))}
		}
		switch {
		case e.Mode.IsDir() && depth == maxPackDepth:
			return &cento.SourceError{
				Code: cento.LimitExceeded, Position: cento.Position{File: r.show(name)},
				Message: fmt.Sprintf("folders of a pack nest deeper than %d", maxPackDepth),
			}
		case e.Mode.IsDir():
			r.folders = append(r.folders, name)
			err = r.folder(name, depth+1)
		case e.Mode&fs.ModeSymlink != 0:
			err = r.link(name)
		default:
			err = r.file(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// link reads a file through a link. A link to a folder is not entered, but what
// it leads to counts.
func (r *packReader) link(name string) error {
	info, err := r.tree.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return r.file(name)
	}
	real, err := r.tree.Real(name)
	if err != nil {
		return err
	}
	r.links = append(r.links, name+" -> "+real)
	return nil
}

func (r *packReader) file(name string) error {
	raw, err := r.tree.ReadRaw(name)
	if err != nil {
		return err
	}
	if r.bytes += len(raw); r.bytes > maxPackBytes {
		return &cento.SourceError{
			Code: cento.LimitExceeded, Position: cento.Position{File: r.show(name)},
			Message: fmt.Sprintf("the pack has more than %d bytes", maxPackBytes),
		}
	}
	r.files[name] = string(raw)
	return nil
}

func (r *packReader) sorted() []string {
	names := make([]string, 0, len(r.files))
	for name := range r.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (r *packReader) digest() string {
	type line struct{ path, sum string }
	lines := make([]line, 0, len(r.files)+len(r.links))
	for name, text := range r.files {
		lines = append(lines, line{name, hexSum(text)})
	}
	for _, l := range r.links {
		lines = append(lines, line{l, hexSum("")})
	}
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.path, b.path) })
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.sum + "  " + l.path + "\n")
	}
	return hexSum(b.String())
}

func hexSum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// unplaced is an error without its place, to stand in one that has another.
func unplaced(err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err
	}
	out := *e
	out.Position = cento.Position{}
	return &out
}

// quoted is a name that somebody wrote, on one line and of a length that a message
// can have.
func quoted(s string) string {
	const longest = 200
	q := strconv.QuoteToGraphic(quote.ClipRunes(s, longest))
	return "'" + strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(q[1:len(q)-1]) + "'"
}
