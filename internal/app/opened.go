package app

import (
	"github.com/cento-dev/cento/project"
)

// Open opens the prompt files that are named in what is handed over: it gives the
// project with these files, and what is handed over with what they ask for.
func (h Handed) Open(p *Project) (*Project, Handed, error) {
	opened, texts, err := p.Opened(project.Handed{Host: h.Host, Parts: h.Parts, Fragments: h.Fragments})
	if err != nil {
		return nil, h, err
	}
	h.Host, h.Parts, h.Fragments = texts.Host, texts.Parts, texts.Fragments
	return &Project{opened}, h, nil
}
