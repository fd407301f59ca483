package cache

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/wire"
)

// causes tell what changed from one request to the next, in the order in which the
// provider reads it.
func (a *Analysis) causes(from, to *prepared, c compared, x outcome) []Cause {
	var out []Cause
	if c.difference != nil {
		sections := []struct {
			kind wire.PartKind
			of   func(from, to *prepared) []Cause
		}{{wire.ToolPart, toolCauses}, {wire.SystemPart, a.systemCauses}, {wire.MessagePart, messageCauses}}
		order := wire.PrefixOrder(to.step.Request.Form)
		slices.SortStableFunc(sections, func(a, b struct {
			kind wire.PartKind
			of   func(from, to *prepared) []Cause
		}) int {
			return slices.Index(order, a.kind) - slices.Index(order, b.kind)
		})
		settings := settingCauses(from.view, to.view)
		for _, s := range sections {
			for _, set := range settings {
				if set.before == s.kind {
					out = append(out, set.Cause)
				}
			}
			out = append(out, s.of(from, to)...)
		}
	}
	if e := x.expired; e != nil {
		w := Witness{What: "ttl", Name: e.ttl}
		if !e.after.IsZero() {
			w.From, w.To = e.after.UTC().Format(time.RFC3339), to.step.At.UTC().Format(time.RFC3339)
		}
		out = append(out, Cause{Kind: TTLExpired, Witnesses: []Witness{w}})
	}
	for i := range out {
		out[i].Provider = providerName(to.step.Request.Form, &out[i])
	}
	return out
}

// providerName is what the diagnosis of a provider calls a cause.
func providerName(form wire.Form, c *Cause) string {
	responses := form == wire.OpenAIResponses
	if form != wire.Anthropic && !responses {
		return ""
	}
	switch c.Kind {
	case ModelChanged, ToolsChanged:
		return string(c.Kind)
	case MessagesChanged:
		if responses {
			return "input_changed"
		}
		return string(c.Kind)
	case SettingsChanged:
		if responses {
			switch c.Witnesses[0].Name {
			case "text":
				return "text_format_changed"
			case "reasoning":
				return "reasoning_effort_changed"
			case "service_tier", "prompt_cache_key":
				return c.Witnesses[0].Name + "_changed"
			}
		}
		return ""
	case TTLExpired:
		return ""
	case Reminder:
		if c.Fragment == "" { // it stands in the conversation
			return map[bool]string{true: "input_changed", false: "messages_changed"}[responses]
		}
	}
	if responses {
		return "input_changed"
	}
	return "system_changed"
}

// setCause is a setting that changed, and what it stands before.
type setCause struct {
	Cause
	before wire.PartKind
}

func settingCauses(from, to *view) []setCause {
	type value struct {
		text   string
		before wire.PartKind
	}
	read := func(v *view) map[string]value {
		out := map[string]value{}
		for i := range v.units {
			if v.units[i].Kind != wire.SettingPart {
				continue
			}
			before := wire.MessagePart
			for _, u := range v.units[i:] {
				if u.Kind != wire.SettingPart {
					before = u.Kind
					break
				}
			}
			out[v.units[i].Name] = value{v.units[i].Text, before}
		}
		return out
	}
	old, now := read(from), read(to)
	var names []string
	for name := range old {
		names = append(names, name)
	}
	for name := range now {
		if _, ok := old[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []setCause
	for _, name := range names {
		x, had := old[name]
		y, has := now[name]
		if x.text == y.text && had == has {
			continue
		}
		before := y.before
		if !has {
			before = x.before
		}
		c := Cause{Kind: SettingsChanged, Witnesses: []Witness{{What: "setting", Name: name, From: clip(x.text), To: clip(y.text)}}}
		if name == "model" {
			c.Kind, c.Witnesses[0].What = ModelChanged, "model"
			c.Witnesses[0].From, c.Witnesses[0].To = strings.Trim(x.text, `"`), strings.Trim(y.text, `"`)
			c.Witnesses[0].Name = c.Witnesses[0].To
		}
		out = append(out, setCause{c, before})
	}
	return out
}

// clip is as much of a text as a report shows.
func clip(s string) string { return quote.Clip(s, 80) }

// toolCauses tell how the definitions of tools differ: one cause, with a witness for
// each tool.
func toolCauses(from, to *prepared) []Cause {
	old, now := tools(from.view), tools(to.view)
	index := func(list []*unit) map[string]int {
		out := map[string]int{}
		for i, u := range list {
			out[u.Name] = i
		}
		return out
	}
	was, is := index(old), index(now)
	var list []Witness
	for _, u := range now {
		j, both := was[u.Name]
		switch {
		case !both:
			list = append(list, toolWitness(to, u.Name, "added"))
		case old[j].digest() != u.digest():
			list = append(list, reworded(from, to, u.Name))
		}
	}
	for _, u := range old {
		if _, both := is[u.Name]; !both {
			list = append(list, toolWitness(from, u.Name, "removed"))
		}
	}
	var before, after []string
	for _, u := range old {
		if _, both := is[u.Name]; both {
			before = append(before, u.Name)
		}
	}
	for _, u := range now {
		if _, both := was[u.Name]; both {
			after = append(after, u.Name)
		}
	}
	if !slices.Equal(before, after) {
		for i := range after {
			if i < len(before) && before[i] != after[i] {
				w := toolWitness(to, after[i], "reordered")
				w.From, w.To = place(was[after[i]], old), place(is[after[i]], now)
				list = append(list, w)
				break
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []Cause{{Kind: ToolsChanged, Fragment: "tool:" + list[0].Name, Witnesses: list}}
}

func place(i int, list []*unit) string {
	if i == 0 {
		return "first"
	}
	return "after `" + list[i-1].Name + "`"
}

func tools(v *view) []*unit {
	var out []*unit
	for i := range v.units {
		if v.units[i].Kind == wire.ToolPart {
			out = append(out, &v.units[i])
		}
	}
	return out
}

// definition is a tool of a step, by its name; nil for a body that says no more.
func definition(p *prepared, name string) *cento.Tool {
	for i := range p.step.Request.Tools {
		if t := &p.step.Request.Tools[i]; t.Name == name {
			return t
		}
	}
	return nil
}

func toolWitness(p *prepared, name, change string) Witness {
	w := Witness{What: "tool", Name: name, Change: change}
	if t := definition(p, name); t != nil {
		w.Server = t.Server
		if !t.Origin.IsZero() {
			at := t.Origin
			w.Position = &at
		}
	}
	return w
}

// reworded tells which part of a definition is another.
func reworded(from, to *prepared, name string) Witness {
	w := toolWitness(to, name, "definition")
	old, now := definition(from, name), definition(to, name)
	if old == nil || now == nil {
		return w
	}
	switch {
	case old.Description != now.Description:
		w.Change = "description"
		w.From, w.To = excerpt(old.Description, now.Description)
	case !bytes.Equal(old.Parameters, now.Parameters):
		w.Change = "schema"
		w.From, w.To = excerpt(string(old.Parameters), string(now.Parameters))
	}
	return w
}

// excerpt is where two texts differ first, of both: from the beginning of a word
// before it to the end of the line.
func excerpt(a, b string) (from, to string) {
	const before = 24
	n := common(a, b)
	at := max(n-before, strings.LastIndexByte(a[:n], '\n')+1)
	if at > 0 && a[at-1] != '\n' {
		if i := strings.IndexByte(a[at:n], ' '); i >= 0 {
			at += i + 1
		} else {
			at = n
		}
	}
	line := func(s string) string {
		if i := strings.IndexByte(s[n:], '\n'); i > 0 {
			s = s[:n+i]
		}
		return clip(s[at:])
	}
	return line(a), line(b)
}

// messageCauses tell of a conversation that doesn't go on where the one before ended.
func messageCauses(from, to *prepared) []Cause {
	old, now := messages(from.view), messages(to.view)
	for i, u := range old {
		if i < len(now) && same(u, now[i]) {
			continue
		}
		if reminds(from, u) || i < len(now) && reminds(to, now[i]) {
			return []Cause{{Kind: Reminder, Witnesses: []Witness{{What: "message", Name: strconv.Itoa(u.Message + 1)}}}}
		}
		w := Witness{What: "message", Name: strconv.Itoa(u.Message + 1)}
		switch {
		case i == len(now):
			if w.Change = "removed"; u.sealed == nil {
				w.From = clip(u.Text)
			}
		case u.sealed != nil || now[i].sealed != nil:
			w.Change = "reworded"
			if now[i].Message != u.Message || now[i].Name != u.Name {
				w.Change = "replaced"
			}
		default:
			w.From, w.To = excerpt(u.Text, now[i].Text)
		}
		return []Cause{{Kind: MessagesChanged, Witnesses: []Witness{w}}}
	}
	return nil
}

func messages(v *view) []*unit {
	var out []*unit
	for i := range v.units {
		if v.units[i].Kind == wire.MessagePart {
			out = append(out, &v.units[i])
		}
	}
	return out
}

// reminds reports whether a part of a message is the envelope of the turn.
func reminds(p *prepared, u *unit) bool {
	if u.sealed != nil {
		return u.sealed.Reminder
	}
	e := p.step.Request.Reminders.Envelope
	if e == nil {
		return false
	}
	text, ok := e.System()
	return ok && text != "" && strings.HasSuffix(u.Text, text)
}

// sortCauses orders causes by where they show.
func sortCauses(list []placed) []Cause {
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	var out []Cause
	for _, p := range list {
		out = append(out, p.Cause)
	}
	return out
}

// placed is a cause with the byte of the system prompt at which it shows.
type placed struct {
	Cause
	at int
}
