package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/page"
)

// inspectorRoutes are those of the inspector. What its page asks for beside the API
// changes with the page, so it isn't in the document.
func inspectorRoutes() []route {
	var out []route
	serve := func(pattern string, r route) {
		r.method, r.path, _ = strings.Cut(pattern, " ")
		out = append(out, r)
	}
	assets := page.Assets()
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		pattern := "GET /inspector/assets/{edition}/" + name
		if name == "index.html" {
			pattern = "GET /{$}"
		}
		serve(pattern, route{op: "inspector", free: true, handle: sendAsset(assets[name])})
	}
	serve("POST /sign-in", route{op: "sign-in", free: true, handle: enterPage}) // nobody without a token takes a place
	serve("POST /inspector/of/{project}", route{op: "inspect", scope: ScopeRead, handle: inspect})
	serve("POST /inspector/record/{record}", route{op: "inspect-record", scope: ScopeRead, handle: inspectRecord})
	serve("POST /inspector/origin/{project}", route{op: "inspect-origin", scope: ScopeRead, handle: inspectOrigin})
	serve("POST /inspector/diff/{project}", route{op: "inspect-diff", scope: ScopeRead, handle: inspectDiff})
	serve("GET /inspector/session/{id}", route{op: "inspect-session", scope: ScopeRead, handle: inspectSession})
	return out
}

// sendAsset answers with a file of the page. A browser keeps it; it asks each time whether
// it is still the same, but where the address names what is in it. Behind one address there
// can be several editions of the service, so a file of another one is this one's.
func sendAsset(a page.Asset) func(*exchange) error {
	sum := sha256.Sum256(a.Body)
	tag := `"` + hex.EncodeToString(sum[:]) + `"`
	return func(x *exchange) error {
		h := x.w.Header()
		h.Set("ETag", tag)
		h.Set("Cache-Control", "private, no-cache")
		if x.r.PathValue("edition") == page.Edition() {
			h.Set("Cache-Control", "private, max-age=31536000, immutable")
		}
		if matches(x.r.Header.Get("If-None-Match"), tag) {
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
		return x.send(a.Type, a.Body, "")
	}
}

// inspection is what the inspector shows of a prompt, beside that of the project
// without a change.
type inspection struct {
	Page    *page.Parts  `json:"page"`
	Choices *app.Choices `json:"choices"`
	Before  size         `json:"before"`
	After   size         `json:"after"`
	// Difference is null where nothing was changed.
	Difference *cento.Difference `json:"difference"`
	// Command and Test say the same as a command and as a file of tests; empty where
	// neither can.
	Command string `json:"command"`
	Test    string `json:"test"`
	// Least is the least budget that keeps all that is required, Full the least that keeps
	// everything.
	Least int `json:"least"`
	Full  int `json:"full"`
}

// size is that of a prompt.
type size struct {
	Tokens   int  `json:"tokens"`
	Exact    bool `json:"exact"`
	Bytes    int  `json:"bytes"`
	Included int  `json:"included"`
}

// side is a prompt as the inspector sets it beside another.
type side struct {
	project *app.Project
	in      cento.Input
	prompt  *cento.Prompt
	notes   []cento.Note
}

// inspect answers with the prompt of a project under a what-if, which is the body.
func inspect(x *exchange) error {
	at, request, err := x.asked()
	if err != nil {
		return err
	}
	return x.inspected(at.of.name, request, "", call.Options{Place: at})
}

// originOf is the body of a request for the place of a byte of a prompt.
type originOf struct {
	Asked *document `json:"asked,omitempty"`
	// At is the byte.
	At int `json:"at"`
	// Digest is that of the prompt that the page shows.
	Digest string `json:"digest"`
}

// inspectOrigin answers where a byte of a prompt is from, and which commit wrote its line.
// Of a prompt that isn't any more what the page shows, it tells nothing.
func inspectOrigin(x *exchange) error {
	at, request, err := x.asked()
	if err != nil {
		return err
	}
	f, err := read[originOf](request)
	if err != nil {
		return err
	}
	r, err := manifest.ParseExplain(call.RequestName, f.Asked.orEmpty(), app.RequestLimits())
	if err != nil {
		return err
	}
	s, err := x.side(r, call.Options{Place: at})
	if err != nil {
		return err
	}
	if s.prompt.Digest() != f.Digest {
		return refused(http.StatusConflict, "prompt.changed", "the prompt is another one by now", "")
	}
	m, err := s.project.OriginAt(x.r.Context(), s.prompt, f.At)
	if err != nil {
		return err
	}
	return x.plainly(m)
}

// inspectRecord answers with the prompt of a record. Of what was recorded, the active set,
// the model and the budget can be others.
func inspectRecord(x *exchange) error {
	ref, err := x.recordNamed(x.r.PathValue("record"))
	if err != nil {
		return err
	}
	request, err := x.jsonBody()
	if err != nil {
		return err
	}
	return x.inspected(projectOf(ref.Session), request, x.r.PathValue("record"), call.Options{Sealed: true, Record: x.record})
}

// inspecting is the body of a request for a page.
type inspecting struct {
	Asked *document `json:"asked,omitempty"`
	// Have are the names of the pieces that the page has already, with spaces between.
	Have string `json:"have,omitempty"`
}

// inspected answers with the prompt of a request beside the one without its changes.
func (x *exchange) inspected(name string, request []byte, record string, o call.Options) error {
	f, err := read[inspecting](request)
	if err != nil {
		return err
	}
	parse := manifest.ParseExplain
	if record != "" {
		parse = func(name string, data []byte, limits cento.Limits) (*manifest.ProjectRequest, error) {
			return manifest.ParseExplainRecord(name, data, record, limits)
		}
	}
	r, err := parse(call.RequestName, f.Asked.orEmpty(), app.RequestLimits())
	if err != nil {
		return err
	}
	base := *r
	base.Changes = manifest.Changes{Now: r.Now}
	from, err := x.side(&base, o)
	if err != nil {
		return err
	}
	to := from
	if call.Changed(r.Changes) {
		if to, err = x.side(r, o); err != nil {
			return err
		}
	}
	known := map[string]bool{}
	for piece := range strings.FieldsSeq(f.Have) {
		known[piece] = true
	}
	out, err := inspectionOf(x.r.Context(), name, r, from, to, known)
	if err != nil {
		return err
	}
	return x.plainly(out, member{"pieces", out.Page.EncodedPieces()})
}

// side makes the prompt of a request.
func (x *exchange) side(r *manifest.ProjectRequest, o call.Options) (*side, error) {
	s := &side{}
	return s, o.Ask(x.r.Context(), r, func(p *app.Project, in cento.Input, notes []cento.Note) (err error) {
		s.project, s.in, s.notes = p, in, notes
		s.prompt, err = p.Reduce(in)
		return cmp.Or(err, x.r.Context().Err())
	})
}

// member is a member of an object whose value is encoded already.
type member struct {
	name  string
	value []byte
}

// plainly sends an answer that is for the page alone, which reads it as no markup. The
// members are put behind those of the answer as they are: the encoder would read them all
// again.
func (x *exchange) plainly(answer any, members ...member) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return err
	}
	for _, m := range members {
		b.Truncate(bytes.LastIndexByte(b.Bytes(), '}'))
		b.Grow(len(m.name) + len(m.value) + len(`,"":}`) + 1)
		b.WriteString(`,"` + m.name + `":`)
		b.Write(m.value)
		b.WriteString("}\n")
	}
	return x.send("application/json", b.Bytes(), "")
}

func inspectionOf(ctx context.Context, name string, r *manifest.ProjectRequest, from, to *side, known map[string]bool) (*inspection, error) {
	e, err := to.explain()
	if err != nil {
		return nil, err
	}
	e.Notes = append(slices.Clip(e.Notes), to.notes...)
	out := &inspection{After: sizeOf(e)}
	out.Before = out.After
	if call.Changed(r.Changes) {
		out.Before, out.Difference = from.size(), cento.Diff(from.prompt, to.prompt)
		if !r.Recorded() {
			out.Command, out.Test = app.AsCommand(r.Changes), app.AsTest(r.Changes, out.Difference, e)
		}
	}
	if out.Page, err = page.Split(page.Page{
		Title: to.in.Files.AgentName.Body, Project: name, Target: r.Target, Values: to.project.SetAt(to.in), Version: app.Version(),
	}, e, known); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if out.Choices, err = from.project.Choices(to.project, to.in); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if out.Least, out.Full, err = to.project.BudgetRange(to.in); err != nil {
		return nil, err
	}
	return out, nil
}

func (s *side) explain() (*cento.Explanation, error) {
	return s.project.Explanation(s.in, s.prompt, cento.ExplainOptions{AllReasons: true, ExcludedTexts: true, Counter: app.CounterOf(s.in)})
}

// size is what [sizeOf] tells of the explanation, which isn't made for it.
func (s *side) size() size {
	counter := app.CounterOf(s.in)
	text, _ := s.prompt.System()
	return size{Tokens: counter.Count(text), Exact: counter.Exact(), Bytes: s.prompt.Bytes(), Included: s.prompt.Included()}
}

func sizeOf(e *cento.Explanation) size {
	out := size{Bytes: e.Bytes, Included: e.Included}
	if e.Tokens != nil {
		out.Tokens = *e.Tokens
	}
	if e.TokensExact != nil {
		out.Exact = *e.TokensExact
	}
	return out
}
