package call

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

// told are the notes of an answer, each once: on what was read for it and on the prompts
// that were made, and behind them those on what the request changes. The operations open
// projects and make prompts in one way, which fills them, so that none of them can forget
// a note. A nil one listens to nothing.
type told struct{ read, asked []cento.Note }

// project has the notes on a project that was opened for a request.
func (t *told) project(a *asked) {
	if t != nil {
		t.read = app.JoinNotes(t.read, a.Notes(a.in.Notes))
		t.asked = app.JoinNotes(t.asked, a.notes)
	}
}

// prompt has the notes on a prompt that was made of a project.
func (t *told) prompt(p *app.Project, made *cento.Prompt) {
	if t != nil {
		t.read = app.JoinNotes(t.read, p.Notes(made.Notes()))
	}
}

// all is the list, which is nil for none.
func (t *told) all() []cento.Note { return app.JoinNotes(t.read, t.asked) }

// noted is an operation about a project: its answers say, at the place that notes finds in
// one, all that there is to say of what the request asks for.
func noted[Request, Answer any](
	name, short string,
	parse parser[Request],
	answer func(context.Context, *Request, Options) (*Answer, error),
	notes func(*Answer) *[]cento.Note,
) Operation {
	x := operation(name, short, parse, func(ctx context.Context, r *Request, o Options) (*Answer, error) {
		o.told = new(told)
		a, err := answer(ctx, r, o)
		if err != nil {
			return nil, err
		}
		list := app.JoinNotes(*notes(a), o.told.all())
		for i := range list {
			if o.Unwritten && list[i].Position.File == RequestName {
				list[i].Position = cento.Position{}
			}
		}
		*notes(a) = list
		return a, nil
	})
	x.noted = true
	return x
}
