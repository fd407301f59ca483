package pack

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cento-dev/cento"
)

// planned is the input of an engine, compiled, and the prompts that were made of it last.
type planned struct {
	own   *cento.Bound // with the input's active set
	clock ClockUse

	mu    sync.Mutex
	made  map[string]*cento.Prompt // by what they depend on
	bytes int                      // that the prompts take
}

// mostMade bounds the memory of the prompts that are kept. When it is full all are let
// go: who asks for more active sets than fit finds few again, whichever stay.
const mostMade = 4 << 20

// Assemble makes the prompt of the engine's input for another active set and another
// clock: what [Engine.Reduce] makes of a copy of the input in which nothing else is
// changed. What depends on neither is done once, when it is asked for the second time;
// of templates those are rendered that read what is different, and of the prompts some
// MiB are kept. Another model, or a budget, which has to hold the definitions of the
// tools that are active, is reduced anew. The fragments of the input must not be changed
// any more. The errors are those of [Engine.Reduce].
func (e *Engine) Assemble(a cento.Active, now time.Time) (*cento.Prompt, error) {
	if e.input.Budget == nil && a.Model == e.modelName && e.asked.Swap(true) {
		if p, err := e.assembled(a, now); err == nil {
			return p, nil
		}
	}
	in := e.input
	in.AllTools, in.Active, in.Files.Now = false, a, now
	return e.Reduce(in) // an error may name what this input knows
}

func (e *Engine) assembled(a cento.Active, now time.Time) (*cento.Prompt, error) {
	p, err := e.planned()
	if err != nil {
		return nil, err
	}
	key := p.key(a, now)
	p.mu.Lock()
	prompt := p.made[key]
	p.mu.Unlock()
	if prompt != nil && key != "" {
		return prompt, nil
	}
	next, err := p.own.With(a, e.at(now))
	if err != nil {
		return nil, err
	}
	if prompt, err = next.Prompt(); err == nil && key != "" {
		p.keep(key, prompt)
	}
	return prompt, err
}

// key is what a prompt depends on; empty where it is no other twice.
func (p *planned) key(a cento.Active, now time.Time) string {
	var b strings.Builder
	for _, list := range [][]string{a.Tools, a.Caps} {
		b.WriteString(strconv.Itoa(len(list)))
		for _, name := range list {
			b.WriteString(" " + strconv.Itoa(len(name)) + ":" + name)
		}
		b.WriteByte('\n')
	}
	if p.clock == ClockWhole {
		return ""
	}
	b.WriteString(p.clock.Of(now))
	return b.String()
}

// keep keeps a prompt, unless it alone is too long.
func (p *planned) keep(key string, prompt *cento.Prompt) {
	const each = 64 // of a fragment: its decision, its place, and what was rendered for it
	size := len(key) + 2*prompt.Bytes() + each*prompt.Len()
	if size > mostMade/4 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made == nil || p.bytes+size > mostMade {
		p.made, p.bytes = map[string]*cento.Prompt{}, 0
	}
	if p.made[key] == nil {
		p.bytes += size
	}
	p.made[key] = prompt
}

// plan compiles the engine's input and makes its own prompt, whose templates others take
// over.
func (e *Engine) plan() func() (*planned, error) {
	return sync.OnceValues(func() (*planned, error) {
		plan, err := e.input.Plan(e)
		if err != nil {
			return nil, err
		}
		a := e.input.Active
		a.Tools = e.input.ActiveTools()
		p := &planned{own: plan.Bind(a)}
		prompt, err := p.own.Prompt()
		if err != nil {
			return nil, err
		}
		p.clock = e.ClockUse(prompt)
		return p, nil
	})
}

// reading is what the template of a fragment reads; nil where that isn't known.
func (e *Engine) reading(f *cento.Fragment) *reading {
	if key, ok := strings.CutPrefix(f.Template, cento.CatalogTemplate); ok && e.catalog != nil {
		s := e.catalog.snippets[Key(key)]
		if s == nil {
			return nil
		}
		r, err := s.reading()
		if err != nil {
			return nil
		}
		return r
	}
	if file := e.named[f.Template]; file != nil {
		return file.reading()
	}
	return nil
}

// at is the engine with another clock, which conditions don't read.
func (e *Engine) at(now time.Time) *Engine {
	next := &Engine{
		conditions: e.conditions, files: e.files, named: e.named, own: slices.Clip(e.own), model: e.model, modelName: e.modelName,
		vars: e.vars, catalog: e.catalog, input: e.input, values: e.values,
	}
	next.vars.Now, next.input.Files.Now = now, now
	next.planned = next.plan()
	return next
}
