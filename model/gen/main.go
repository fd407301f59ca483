// Gen makes catalog.json, which the program holds, of facts.json, which people
// review: checked, sorted, and with the sources of each entry spelled out.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cento-dev/cento"
)

func main() {
	in, err := os.ReadFile("facts.json")
	if err == nil {
		var out []byte
		if out, err = catalog(in); err == nil {
			err = os.WriteFile("catalog.json", out, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// facts are what people review.
type facts struct {
	About string `json:"about"`
	// Sources are where facts were read, by the codes that entries name.
	Sources map[string]source `json:"sources"`
	Models  []entry           `json:"models"`
	// Series are what holds for all models whose names begin alike.
	Series []entry `json:"series"`
}

type source struct {
	Date  string `json:"date"`
	Title string `json:"title"`
}

type entry struct {
	cento.Model
	Prefix string `json:"prefix"`
	// Elsewhere is what differs where somebody else serves the model.
	Elsewhere map[string]cento.Model `json:"elsewhere"`
	Note      string                 `json:"note"`
	Sources   []string               `json:"sources"`
}

// catalog makes the catalog of the facts. Unknown keys, names that stand twice,
// facts without a source and sources without a fact are errors.
func catalog(data []byte) ([]byte, error) {
	var f facts
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, list := range [][]entry{f.Models, f.Series} {
		names := map[string]string{}
		for i := range list {
			e := &list[i]
			what := cmp.Or(e.ID, e.Prefix)
			for _, name := range append([]string{what}, e.Aliases...) {
				if other, twice := names[strings.ToLower(name)]; twice || name == "" {
					return nil, fmt.Errorf("%q names both %q and %q", name, what, other)
				}
				names[strings.ToLower(name)] = what
			}
			if err := e.attribute(f.Sources, used); err != nil {
				return nil, fmt.Errorf("%s: %w", what, err)
			}
			if err := e.dated(); err != nil {
				return nil, fmt.Errorf("%s: %w", what, err)
			}
		}
	}
	for code := range f.Sources {
		if !used[code] {
			return nil, fmt.Errorf("no fact rests on the source %q", code)
		}
	}
	slices.SortFunc(f.Models, func(a, b entry) int { return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID)) })
	slices.SortFunc(f.Series, func(a, b entry) int { return cmp.Compare(a.Prefix, b.Prefix) })
	out := []byte("{\"models\":[\n")
	out = appendEntries(out, f.Models)
	out = append(out, "],\"series\":[\n"...)
	out = appendEntries(out, f.Series)
	return append(out, "]}\n"...), nil
}

// attribute spells the sources out.
func (e *entry) attribute(sources map[string]source, used map[string]bool) error {
	if len(e.Sources) == 0 {
		return fmt.Errorf("no source")
	}
	var titles []string
	for _, code := range e.Sources {
		s, ok := sources[code]
		if !ok {
			return fmt.Errorf("no source has the code %q", code)
		}
		used[code] = true
		titles = append(titles, s.Title+", "+s.Date)
		e.AsOf = max(e.AsOf, s.Date)
	}
	e.Source, e.Sources = strings.Join(titles, "; "), nil
	return nil
}

// dated checks the days of an entry: that of its last check, which no source is newer than, and
// the end of a promotion.
func (e *entry) dated() error {
	if _, err := time.Parse(time.DateOnly, e.Checked); err != nil || e.Checked < e.AsOf {
		return fmt.Errorf("checked %q, and the newest source is of %s", e.Checked, e.AsOf)
	}
	if strings.Contains(e.Note, "promotion") != (e.Price.Until != "") {
		return fmt.Errorf("a promotion has a day in price.until and a note")
	}
	if e.Price.Until != "" {
		if _, err := time.Parse(time.DateOnly, e.Price.Until); err != nil {
			return fmt.Errorf("price.until: %w", err)
		}
	}
	return nil
}

func appendEntries(out []byte, list []entry) []byte {
	for i := range list {
		line, err := json.Marshal(list[i])
		if err != nil {
			panic(err) // an entry is plain data
		}
		var v any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			panic(err)
		}
		if line, err = json.Marshal(known(v)); err != nil {
			panic(err)
		}
		out = append(out, line...)
		if i < len(list)-1 {
			out = append(out, ',')
		}
		out = append(out, '\n')
	}
	return out
}

// known is a value without what says nothing: a missing key says the same.
func known(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	delete(m, "name")
	delete(m, "counting") // the table of package token tells it
	for key, value := range m {
		value = known(value)
		inner, isMap := value.(map[string]any)
		if value == nil || value == "" || isMap && len(inner) == 0 {
			delete(m, key)
			continue
		}
		m[key] = value
	}
	return m
}
