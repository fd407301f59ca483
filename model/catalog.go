package model

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/token"
)

//go:embed catalog.json
var catalogText []byte

// Catalog is models by their names. It is immutable and safe for concurrent use.
type Catalog struct {
	models []entry // by provider and id
	byName map[string]int
	series []entry
}

// entry is a line of the catalog: of a model, or of a series, whose prefix says
// which names are of it.
type entry struct {
	cento.Model
	Prefix string `json:"prefix"`
	// Elsewhere is what differs where somebody else serves the model.
	Elsewhere map[string]cento.Model `json:"elsewhere"`
	Note      string                 `json:"note"`
}

// builtin is the catalog of the program, read when it is first asked for.
var builtin = sync.OnceValue(func() *Catalog {
	var c struct{ Models, Series []entry }
	d := json.NewDecoder(bytes.NewReader(catalogText))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		panic(fmt.Sprintf("model: the embedded catalog: %v", err)) // a test reads it
	}
	return index(c.Models, c.Series)
})

// Default is the embedded catalog.
func Default() *Catalog { return builtin() }

func index(models, series []entry) *Catalog {
	c := &Catalog{models: models, series: series, byName: make(map[string]int, 2*len(models))}
	for i := range models {
		for _, name := range models[i].Aliases {
			c.byName[strings.ToLower(name)] = i
		}
	}
	for i := range models { // an id goes over an alias
		c.byName[strings.ToLower(models[i].ID)] = i
	}
	return c
}

// With returns a catalog in which entries are laid over those that there are: of
// one with the id, or alias, of a model that is known, what is set stands instead
// of what the catalog says; others are added. Later entries go over earlier ones.
func (c *Catalog) With(entries ...cento.Model) *Catalog {
	if len(entries) == 0 {
		return c
	}
	models := slices.Clone(c.models)
	names := maps.Clone(c.byName)
	for _, over := range entries {
		i, known := names[strings.ToLower(over.ID)]
		if !known {
			i = len(models)
			names[strings.ToLower(over.ID)] = i
			models = append(models, entry{})
		} else {
			over.ID = "" // an alias stays one
		}
		e := models[i]
		e.Elsewhere = nil // what somebody says of a model holds wherever it is served
		if !reflect.ValueOf(over.Price).IsZero() {
			e.Price.Until = "" // the vendor's day says nothing of somebody's own price
		}
		overlay(&e.Model, over)
		models[i] = e
	}
	slices.SortStableFunc(models, func(a, b entry) int {
		return strings.Compare(a.Provider+"\x00"+a.ID, b.Provider+"\x00"+b.ID)
	})
	return index(models, c.series)
}

// overlay sets in a model what another one says.
func overlay(to *cento.Model, from cento.Model) {
	var lay func(to, from reflect.Value)
	lay = func(to, from reflect.Value) {
		for i := range from.NumField() {
			switch f := from.Field(i); {
			case f.IsZero():
			case f.Kind() == reflect.Struct:
				lay(to.Field(i), f)
			default:
				to.Field(i).Set(f)
			}
		}
	}
	lay(reflect.ValueOf(to).Elem(), reflect.ValueOf(from))
}

// Models are all models of the catalog, by provider and id.
func (c *Catalog) Models() []cento.Model {
	out := make([]cento.Model, len(c.models))
	for i := range c.models {
		out[i] = counted(c.models[i].Model, c.models[i].ID)
	}
	return out
}

// Caps are the capabilities that models may bring along: those of the models of the
// catalog, and of models that call tools in text.
func (c *Catalog) Caps() []string {
	textTools := false
	names := (&cento.Model{Tools: &textTools}).Caps()
	for i := range c.models {
		names = append(names, c.models[i].Model.Caps()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Note is what there is to remark about a model of the catalog, by its id; empty
// for nothing.
func (c *Catalog) Note(id string) string {
	if i, ok := c.byName[strings.ToLower(id)]; ok {
		return c.models[i].Note
	}
	return ""
}

// counted fills in what requests call a model and what counts its tokens. A tokenizer that an entry
// names goes before what the name says.
func counted(m cento.Model, name string) cento.Model {
	counter := token.CounterFor(name)
	declared := m.Tokenizer != nil
	if declared {
		if named, err := token.LookupCounter(*m.Tokenizer); err == nil {
			counter = named
		}
	} else if counter.Exact() {
		encoding := counter.Name()
		m.Tokenizer = &encoding
	}
	m.Name = cmp.Or(m.Name, m.ID)
	m.Counting = cento.ModelCounting{Counter: counter.Name(), Exact: counter.Exact(), Declared: declared, Basis: token.Basis(counter)}
	return m
}
