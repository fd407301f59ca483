package manifest

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/wire"
)

// Output is a file that a target's prompt is written to.
type Output struct {
	Target string `json:"target"`
	// File is relative to the folder of the manifest, and below it.
	File     string         `json:"file"`
	Position cento.Position `json:"position,omitzero"`
	// Wire is the form of a request that is written instead of the text; nil for none.
	Wire *wire.Form `json:"wire,omitempty"`
	// JSON writes what `cento build --json` prints.
	JSON bool `json:"json,omitempty"`
}

// OutputsRecord is where it is kept which outputs the program wrote, from the folder of
// the manifest.
const OutputsRecord = ".cento/outputs.json"

// outputsFile is the value of output: a file, or a list of them.
type outputsFile struct{ list []outputFile }

type outputFile struct {
	strict.At
	File   text          `json:"file" jsonschema:"Path of the file, relative to this one and below its folder."`
	Wire   *wire.Form    `json:"wire,omitempty" jsonschema:"Write the request of this provider instead of the text."`
	Format *outputFormat `json:"format,omitempty" jsonschema:"text, the default, is the prompt and a line end; json is what cento build --json prints."`
}

// outputFormat is how an output is written.
type outputFormat uint8

var outputFormats = enum.Names[outputFormat]{"text", "json"}

// MarshalText gives the name.
func (f outputFormat) MarshalText() ([]byte, error) { return outputFormats.Marshal(f) }

// UnmarshalText accepts a name.
func (f *outputFormat) UnmarshalText(t []byte) error { return outputFormats.Unmarshal(t, f) }

func (o *outputsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	switch n.Kind() {
	case strict.List:
		d.Decode(n, &o.list)
	case strict.Text:
		var one outputFile
		d.Decode(n, &one.File)
		o.list = []outputFile{one}
	default:
		d.Expected(n, "the path of a file, or a list of files")
	}
}

// outputs reads those of all targets, and finds two that are one file.
func outputs(d *strict.Decoder, names []string, targets map[string]*targetFile) (out []Output) {
	taken := map[string]Output{}
	for _, name := range names {
		if targets[name] == nil || targets[name].Output == nil {
			continue
		}
		d.In(name, func() {
			d.In("output", func() {
				for _, f := range targets[name].Output.list {
					o, ok := output(d, name, &f)
					if !ok {
						continue
					}
					// Some disks set letter case aside.
					key := strings.ToLower(o.File)
					if first, twice := taken[key]; twice {
						e := d.Fail(o.Position, OutputTwice, "%q is the output of the target %q already", o.File, first.Target)
						e.Hint = "name another file for one of the two"
						e.Related = append(e.Related, cento.Related{Position: first.Position, Message: "the other one"})
						continue
					}
					taken[key] = o
					out = append(out, o)
				}
			})
		})
	}
	return out
}

func output(d *strict.Decoder, target string, f *outputFile) (Output, bool) {
	name, read := f.File.Text()
	if !read {
		return Output{}, false
	}
	o := Output{Target: target, File: name, Position: f.File.Position(), Wire: f.Wire, JSON: f.Format != nil && *f.Format == 1}
	switch fault := tree.CheckName(name); {
	case isBlank(name):
		d.Fail(o.Position, strict.WrongValue, "a blank name").Hint = "as in AGENTS.md, or docs/prompt.md"
		return o, false
	case fault != nil:
		d.Fail(o.Position, fault.Code, "%q is no file below the folder of the manifest: %s", name, fault.Reason).
			Hint = "as in AGENTS.md, or docs/prompt.md"
		return o, false
	case name == ".", IsOwn(name):
		d.Fail(o.Position, OutputOwn, "%q is not to be written: it belongs to the project, or to git", name).
			Hint = "name a file that nothing else writes"
		return o, false
	case o.Wire != nil && f.Format != nil && !o.JSON:
		d.Fail(f.Position(), strict.Conflict, "a request is JSON, and format says text").Hint = "leave out format"
		return o, false
	}
	return o, true
}

// IsOwn reports whether a file below the folder of the manifest is one that the program reads or keeps, or git's.
func IsOwn(name string) bool {
	name = strings.ToLower(path.Clean(name))
	first, _, _ := strings.Cut(name, "/")
	return first == ".git" || first == ".cento" || slices.Contains([]string{FileName, consent.LockFile, ".gitignore"}, name) || strings.HasSuffix(name, CaseFileSuffix)
}

// CheckResult refuses a file for a result that somebody names, wherever it lies, where
// that is a manifest, which own says of another name, its lock or a file of tests. The
// error is a [cento.SourceError] with [OutputOwn].
func CheckResult(file string, own bool) error {
	name := strings.ToLower(filepath.Base(file))
	if !own && name != FileName && name != consent.LockFile && !strings.HasSuffix(name, CaseFileSuffix) {
		return nil
	}
	return &cento.SourceError{
		Code: OutputOwn, Message: strconv.Quote(file) + " is not to be written: it belongs to the project",
		Hint: "name a file that nothing else writes",
	}
}

// Outputs are the files that targets are written to, in the order of the targets.
func (m *Manifest) Outputs() []Output { return m.outputs }
