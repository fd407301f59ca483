package call

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
)

// AblationAnswer is the whole prompt, and what it is without each of its parts.
type AblationAnswer struct {
	By app.AblateUnit `json:"by"`
	app.Counting
	// Whole is the prompt with everything in it.
	Whole AblatedPart `json:"whole"`
	// Parts are what is taken out, in the order of the whole prompt; layers low to high,
	// tools as they are defined.
	Parts []AblatedPart `json:"parts"`
	// Notes tell of what was read, and of what the request changes.
	Notes []cento.Note `json:"notes,omitempty"`
}

// AblatedPart is a prompt of an ablation, without its text: a prompt of many fragments
// would be in the answer as often.
type AblatedPart struct {
	// Name is that of what is taken out: the id of a fragment, the title of a section,
	// the name of another unit; whole for the whole prompt.
	Name string `json:"name"`
	// Without are the ids of what is taken out, in the order of the prompt: of fragments,
	// sections, sources and groups those that were named; of layers and tools those that
	// are out without them. None for the whole prompt.
	Without []string `json:"without"`
	// Digest is the SHA-256 of the prompt, in lower-case hex; null when nothing is left.
	Digest *string `json:"digest"`
	// Tokens is the size of the prompt, and Saved how much smaller than the whole one it
	// is; below 0 where what comes back is larger.
	Tokens int `json:"tokens"`
	Saved  int `json:"saved"`
	// Definitions is, of an ablation of tools, how many tokens the definitions of the
	// active tools take in a request, besides the prompt; else absent.
	Definitions *int `json:"definitions,omitempty"`
	// Gone are ids of other fragments that are out then, such as those that need what is
	// taken out; Back of those that are in then and weren't, such as those that the
	// budget has room for; Reworded of those with another text.
	Gone     []string `json:"gone"`
	Back     []string `json:"back"`
	Reworded []string `json:"reworded"`
}

// mostAblated is how many fragments the prompts of an ablation may have together: a
// thousand prompts of a thousand fragments take about a second.
const mostAblated = 1_000_000

// answerAblate tells what each part of a prompt is worth.
func answerAblate(ctx context.Context, r *manifest.ProjectRequest, o Options) (*AblationAnswer, error) {
	p, err := o.project(ctx, r)
	if err != nil {
		return nil, err
	}
	a, err := p.Ablate(ctx, app.AblateOptions{
		By: app.AblateUnit(r.By), ByAt: r.ByAt, Most: mostAblated,
		On: func(q *app.Project) (*app.Project, cento.Input, error) {
			o := o
			if q != p { // with other layers it is the same request
				o.told = nil
			}
			a, err := o.ask(q, r)
			if err != nil {
				return nil, cento.Input{}, err
			}
			return a.Project, a.in, nil
		},
	})
	if err != nil {
		return nil, err
	}
	out := &AblationAnswer{By: a.By, Counting: a.Counting, Whole: ablatedPart(&a.Whole), Parts: []AblatedPart{}}
	for i := range a.Parts {
		out.Parts = append(out.Parts, ablatedPart(&a.Parts[i]))
	}
	return out, nil
}

func ablatedPart(x *app.Ablated) AblatedPart {
	return AblatedPart{
		Name: x.Name, Without: x.Without, Digest: x.Digest, Tokens: x.Tokens, Saved: x.Saved, Definitions: x.Definitions,
		Gone: x.Gone, Back: x.Back, Reworded: x.Reworded,
	}
}
