package provenance

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// SetAt are the places of the values of the variables that the manifest or the caller
// sets, by their names; one that the caller sets has none.
func (p Texts) SetAt(in cento.Input) map[string]cento.Position {
	out := map[string]cento.Position{}
	for name := range p.project.Variables() {
		value, _ := p.project.Value(name)
		out[name] = value.Origin
	}
	for name := range given(in) {
		out[name] = cento.Position{}
	}
	return out
}

// given are the variables that the caller sets.
func given(in cento.Input) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if len(in.Files.Given) > 0 {
		_ = json.Unmarshal(in.Files.Given, &out) // what it was made of was read
	}
	return out
}

// setter tells where the values of an input's variables are set. What it found stays.
type setter struct {
	project *project.Project
	given   map[string]json.RawMessage
	files   []*pack.File
	known   map[[2]string]*setPlace
}

// setPlace is where a value is set.
type setPlace struct {
	value cento.Text
	// none says in words why there is no place; empty where there is one.
	none string
}

// place is that of a stretch in the value; where the stretch isn't a copy of it, but a
// part or something made of it, that of its first byte.
func (s *setPlace) place(of stretch) *cento.Position {
	at := s.value.Origin
	if strings.HasPrefix(s.value.Body, of.text) {
		for _, r := range s.value.Runs {
			if r.Start <= of.offset && of.offset < r.End {
				if at = r.Position; !r.Fixed {
					at = at.After(s.value.Body[r.Start:of.offset])
				}
			}
		}
	}
	return &at
}

func (p Texts) setter(in cento.Input) *setter {
	return &setter{project: p.project, given: given(in), known: map[[2]string]*setPlace{}}
}

// of is where the value is set that a stretch has which stands at origin; nil for text
// that is no variable of the project's, such as one of the model's.
func (s *setter) of(variable string, origin *cento.Position) *setPlace {
	path := valuePath(variable)
	if len(path) == 0 {
		return nil
	}
	key := [2]string{variable}
	if origin != nil {
		key[1] = origin.File
	}
	if s.known[key] == nil {
		s.known[key] = s.find(path[0], path[1:], key[1])
	}
	return s.known[key]
}

// find looks for a value by its rank: what the caller says, the manifest, the default
// of the prompt file.
func (s *setter) find(name string, path []string, file string) *setPlace {
	if _, ok := s.given[name]; ok {
		return &setPlace{none: "the value of the variable was handed over by the caller"}
	}
	if value, ok := s.project.Value(name, path...); ok {
		return &setPlace{value: value}
	}
	if s.files == nil {
		s.files = s.project.Files()
	}
	for _, f := range s.files {
		reads := false
		for _, src := range f.Sources() {
			reads = reads || src.Ref.Path() == file
		}
		for _, v := range f.Vars() {
			if value, ok := v.Default(path...); ok && reads && v.Name == name {
				return &setPlace{value: value}
			}
		}
	}
	return &setPlace{none: "where the value of the variable is set isn't known"}
}

// valuePath are the name of a variable of the project and the path in its value, of names
// and ranks; none for any other variable. What can't be read ends it.
func valuePath(variable string) (out []string) {
	rest, ok := strings.CutPrefix(variable, "vars")
	for ok && rest != "" {
		step := ""
		switch {
		case rest[0] == '.':
			step = rest[1:]
			if end := strings.IndexAny(step, ".["); end >= 0 {
				step = step[:end]
			}
			rest = rest[1+len(step):]
		case strings.HasPrefix(rest, `["`):
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil {
				return out
			}
			step, _ = strconv.Unquote(quoted)
			rest = strings.TrimPrefix(rest[1+len(quoted):], "]")
		case rest[0] == '[':
			step, rest, ok = strings.Cut(rest[1:], "]")
		default:
			return nil // another name that begins like it
		}
		out = append(out, step)
	}
	return out
}
