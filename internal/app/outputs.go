package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
)

// The codes of errors about outputs.
const (
	// NoOutputs: no target is written to a file.
	NoOutputs cento.ErrorCode = "output.none"
	// OutputCycle: a prompt is made of a file that is an output.
	OutputCycle cento.ErrorCode = "output.cycle"
	// OutputEdited: the file has other bytes than the program wrote.
	OutputEdited cento.ErrorCode = "output.edited"
	// OutputForeign: there is a file that the program didn't write.
	OutputForeign cento.ErrorCode = "output.foreign"
	// OutputEmpty: nothing is included, so there is no prompt to write.
	OutputEmpty cento.ErrorCode = "output.empty"
)

// OutputState is how a file stands to what it is to hold.
type OutputState string

// The states.
const (
	OutputCurrent OutputState = "current" // it holds that
	OutputMissing OutputState = "missing" // it isn't there
	OutputStale   OutputState = "stale"   // it is as the program wrote it, from another prompt
	OutputByHand  OutputState = "edited"  // it has other bytes than the program wrote
	OutputOthers  OutputState = "foreign" // the program didn't write it
)

// OutputFile is what became of one output.
type OutputFile struct {
	File   string      `json:"file"`
	Target string      `json:"target"`
	State  OutputState `json:"state"`
	// Written: it holds now what it is to hold, and didn't before.
	Written bool `json:"written"`
	Bytes   int  `json:"bytes"`
	// Losses are what the form of the request can't say; none without one.
	Losses []WireLoss `json:"losses,omitempty"`
	cento.Caveats
	// Prompt is what it holds. Outputs of a target share it unless their form is a
	// request's.
	Prompt *cento.Prompt `json:"-"`

	at   cento.Position
	text string
}

// OutputsAnswer is what became of all outputs.
type OutputsAnswer struct {
	Outputs []OutputFile `json:"outputs"`
	// OK: every file holds what it is to hold.
	OK bool `json:"ok"`
	// Notes are those of all prompts that outputs hold, each once.
	Notes []cento.Note `json:"notes,omitempty"`
}

// OutputOptions say what is done about files.
type OutputOptions struct {
	// Check writes nothing.
	Check bool
	// Force overwrites files that the program didn't write, or somebody edited.
	Force bool
	// AllowNone: a project without outputs is no error.
	AllowNone bool
}

// BuildAll makes the prompts of all targets with outputs, and writes those files that
// don't hold them. They are made as tests are, the same on every machine: the user's
// own files, the clock and the environment aren't looked at, and tool servers speak by
// the listings that were locked. When one can't be made, or a file isn't the program's
// to overwrite, none is written.
func BuildAll(ctx context.Context, r Request, o OutputOptions) (*OutputsAnswer, error) {
	p, err := openCommitted(ctx, r)
	if err != nil {
		return nil, err
	}
	outputs := p.Outputs()
	if len(outputs) == 0 && !o.AllowNone {
		return nil, &cento.SourceError{Code: NoOutputs, Message: "no target has an output", Hint: "name a file under a target, as in targets: {agents: {output: AGENTS.md}}"}
	}
	out := &OutputsAnswer{Outputs: []OutputFile{}, OK: true, Notes: p.Notes(p.Remarks())}
	made := map[string]*targetPrompt{}
	for _, x := range outputs {
		if made[x.Target] == nil {
			if made[x.Target], err = makeTarget(ctx, p, x.Target, outputs); err != nil {
				return nil, err
			}
			q := made[x.Target].project
			out.Notes = JoinNotes(out.Notes, q.Notes(q.Remarks()))
		}
		target := made[x.Target]
		f, err := target.as(x)
		if err != nil {
			return nil, err
		}
		out.Notes = JoinNotes(out.Notes, target.project.Notes(f.Prompt.Notes()[len(target.project.Input.Notes):]))
		out.Outputs = append(out.Outputs, f)
	}
	t, err := tree.Open(p.Base, tree.Options{Limit: maxOutput})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return out, settle(t, out, o)
}

// maxOutput is the largest file that is compared with an output, in bytes.
const maxOutput = 64 << 20

// openCommitted opens a project for what is the same on every machine.
func openCommitted(ctx context.Context, r Request) (*Project, error) {
	near, err := Locate(r)
	if err != nil {
		return nil, err
	}
	q := Locked(Request{Dir: near.Base, Disk: r.Disk, Portable: true, Committed: true})
	if r.Manifest != "" {
		q.Manifest = near.ManifestPath
	}
	site, err := Locate(q)
	if err != nil {
		return nil, err
	}
	p, err := Open(ctx, site, q)
	for _, e := range cento.SourceErrors(err) {
		if e.Code == project.ServerNotAsked {
			e.Hint = "outputs are made with what `cento tools lock` writes to " + prompttest.ListingsFolder
		}
	}
	return p, err
}

// targetPrompt is the prompt of a target that has outputs.
type targetPrompt struct {
	project *Project
	prompt  *cento.Prompt
}

// makeTarget makes the prompt of a target. No output is a part of it.
func makeTarget(ctx context.Context, p *Project, name string, outputs []project.Output) (*targetPrompt, error) {
	q, err := p.Target(ctx, name)
	if err != nil {
		return nil, err
	}
	prompt, err := q.Reduce(q.Input)
	if err != nil {
		return nil, err
	}
	files, err := prompttest.FilesOf(q.Input)
	if err != nil {
		return nil, err
	}
	for _, o := range outputs {
		shown := p.Show(filepath.Join(p.Base, filepath.FromSlash(o.File)))
		if at, reads := files[shown]; reads {
			return nil, &cento.SourceError{
				Code: OutputCycle, Position: o.Position, Message: fmt.Sprintf("the prompt of the target %q is made of %s, which is an output: it would be made of itself", name, shown),
				Related: []cento.Related{{Position: at, Message: "text of it is read here"}},
				Hint:    "write to another file, or take it out of what the target reads",
			}
		}
	}
	return &targetPrompt{q, prompt}, nil
}

// as is the prompt as an output holds it.
func (t *targetPrompt) as(o project.Output) (OutputFile, error) {
	out := OutputFile{File: o.File, Target: o.Target, Prompt: t.prompt, at: o.Position}
	text, ok := t.prompt.System()
	switch {
	case o.Form != "":
		in := t.project.InForm(t.project.Input, o.Form)
		prompt, err := t.project.Reduce(in)
		if err != nil {
			return OutputFile{}, err
		}
		body, err := t.project.Wire(in, prompt, WireOptions{Form: o.Form, FormAt: o.Position, Partial: true})
		if err != nil {
			return OutputFile{}, err
		}
		out.Prompt, out.Losses, text = prompt, body.Losses, string(body.Body)
	case !ok:
		return OutputFile{}, &cento.SourceError{Code: OutputEmpty, Position: o.Position, Message: fmt.Sprintf("nothing is included for the target %q: there is no prompt to write to %s", o.Target, o.File), Hint: "`cento explain --target " + o.Target + "` says why"}
	case o.JSON:
		raw, err := json.MarshalIndent(Built(t.prompt), "", "  ")
		if err != nil {
			return OutputFile{}, err
		}
		text = string(raw)
	}
	out.text, out.Caveats = text+"\n", out.Prompt.Caveats()
	out.Bytes = len(out.text)
	return out, nil
}

// outputsRecord is which outputs the program wrote.
type outputsRecord struct {
	Version int              `json:"version"`
	Outputs []recordedOutput `json:"outputs"`
}

type recordedOutput struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// settle compares the files with what they are to hold, and writes those that differ.
func settle(t *tree.Tree, out *OutputsAnswer, o OutputOptions) error {
	record, err := readRecord(t)
	if err != nil {
		return err
	}
	var refused []*cento.SourceError
	for i := range out.Outputs {
		x := &out.Outputs[i]
		if x.State, err = stateOf(t, x, record[x.File]); err != nil {
			return err
		}
		out.OK = out.OK && x.State == OutputCurrent
		if e := x.refusal(); e != nil && !o.Force {
			refused = append(refused, e)
		}
	}
	if o.Check {
		return nil
	}
	if refused != nil {
		return cento.Join(refused)
	}
	for i := range out.Outputs {
		x := &out.Outputs[i]
		if x.State != OutputCurrent {
			if err := t.Replace(x.File, []byte(x.text)); err != nil {
				return namedOutput(err, x)
			}
			x.Written = true
		}
		record[x.File] = sha256Of(x.text)
	}
	out.OK = true
	return writeRecord(t, out, record)
}

// stateOf tells how a file stands to what it is to hold. Line ends don't count: git may
// check a file out with others.
func stateOf(t *tree.Tree, x *OutputFile, recorded string) (OutputState, error) {
	// A link is nobody's output, wherever it leads.
	for at := x.File; at != "."; at = filepath.ToSlash(filepath.Dir(filepath.FromSlash(at))) {
		if info, err := t.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", &cento.SourceError{
				Code: tree.Outside, Position: x.at, Message: fmt.Sprintf("the output %s is a link, or lies behind one: %s", x.File, at), Hint: "no output is written through a link",
			}
		}
	}
	f, err := t.Read(x.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return OutputMissing, nil
	case errors.Is(err, tree.InvalidUTF8), errors.Is(err, tree.HoldsNUL), errors.Is(err, tree.TooLarge):
		return OutputOthers, nil // the program writes no such file
	case err != nil:
		return "", namedOutput(err, x)
	case f.Text == x.text || f.Text == strings.ReplaceAll(x.text, "\r\n", "\n"):
		return OutputCurrent, nil
	case recorded == "":
		return OutputOthers, nil
	case sha256Of(f.Text) == recorded || sha256Of(string(f.Raw())) == recorded:
		return OutputStale, nil
	}
	return OutputByHand, nil
}

// refusal is the error of a file that isn't the program's to overwrite; nil for others.
func (x *OutputFile) refusal() *cento.SourceError {
	switch x.State {
	case OutputByHand:
		return &cento.SourceError{
			Code: OutputEdited, Position: x.at, Message: fmt.Sprintf("%s was edited since it was written", x.File),
			Hint: "take the edit over into what it is made of, or overwrite it with --force",
		}
	case OutputOthers:
		return &cento.SourceError{
			Code: OutputForeign, Position: x.at, Message: fmt.Sprintf("%s is there, and `cento build --all` didn't write it", x.File),
			Hint: "`cento init --print` shows how its text becomes a fragment; --force overwrites it",
		}
	}
	return nil
}

// namedOutput says which output an error is about.
func namedOutput(err error, x *OutputFile) error {
	if list := cento.SourceErrors(err); len(list) > 0 {
		list[0].Related = append(list[0].Related, cento.Related{Position: x.at, Message: "named here"})
		return err
	}
	return fmt.Errorf("writing %s: %w", x.File, tree.WithoutPath(err))
}

func readRecord(t *tree.Tree) (map[string]string, error) {
	out := map[string]string{}
	f, err := t.Read(manifest.OutputsRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	var r outputsRecord
	d := json.NewDecoder(strings.NewReader(f.Text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil || r.Version != 1 {
		return nil, &cento.SourceError{
			Code: InvalidInput, Position: cento.Position{File: manifest.OutputsRecord}, Message: "not a record of outputs of version 1",
			Hint: "put the committed file back, or delete it and run cento build --all --force",
		}
	}
	for _, x := range r.Outputs {
		out[x.File] = x.SHA256
	}
	return out, nil
}

// writeRecord keeps what was written, where that is another than before. Files that are
// no outputs any more aren't in it.
func writeRecord(t *tree.Tree, out *OutputsAnswer, record map[string]string) error {
	r := outputsRecord{Version: 1}
	for _, x := range out.Outputs {
		r.Outputs = append(r.Outputs, recordedOutput{x.File, record[x.File]})
	}
	slices.SortFunc(r.Outputs, func(a, b recordedOutput) int { return strings.Compare(a.File, b.File) })
	text, err := plainJSON(r)
	if err != nil {
		return err
	}
	if f, err := t.Read(manifest.OutputsRecord); err == nil && f.Text == string(text) {
		return nil
	}
	if err := t.Replace(manifest.OutputsRecord, text); err != nil {
		return fmt.Errorf("writing %s: %w", manifest.OutputsRecord, err)
	}
	return nil
}
