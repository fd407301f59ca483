package mcpserver

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/strict"
)

// search is what a client looks for in what was handed out.
type search struct {
	strict.At
	Project  string                  `json:"project,omitempty"`
	Text     strict.Located[string]  `json:"text"`
	Session  string                  `json:"session,omitempty"`
	Since    *strict.Located[string] `json:"since,omitempty"`
	Until    *strict.Located[string] `json:"until,omitempty"`
	Limit    *strict.Located[int]    `json:"limit,omitempty"`
	Excluded bool                    `json:"excluded,omitempty"`
}

const (
	// defaultFound and maxFound are how many records a search tells.
	defaultFound = 20
	maxFound     = 200
)

// searchName is the name of the tool that searches.
const searchName = "search_records"

// searchTool looks for a text in the records of a project's store.
func (s *Server) searchTool() tool {
	one, most := 1.0, float64(maxFound)
	return s.tool(searchName, "Search what was handed out",
		"Find the recorded prompts that held a text, the newest first, with the fragment and the place in its file. Prompts are recorded by cento build --record and by sessions.",
		map[string]*jsonschema.Schema{
			"text": text("The text to look for; white space is folded."), "session": text("Only records of this session."),
			"since": text("Only records from this time on, as in RFC 3339."), "until": text("Only records before this time, as in RFC 3339."),
			"limit":    {Type: "integer", Minimum: &one, Maximum: &most, Description: "At most so many records; default 20."},
			"excluded": truth("Look in fragments that were left out, too; default false."),
		}, []string{"text"}, reflect.TypeFor[app.RecordSearch](), s.search)
}

// search answers a search.
func (s *Server) search(ctx context.Context, request []byte) (any, error) {
	q, err := strict.Request[search]("<request>.json", request, app.RequestLimits())
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{}
	query := app.SearchQuery{Text: q.Text.Value, Excluded: q.Excluded}
	query.Session, query.Limit = q.Session, defaultFound
	if strings.TrimSpace(q.Text.Value) == "" {
		d.Fail(q.Text.Position(), strict.WrongValue, "the text to look for is blank")
	}
	if q.Limit != nil {
		if query.Limit = q.Limit.Value; query.Limit < 1 || query.Limit > maxFound {
			d.Fail(q.Limit.Position(), strict.WrongValue, "limit is %d", query.Limit).Hint = "a number from 1 to 200"
		}
	}
	for _, x := range []struct {
		name string
		at   *strict.Located[string]
		to   *time.Time
	}{{"since", q.Since, &query.Since}, {"until", q.Until, &query.Until}} {
		if x.at == nil {
			continue
		}
		t, err := time.Parse(time.RFC3339, x.at.Value)
		if err != nil {
			d.Fail(x.at.Position(), strict.WrongValue, "%s is no time: %q", x.name, x.at.Value).Hint = "as in 2006-01-02T15:04:05Z"
		}
		*x.to = t
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	p := &s.projects[0]
	if q.Project != "" {
		if p, err = s.project(q.Project); err != nil {
			return nil, err
		}
	}
	return p.Search(ctx, query)
}
