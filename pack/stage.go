package pack

import (
	"errors"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// The stages at which a prompt file or wording can fail. Errors carry the code
// of the stage first and that of the cause, where it has one, below it. Loading
// raises the first two, rendering the others.
const (
	// ResolveFailed: a file, or one that it includes, can't be had.
	ResolveFailed cento.ErrorCode = "instruction.resolve"
	// ParseFailed: a file isn't what it has to be.
	ParseFailed cento.ErrorCode = "template.parse"
	// RenderFailed: a file has no text for these variables.
	RenderFailed cento.ErrorCode = "template.render"
	// CatalogFailed: a wording of the catalog has no text.
	CatalogFailed cento.ErrorCode = "catalog.render"
)

// doing says what a stage was doing, which begins every message of it.
func doing(stage cento.ErrorCode) string {
	switch stage {
	case ResolveFailed:
		return "failed to resolve instruction reference"
	case ParseFailed:
		return "system prompt template parse error"
	case RenderFailed:
		return "system prompt template render error"
	default:
		return "failed to render trailing section template"
	}
}

// atStage gives an error the code and the words of its stage. Place, advice and
// the other parties stay where front ends look for them.
func atStage(stage cento.ErrorCode, err error) error {
	list := slices.Clone(cento.SourceErrors(err))
	for i, e := range list {
		list[i] = staged(stage, e)
	}
	switch len(list) {
	case 0:
		return &cento.SourceError{Code: stage, Message: doing(stage), Err: err}
	case 1:
		return list[0]
	}
	return &cento.Errors{List: list, Omitted: cento.OmittedErrors(err)}
}

func staged(stage cento.ErrorCode, e *cento.SourceError) *cento.SourceError {
	return &cento.SourceError{
		Code: stage, Message: doing(stage), Position: e.Position, Related: e.Related, Hint: e.Hint, Limit: e.Limit, Err: placeless(e),
	}
}

// placeless is an error that says what is wrong and leaves where to the error
// around it.
func placeless(err error) error {
	switch e := err.(type) {
	case *cento.SourceError:
		c := *e
		c.Position = cento.Position{}
		return &c
	case *jinja.Error:
		return &said{e}
	}
	return err
}

// includedBy is an error of a file that another one asks for, which names both.
func includedBy(e *jinja.Error, cause *cento.SourceError) error {
	err := placeless(cause)
	c, ok := err.(*cento.SourceError)
	if !ok || e.Template == "" || !slices.Contains([]cento.ErrorCode{NotFound, Unreadable, NotUTF8, TooLarge}, cause.Code) {
		return err
	}
	verb := "asks for"
	line := []rune(e.SourceLine)
	statement := string(line[:min(max(e.Column-1, 0), len(line))])
	if i := strings.LastIndex(statement, "{%"); i >= 0 {
		switch word, _, _ := strings.Cut(strings.TrimLeft(statement[i+2:], "-+ \t"), " "); word {
		case "include":
			verb = "includes"
		case "extends":
			verb = "extends"
		case "import", "from":
			verb = "imports"
		}
	}
	c.Message += ", which " + quote(strings.TrimSuffix(e.Template, ".md")) + " " + verb
	return c
}

// said is an error of the engine without its place. The engine's error below it
// can draw the line.
type said struct{ engine *jinja.Error }

func (s *said) Error() string { return s.engine.Message }
func (s *said) Unwrap() error { return s.engine }

// openBracket is what a bracket has to do with an error at the end of its tag.
const openBracket = "this bracket is open"

func engineHint(e *jinja.Error) string {
	if e.Nearest != "" {
		return "did you mean " + quote(e.Nearest) + "?"
	}
	return e.Hint
}

// engineError gives an error of the engine the code and words of its stage.
// What the loader had to say is said in its own words.
func engineError(stage cento.ErrorCode, err error, place func(file string, line, column int) cento.Position) error {
	e, ok := errors.AsType[*jinja.Error](err)
	if !ok {
		return atStage(stage, err)
	}
	out := &cento.SourceError{
		Code: stage, Message: doing(stage), Hint: engineHint(e), Err: &said{e},
		Position: place(e.Template, e.Line, e.Column),
	}
	if cause, ok := errors.AsType[*cento.SourceError](e.Cause); ok {
		out.Err, out.Hint = includedBy(e, cause), cause.Hint
		out.Related = append(out.Related, cause.Related...)
	}
	if b := e.Opened; b != nil {
		out.Related = append(out.Related, cento.Related{Position: place(e.Template, b.Line, b.Column), Message: openBracket})
	}
	for _, s := range e.Chain {
		out.Related = append(out.Related, cento.Related{
			Position: place(s.Template, s.Line, s.Column),
			Message:  "from this " + s.What + " of " + quote(s.Name),
		})
	}
	return out
}
