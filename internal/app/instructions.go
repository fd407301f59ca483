package app

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// InstructionsReport is what one convention makes of a
// project: every file that was considered, in the order of the text.
type InstructionsReport struct {
	Convention string `json:"profile"`
	// Version is that of the client whose rules these are, and Measured the day on which
	// that version was run and compared, or "not measured". Cento's own rules have neither.
	Version  string            `json:"version,omitempty"`
	Measured string            `json:"measured,omitempty"`
	Files    []InstructionFile `json:"files"`
	// Text is null when nothing is loaded. It has the words that a client puts
	// around files, which belong to no file.
	Text *string `json:"text"`
	// Bytes and Tokens are those of what comes out of files.
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
	// Encoding is what counted the tokens, and Exact whether it is what the model
	// is charged.
	Encoding string       `json:"encoding"`
	Exact    bool         `json:"exact"`
	Notes    []cento.Note `json:"notes,omitempty"`
}

// InstructionFile is one file that was considered.
type InstructionFile struct {
	workspace.File
	// Reason is that of the file; empty when it is plainly loaded.
	Reason string `json:"reason"`
	// Tokens are those of its stretch of the text.
	Tokens int `json:"tokens"`
}

// InstructionConventions lists the names of all loading rules, the default first.
func InstructionConventions() []string { return workspace.Conventions() }

// InstructionVersions lists those that name the version of a client.
func InstructionVersions() []string { return workspace.ConventionVersions() }

// Instructions loads the instructions of a project by the rules of conventions;
// none: that of the manifest. forFiles are the absolute paths of files that are
// worked on.
func Instructions(ctx context.Context, site project.Site, r project.Request, conventions, forFiles []string) ([]*InstructionsReport, error) {
	loaded, err := site.LoadInstructions(ctx, r, project.InstructionsChoice{Conventions: conventions, For: forFiles})
	if err != nil {
		return nil, err
	}
	counter := counterFor(loaded.Model)
	out := make([]*InstructionsReport, 0, len(loaded.List))
	for _, in := range loaded.List {
		r := reportInstructions(in, counter)
		r.Notes = JoinNotes(r.Notes, loaded.Notes)
		out = append(out, r)
	}
	return out, nil
}

func reportInstructions(in *workspace.Instructions, counter cento.Counter) *InstructionsReport {
	r := &InstructionsReport{
		Convention: in.Convention, Version: in.Version, Measured: in.Measured, Files: make([]InstructionFile, len(in.Files)), Notes: in.Notes,
		Encoding: counter.Name(), Exact: counter.Exact(),
	}
	body := ""
	if in.Text != nil {
		body = in.Text.Body
		r.Text = &body
	}
	for i, f := range in.Files {
		r.Files[i] = InstructionFile{File: f, Reason: f.Reason, Tokens: counter.Count(body[f.From:f.To])}
	}
	for _, s := range stretches(in.Files) {
		r.Bytes += s[1] - s[0]
		r.Tokens += counter.Count(body[s[0]:s[1]])
	}
	return r
}

// stretches are those of files, without what lies in others.
func stretches(files []workspace.File) [][2]int {
	var all [][2]int
	for _, f := range files {
		if f.To > f.From {
			all = append(all, [2]int{f.From, f.To})
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	var out [][2]int
	for _, s := range all {
		if len(out) > 0 && s[1] <= out[len(out)-1][1] {
			continue
		}
		out = append(out, s)
	}
	return out
}

// Rules names the rules with their version and whether it was measured, such as
// "claude 2.1.332, measured 2026-11-28".
func (r *InstructionsReport) Rules() string {
	if r.Version == "" {
		return r.Convention
	}
	name, _, _ := strings.Cut(r.Convention, "@")
	if r.Measured == workspace.NotMeasured {
		return name + " " + r.Version + ", " + r.Measured
	}
	return name + " " + r.Version + ", measured " + r.Measured
}

// Of is what became of a file, by its path; false when it wasn't considered. A
// file that is named more than once is loaded if it is loaded anywhere.
func (r *InstructionsReport) Of(path string) (InstructionFile, bool) {
	found := slices.IndexFunc(r.Files, func(f InstructionFile) bool {
		return f.Path == path && (f.Status == workspace.Loaded || f.Status == workspace.Cut)
	})
	if found < 0 {
		found = slices.IndexFunc(r.Files, func(f InstructionFile) bool {
			return f.Path == path && f.Code != string(workspace.InstructionsOtherClient)
		})
	}
	if found < 0 {
		return InstructionFile{}, false
	}
	return r.Files[found], true
}

// loaded are the paths of the files that are in the text, in its order.
func (r *InstructionsReport) loaded() []string {
	var in []InstructionFile
	for _, f := range r.Files {
		if f.To > f.From {
			in = append(in, f)
		}
	}
	slices.SortStableFunc(in, func(a, b InstructionFile) int { return cmp.Compare(a.From, b.From) })
	var out []string
	for _, f := range in {
		if !slices.Contains(out, f.Path) {
			out = append(out, f.Path)
		}
	}
	return out
}

// InstructionsComparison is a project as several conventions load it.
type InstructionsComparison struct {
	// Paths are all files that any of them considered.
	Paths       []string              `json:"paths"`
	Conventions []*InstructionsReport `json:"profiles"`
}

// CompareInstructions sets reports beside each other.
func CompareInstructions(reports []*InstructionsReport) *InstructionsComparison {
	c := &InstructionsComparison{Paths: []string{}, Conventions: reports}
	for _, r := range reports {
		for _, f := range r.Files {
			if !slices.Contains(c.Paths, f.Path) {
				c.Paths = append(c.Paths, f.Path)
			}
		}
	}
	slices.SortStableFunc(c.Paths, comparePaths)
	return c
}

// NotesOfFiles are the notes on what is wrong with a file itself, whichever rules load it.
func (c *InstructionsComparison) NotesOfFiles() []cento.Note {
	var out []cento.Note
	for _, r := range c.Conventions {
		out = JoinNotes(out, slices.DeleteFunc(slices.Clone(r.Notes), func(n cento.Note) bool { return n.Code != workspace.InstructionsLinkText }))
	}
	return out
}

// comparePaths puts the user's files first, then those above the project, then
// those of the project by folder.
func comparePaths(a, b string) int {
	rank := func(p string) int {
		switch {
		case strings.HasPrefix(p, "~/"):
			return 0
		case strings.HasPrefix(p, "/"):
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
}

// InstructionsDiff is what two conventions load differently. The words that they
// put around files are not compared.
type InstructionsDiff struct {
	Left  string `json:"left"`
	Right string `json:"right"`
	Same  bool   `json:"same"`
	// Files are those that one of the two has and the other hasn't, or not alike.
	Files []InstructionsChange `json:"files"`
	// Order holds the files that both have, when their order differs: first that
	// of the left.
	Order []([]string) `json:"order,omitempty"`
	// Bytes and Tokens are those of what comes out of files, left and right.
	Bytes  [2]int `json:"bytes"`
	Tokens [2]int `json:"tokens"`
	// Versions and Measured are those of the rules, left and right; empty for Cento's own.
	Versions [2]string `json:"versions"`
	Measured [2]string `json:"measured"`
}

// InstructionsChange is one file that two conventions take differently.
type InstructionsChange struct {
	Path string `json:"path"`
	// Left and Right are null where the file isn't considered at all.
	Left  *InstructionFile `json:"left"`
	Right *InstructionFile `json:"right"`
	// Text: both have the file, and not with the same text.
	Text bool `json:"text"`
}

// DiffInstructions compares what two conventions load.
func DiffInstructions(left, right *InstructionsReport) *InstructionsDiff {
	d := &InstructionsDiff{
		Left: left.Convention, Right: right.Convention, Files: []InstructionsChange{},
		Bytes: [2]int{left.Bytes, right.Bytes}, Tokens: [2]int{left.Tokens, right.Tokens},
		Versions: [2]string{left.Version, right.Version}, Measured: [2]string{left.Measured, right.Measured},
	}
	var both [2][]string
	for _, path := range CompareInstructions([]*InstructionsReport{left, right}).Paths {
		l, inLeft := left.Of(path)
		r, inRight := right.Of(path)
		textLeft, textRight := left.textOf(l), right.textOf(r)
		switch {
		case textLeft == textRight && l.OnDemand == r.OnDemand:
			continue
		case l.To > l.From && r.To > r.From:
			d.Files = append(d.Files, InstructionsChange{Path: path, Left: &l, Right: &r, Text: textLeft != textRight})
			continue
		}
		change := InstructionsChange{Path: path}
		if inLeft {
			change.Left = &l
		}
		if inRight {
			change.Right = &r
		}
		d.Files = append(d.Files, change)
	}
	lists := [2][]string{left.loaded(), right.loaded()}
	for i, list := range lists {
		for _, path := range list {
			if slices.Contains(lists[1-i], path) {
				both[i] = append(both[i], path)
			}
		}
	}
	if !slices.Equal(both[0], both[1]) {
		d.Order = [][]string{both[0], both[1]}
	}
	d.Same = len(d.Files) == 0 && d.Order == nil
	return d
}

// textOf is the text of a file, without the white space around it, which some
// drop and others don't.
func (r *InstructionsReport) textOf(f InstructionFile) string {
	if r.Text == nil {
		return ""
	}
	return strings.TrimSpace((*r.Text)[f.From:f.To])
}
