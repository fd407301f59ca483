package app

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
)

// Model is what is known of a language model.
type Model = cento.Model

// Models are models of the catalog of a project.
type Models struct {
	// Query is what was asked for; empty: all.
	Query string `json:"query"`
	// Models are the entries of the catalog. A list or map of one is empty where nothing
	// is known.
	Models []Model `json:"models"`
	// Remarks are what there is to say of them, by their ids.
	Remarks map[string]string `json:"remarks"`
	// Notes are what there is to say of the answer.
	Notes []cento.Note `json:"notes"`
}

// Found reports whether the catalog has what was asked for.
func (m *Models) Found() bool { return len(m.Models) > 0 && len(m.Notes) == 0 }

// FindModels lists the models of a project's catalog: those with the query in
// their id, aliases, provider, family or series, or else the one that the query
// names in a way that a provider would. A model that isn't known is told with what
// stands for it.
func FindModels(site project.Site, r project.Request, query string) (*Models, error) {
	catalog, err := site.Models(r)
	if err != nil {
		return nil, err
	}
	out := &Models{Query: query, Models: []Model{}, Remarks: map[string]string{}, Notes: []cento.Note{}}
	word := strings.ToLower(strings.TrimSpace(query))
	for _, m := range catalog.Models() {
		names := append([]string{m.ID, m.Provider, m.Family, m.Series}, m.Aliases...)
		if slices.ContainsFunc(names, func(s string) bool { return strings.Contains(strings.ToLower(s), word) }) {
			out.Models = append(out.Models, m)
		}
		if slices.ContainsFunc(append(m.Aliases, m.ID), func(s string) bool { return word != "" && strings.ToLower(s) == word }) {
			out.Models = []Model{m} // a whole name means that one alone
			break
		}
	}
	if len(out.Models) == 0 {
		m, notes := catalog.Lookup(query)
		out.Models, out.Notes = append(out.Models, m), append(out.Notes, notes...)
	}
	for i := range out.Models {
		out.Models[i] = filled(out.Models[i])
	}
	for _, m := range out.Models {
		if said := catalog.Note(m.ID); said != "" {
			out.Remarks[m.ID] = said
		}
	}
	return out, nil
}

// filled is a model whose lists and maps are there, as those of any answer are.
func filled(m Model) Model {
	some := func(list *[]string) {
		if *list == nil {
			*list = []string{}
		}
	}
	prices := func(by *map[string]float64) {
		if *by == nil {
			*by = map[string]float64{}
		}
	}
	some(&m.Sections)
	some(&m.Efforts)
	some(&m.Cache.TTL)
	prices(&m.Price.CacheWrite)
	if m.Price.Above != nil {
		above := *m.Price.Above
		prices(&above.CacheWrite)
		m.Price.Above = &above
	}
	return m
}
