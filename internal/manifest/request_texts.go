package manifest

import (
	"io/fs"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// TokensRequest asks how many tokens texts have.
type TokensRequest struct {
	Texts []string
	// Encoding is what counts, else the one of Model, else the default.
	Model, Encoding string
	// ModelAt and EncodingAt are where they are named.
	ModelAt, EncodingAt cento.Position
}

type tokensFile struct {
	Texts    []string `json:"texts" jsonschema:"The texts, each counted by itself."`
	Model    *text    `json:"model,omitempty" jsonschema:"Name of the model whose encoding counts."`
	Encoding *text    `json:"encoding,omitempty" jsonschema:"Name of the encoding that counts, instead of a model's."`
}

// ParseTokens reads a request to count texts; see [ParseReduce] for its arguments
// and errors.
func ParseTokens(name string, data []byte, limits cento.Limits) (*TokensRequest, error) {
	f, err := strict.Request[tokensFile](name, data, limits)
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	r := &TokensRequest{Texts: f.Texts, Model: notBlankText(&d, "model", f.Model), Encoding: notBlankText(&d, "encoding", f.Encoding)}
	if f.Model != nil {
		r.ModelAt = f.Model.Position()
	}
	if f.Encoding != nil {
		r.EncodingAt = f.Encoding.Position()
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// InstructionsRequest asks which instruction files of a project are loaded.
type InstructionsRequest struct {
	ProjectRequest
	// Convention names the loading rules; empty: those of the manifest.
	Convention string
	// Cwd is the folder of the run, from that of the project; empty: the same.
	Cwd string
	// For are the paths of files that are worked on, from Cwd.
	For []string
}

type instructionsFile struct {
	originFile
	Target  *text    `json:"target,omitempty" jsonschema:"A target of the manifest."`
	Profile *text    `json:"profile,omitempty" jsonschema:"Name of the loading rules; default those of the manifest."`
	Cwd     *text    `json:"cwd,omitempty" jsonschema:"Folder of the run, from that of the project; default the same."`
	For     []string `json:"for,omitempty" jsonschema:"Files that are worked on, from the folder of the run: what holds for them is listed." names:"a file"`
	Model   *text    `json:"model,omitempty" jsonschema:"Name of the model that tokens are counted for."`
}

// ParseInstructions reads a request about instruction files; see [ParseReduce] for
// its arguments and errors.
func ParseInstructions(name string, data []byte, limits cento.Limits) (*InstructionsRequest, error) {
	r := new(InstructionsRequest)
	p, err := parseProject(name, data, limits, func(d *strict.Decoder, f *instructionsFile, p *ProjectRequest) {
		f.origin(d, p)
		p.Target, p.Model = notBlankText(d, "target", f.Target), notBlankText(d, "model", f.Model)
		if f.Model != nil {
			p.ModelAt = f.Model.Position()
		}
		r.Convention, r.Cwd, r.For = notBlankText(d, "profile", f.Profile), notBlankText(d, "cwd", f.Cwd), f.For
		if f.Cwd != nil && !fs.ValidPath(r.Cwd) && p.Folder == "" {
			d.In("cwd", func() {
				d.Fail(f.Cwd.Position(), strict.WrongValue, "%q is no path from the folder of the project", r.Cwd).Hint = "as in services/api"
			})
		}
	})
	if err != nil {
		return nil, err
	}
	r.ProjectRequest = *p
	return r, nil
}
