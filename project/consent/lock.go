package consent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// LockFile is the name of the file that says which packs and tool servers a
// project was made with.
const LockFile = "cento.lock"

// MaxLock is the longest lock that is read, in bytes: room for the digests of some
// ten thousand tools.
const MaxLock = 4 << 20

// Lock is what each installed pack and tool server was when somebody last agreed to it.
type Lock struct {
	// Packs are ordered by name.
	Packs []LockedPack
	// Servers are ordered by name.
	Servers []LockedServer
	file    string
}

// LockedPack is one pack in a lock.
type LockedPack struct {
	Name    string
	Version string
	Digest  string // as [Installed].Digest
	// Position is the place in the lock; zero for an entry that isn't written yet.
	Position cento.Position
}

const lockVersion = 1

// ParseLock reads a lock. The name is that of its positions.
func ParseLock(name, text string, limits cento.Limits) (*Lock, error) {
	l, err := parseLock(name, text, limits)
	for _, e := range cento.SourceErrors(err) {
		if e.Hint != "" {
			e.Hint += "; "
		}
		e.Hint += "the program writes this file: take it back from version control, or delete it and agree anew with `cento pack add DIR` and `cento tools lock`"
	}
	return l, err
}

func parseLock(name, text string, limits cento.Limits) (*Lock, error) {
	root, err := strict.YAML(name, []byte(text), limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	var file struct {
		Version strict.Located[int] `json:"version"`
		Packs   []struct {
			strict.At
			Name    string                 `json:"name"`
			Version string                 `json:"version"`
			SHA256  strict.Located[string] `json:"sha256"`
		} `json:"packs"`
		Servers []lockedServerFile `json:"servers,omitempty"`
	}
	var d strict.Decoder
	d.Decode(root, &file)
	if v := file.Version; !d.Failed() && v.Value != lockVersion {
		d.Fail(v.Position(), strict.WrongValue, "version %d is not known", v.Value).Hint = fmt.Sprintf("this program reads version %d", lockVersion)
	}
	l := &Lock{file: name}
	first := make(map[string]cento.Position, len(file.Packs))
	for _, p := range file.Packs {
		if at, twice := first[p.Name]; twice {
			e := d.Fail(p.Position(), strict.DuplicateKey, "the pack %q is locked twice", p.Name)
			e.Related = []cento.Related{{Position: at, Message: "locked here first"}}
			continue
		}
		first[p.Name] = p.Position()
		// Of an absent key the decoder told.
		if s := p.SHA256.Value; !p.SHA256.Position().IsZero() && (len(s) != 64 || strings.Trim(s, "0123456789abcdef") != "") {
			d.Fail(p.SHA256.Position(), strict.WrongValue, "sha256 has 64 digits of lower-case hex")
		}
		l.Packs = append(l.Packs, LockedPack{Name: p.Name, Version: p.Version, Digest: p.SHA256.Value, Position: p.Position()})
	}
	l.servers(&d, file.Servers)
	if err := d.Err(); err != nil {
		return nil, err
	}
	l.sort()
	return l, nil
}

func (l *Lock) index(name string) int {
	return slices.IndexFunc(l.Packs, func(p LockedPack) bool { return p.Name == name })
}

func (l *Lock) sort() {
	slices.SortFunc(l.Packs, func(a, b LockedPack) int { return strings.Compare(a.Name, b.Name) })
}

// Check compares a pack with the lock; at is the place that names the pack, and folder
// where it lies, as the manifest has it. Its errors are [UnlockedPack] and [ChangedPack].
func (l *Lock) Check(p *Installed, folder string, at cento.Position) error {
	i := l.index(p.Name)
	if i < 0 {
		return &cento.SourceError{
			Code: UnlockedPack, Position: at, Message: "the pack " + quoted(p.Name) + " is not in " + LockFile,
			Hint: "look at its files, then run `cento pack add " + folder + "` to agree to them",
		}
	}
	if locked := l.Packs[i]; locked.Digest != p.Digest {
		e := &cento.SourceError{
			Code: ChangedPack, Position: at,
			Message: fmt.Sprintf("the pack %s is not what %s says: SHA-256 %s, locked %s", quoted(p.Name), LockFile, p.Digest, locked.Digest),
			Hint:    "look at what changed, then run `cento pack add " + folder + "` to agree to it",
		}
		if !locked.Position.IsZero() {
			e.Related = []cento.Related{{Position: locked.Position, Message: "locked here"}}
		}
		return e
	}
	return nil
}

// With returns a lock that agrees to the pack as it is.
func (l *Lock) With(p *Installed) *Lock {
	out := l.Without(p.Name)
	out.Packs = append(out.Packs, LockedPack{Name: p.Name, Version: p.Version, Digest: p.Digest})
	out.sort()
	return out
}

// Without returns a lock without the pack of that name.
func (l *Lock) Without(name string) *Lock {
	return &Lock{file: l.file, Servers: l.Servers, Packs: slices.DeleteFunc(slices.Clone(l.Packs), func(p LockedPack) bool { return p.Name == name })}
}

// String gives the file's text: the same bytes for the same lock.
func (l *Lock) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What this project is made of, as it was agreed to. Written by cento.\nversion: %d\n", lockVersion)
	if len(l.Packs) == 0 {
		b.WriteString("packs: []\n")
	} else {
		b.WriteString("packs:\n")
	}
	for _, p := range l.Packs {
		fmt.Fprintf(&b, "  - name: %q\n    version: %q\n    sha256: %s\n", p.Name, p.Version, p.Digest)
	}
	l.writeServers(&b)
	return b.String()
}
