package jinja

import "strings"

func filterEscape(c *Call) Value {
	c.most(0)
	v := c.textValue(&c.args[0])
	if v.flags&safe != 0 {
		return v
	}
	c.args[0] = v
	out := c.perPart(escapeHTML)
	out.flags |= safe
	return out
}

func filterSafe(c *Call) Value {
	c.most(0)
	v := c.textValue(&c.args[0])
	v.flags |= safe
	return v
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", "/", "&#x2f;")

func escapeHTML(s string) string { return htmlEscapes.Replace(s) }

// escaped is v as an autoescape block prints it.
func (r *run) escaped(v *Value, at uint32) Value {
	if !strings.ContainsAny(v.s, `&<>"'/`) {
		return *v
	}
	c := Call{r: r, at: at, name: "escape", args: []Value{*v}}
	r.escape = false
	out := c.perPart(escapeHTML)
	r.escape = true
	out.flags |= safe
	return out
}

// escapeTail is for values that print without being strings: what was written
// from start on is escaped in place.
func (r *run) escapeTail(v *Value, start int, at uint32) {
	text := string(r.out[start:])
	r.alloc(len(text), at)
	r.out = r.out[:start]
	c := Call{r: r, at: at}
	c.writeChanged(text, escapeHTML)
	r.mark(spanComputed, at, r.pathOf(v), r.t, max(r.label(v), r.t.src.Trust))
}

// --- filters of minijinja-contrib

func filterStriptags(c *Call) Value {
	c.most(0)
	s := c.subject()
	c.r.bytes(len(s), c.at)
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], '>')
		if strings.HasPrefix(s[i:], "<!--") {
			if end = strings.Index(s[i:], "-->"); end >= 0 {
				end += 2
			}
		}
		if end < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i+end+1:]
	}
	b.WriteString(s)
	var out strings.Builder
	for word := range strings.FieldsSeq(htmlUnescapes.Replace(b.String())) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	return c.text(out.String())
}

var htmlUnescapes = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#x27;", "'", "&#39;", "'", "&#x2f;", "/", "&amp;", "&")
