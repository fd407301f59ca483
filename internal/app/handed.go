package app

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/project"
)

// Handed is what a caller hands over beside the files of a project.
type Handed struct {
	// Host options that are given stand instead of the project's.
	Host cento.Host
	// System is the agent's main text; nil for the project's.
	System *cento.Text
	// Parts is the agent's own block; nil for the project's.
	Parts []cento.Fragment
	// Fragments stand behind those of the project.
	Fragments []cento.Fragment
}

// Empty reports whether nothing is handed over.
func (h Handed) Empty() bool {
	return h.System == nil && h.Parts == nil && len(h.Fragments) == 0 && reflect.ValueOf(h.Host).IsZero()
}

// On is an input with what was handed over. The input stays as it is.
func (h Handed) On(in cento.Input) cento.Input {
	in = in.WithHost(h.Host)
	if h.System != nil {
		in.Primary = in.Primary.WithSystem(*h.System)
	}
	if h.Parts != nil {
		in.Primary.Parts = h.Parts
	}
	if len(h.Fragments) > 0 {
		in.Fragments = append(slices.Clip(in.Fragments), h.Fragments...)
	}
	return in
}

// InvalidInput: what is handed over as a recorded input isn't one.
const InvalidInput cento.ErrorCode = "input.invalid"

// OpenInput is a project of which nothing is known but an input that was recorded,
// JSON. at is where that stands.
func OpenInput(data []byte, at cento.Position) (*Project, error) {
	var in cento.Input
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return nil, &cento.SourceError{
			Code: InvalidInput, Position: at, Message: "no recorded input: " + strings.TrimPrefix(err.Error(), "json: "),
			Hint: "cento log show RECORD --input prints one",
		}
	}
	return OpenRecorded(in)
}

// OpenRecorded is a project of which nothing is known but an input that was recorded.
func OpenRecorded(in cento.Input) (*Project, error) {
	p, err := project.Recorded(in)
	if err != nil {
		return nil, err
	}
	return of(p), nil
}

// handedFolder is where the files of a request lie for this program: no folder of the
// machine, whatever one there is of that name.
const handedFolder = "request"

// FilesOf says how a project is read whose files come with a request, by their paths
// from its folder. They stay in memory, and there are no others.
func FilesOf(files map[string]string) (Request, error) {
	dir, err := filepath.Abs(string(filepath.Separator) + handedFolder)
	if err != nil {
		return Request{}, fmt.Errorf("naming the folder of the request: %w", err)
	}
	return Request{Dir: dir, Copy: dir, Disk: disk.Over(dir, disk.Texts(files)), Servers: NoServers}, nil
}

// Open opens the prompt files that are named in what is handed over: it gives the
// project with these files, and what is handed over with what they ask for.
func (h Handed) Open(p *Project) (*Project, Handed, error) {
	opened, texts, err := p.Opened(project.Handed{Host: h.Host, Parts: h.Parts, Fragments: h.Fragments})
	if err != nil {
		return nil, h, err
	}
	h.Host, h.Parts, h.Fragments = texts.Host, texts.Parts, texts.Fragments
	return of(opened), h, nil
}
