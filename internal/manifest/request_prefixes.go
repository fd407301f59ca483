package manifest

import (
	"errors"
	"maps"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// prefixesFile are the prefixes that a caller brings, each with its prompt files.
type prefixesFile struct {
	own map[pack.Prefix]pack.Own
}

// prefixFile is what stands below one of them.
type prefixFile struct {
	strict.At
	Trust *prefixTrust     `json:"trust" jsonschema:"How far the files are trusted: host, user, workspace, tool or session."`
	Files map[string]*text `json:"files" jsonschema:"Texts of prompt files by their paths below the prefix, such as d/rest.md."`
}

func (p *prefixesFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	var files map[string]*prefixFile
	d.Decode(n, &files)
	p.own = make(map[pack.Prefix]pack.Own, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		prefix := pack.Prefix(name)
		d.In(name, func() {
			f := files[name]
			if f == nil {
				return // missing, as was reported
			}
			own := pack.Own{Root: pack.Texts(nil)}
			if err := pack.CheckOwn(map[pack.Prefix]pack.Own{prefix: own}); err != nil {
				d.Report(errorAt(err, f.Position()))
				return
			}
			own.Root = pack.Texts(f.texts(d, prefix))
			if f.Trust != nil {
				own.Trust = f.Trust.Trust
			}
			p.own[prefix] = own
		})
	}
}

// prefixTrust is how far a caller trusts files of its own.
type prefixTrust struct{ cento.Trust }

func (t *prefixTrust) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if d.Decode(n, &t.Trust); t.Trust == cento.TrustBuiltin {
		d.Fail(n.Position(), TrustRaised, "only the program's own texts are %s", t.Trust).
			Hint = "say host for files of your own, or whose they are: user, workspace, tool or session"
	}
}

// errorAt gives an error about a value the place of the value.
func errorAt(err error, at cento.Position) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err
	}
	moved := *e
	moved.Position = at
	return &moved
}

// texts are the files by the paths that references mean.
func (f *prefixFile) texts(d *strict.Decoder, prefix pack.Prefix) map[string]string {
	out := make(map[string]string, len(f.Files))
	d.In("files", func() {
		first := map[pack.Ref]cento.Position{}
		for _, name := range slices.Sorted(maps.Keys(f.Files)) {
			text := f.Files[name]
			if text == nil {
				continue
			}
			d.In(name, func() {
				ref, err := pack.ParseRef(string(prefix)+"/"+name, pack.Ref{}, text.Position(), prefix)
				switch place, twice := first[ref]; {
				case err != nil:
					d.Report(err)
				case twice:
					d.Fail(text.Position(), pack.InvalidRef, "%q means a file that is there already", name).
						Related = []cento.Related{{Position: place, Message: "the other one"}}
				default:
					first[ref], out[ref.File()] = text.Position(), text.Value
				}
			})
		}
	})
	return out
}

// prefixesOf are the names of the prefixes of a request, before the rest of it is read:
// its references may begin with them.
func prefixesOf(request *strict.Node) []string {
	_, prefixes := request.Member("prefixes")
	if prefixes == nil || prefixes.Kind() != strict.Map {
		return nil
	}
	var out []string
	for key := range prefixes.Members() {
		if name, ok := key.Text(); ok {
			out = append(out, name)
		}
	}
	return out
}
