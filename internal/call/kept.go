package call

import (
	"context"
	"sync"
	"time"

	"github.com/cento-dev/cento/internal/app"
)

// Kept keeps projects on disk collected from one request to the next, in the variations
// of folder, target, model, variables, skills, clock and tool definitions that were asked
// for last; what else is asked for is changed in memory. It keeps them for as long as
// their files stay as they were read: that is looked at before every answer, so none is
// of files that were others by then. Settings of the machine and the tools of servers are
// as they were when the project was collected. The zero value is usable, by several
// goroutines at once.
type Kept struct {
	// Now is the clock that AsOf is of; nil: that of the machine.
	Now func() time.Time

	mu    sync.Mutex
	known app.Variations[kept]
	// last is where the projects stood, by the folder that they are asked for by.
	last map[string]*app.LastSite
	// collected counts how often a project was read.
	collected int
}

// kept is one project. Who asks for it while it is collected has the same.
type kept struct {
	mu sync.Mutex
	app.Collection
	// last is what the last try asked of the disk, one that failed too.
	last *app.DiskReading
}

// open is the project of a request, collected anew if anything has changed that it was
// made of. clock is that of the door.
func (k *Kept) open(ctx context.Context, r app.Request, clock time.Time) (*app.Project, time.Time, error) {
	key, err := app.Variation(r, clock)
	if err != nil {
		return nil, time.Time{}, err
	}
	k.mu.Lock()
	v, _ := k.known.Of(key)
	k.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Reading == nil || v.Reading.Changed() != nil {
		now := time.Now
		if k.Now != nil {
			now = k.Now
		}
		c, err := k.lastOf(r).Collect(ctx, r, now())
		k.mu.Lock()
		k.collected++
		k.mu.Unlock()
		v.last = c.Reading
		if err != nil {
			v.Collection = app.Collection{} // what went wrong needn't be a file
			return nil, time.Time{}, err
		}
		v.Collection = c
	}
	return v.At(r.Now), v.AsOf, nil
}

// lastOf is where the project of a request stood.
func (k *Kept) lastOf(r app.Request) *app.LastSite {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last[r.Dir] == nil {
		if k.last == nil {
			k.last = map[string]*app.LastSite{}
		}
		k.last[r.Dir] = &app.LastSite{}
	}
	return k.last[r.Dir]
}

// KeptPlace is a project on disk that is kept, for one question.
type KeptPlace struct {
	kept    *Kept
	request app.Request
}

// Place is the project of a request, which says how it is read but for what a question
// asks.
func (k *Kept) Place(r app.Request) *KeptPlace { return &KeptPlace{k, r} }

// Located is where the project stands by now, and how it is read.
func (p *KeptPlace) Located() (app.Site, app.Request, error) {
	site, err := p.kept.lastOf(p.request).Locate(p.request)
	return site, p.request, err
}

// Open is the project as a request wants it read.
func (p *KeptPlace) Open(ctx context.Context, r app.Request) (*app.Project, error) {
	project, _, err := p.kept.open(ctx, r, p.request.Now)
	return project, err
}

// Reading is what was asked of the disk when the project was read last as a request
// wants it, also if that failed; nil where it wasn't.
func (p *KeptPlace) Reading(r app.Request) *app.DiskReading {
	key, err := app.Variation(r, p.request.Now)
	if err != nil {
		return nil
	}
	p.kept.mu.Lock()
	v, _ := p.kept.known.Of(key)
	p.kept.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.last
}

// asOf is the time of the oldest files that an answer is made of.
type asOf struct {
	at time.Time
}

func (a *asOf) also(at time.Time) {
	if a != nil && (a.at.IsZero() || at.Before(a.at)) {
		a.at = at
	}
}
