package cache

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// compared is how far two requests agree.
type compared struct {
	bytes, tokens int
	difference    *Difference
	// kind is that of the first part that differs.
	kind wire.PartKind
}

// compare sets a request beside the one before.
func compare(from, to *view, counter cento.Counter) compared {
	var out compared
	for i := range to.units {
		u := &to.units[i]
		if i >= len(from.units) { // all of the one before stands at the beginning
			return out
		}
		old := &from.units[i]
		if same(old, u) {
			out.bytes += compares(u)
			out.tokens = u.after
			continue
		}
		out.kind = u.Kind
		if old.Kind != u.Kind { // one of them has no more of a kind
			out.kind = earlier(from, to, old.Kind, u.Kind)
		}
		d := &Difference{Pointer: u.Pointer, Behind: to.tokens - u.before}
		out.difference = d
		switch {
		case u.Kind == wire.SettingPart || old.Kind != u.Kind:
			if old.Kind != u.Kind && out.kind == old.Kind {
				d.Pointer = old.Pointer
			}
			d.Fragment = fragmentOf(out.kind, old, u)
		case u.Kind == wire.SystemPart:
			n := common(old.Text, u.Text)
			out.bytes += n
			if n > 0 {
				out.tokens = u.before + counter.Count(u.Text[:n])
			}
			d.Behind = to.tokens - out.tokens
			d.Pointer, d.Offset = to.at(n)
			o, ok := to.owner(n)
			if !ok {
				d.Pointer, d.Offset = from.at(n)
				o, ok = from.owner(n)
			}
			if ok {
				d.Fragment = o.id
				if !o.pos.IsZero() {
					d.Position = &o.pos
				}
			}
		default:
			if old.Message < u.Message { // what stood there is gone
				d.Pointer = old.Pointer
			} else if u.Name == old.Name && u.Decoded == old.Decoded && u.sealed == nil && old.sealed == nil {
				d.Offset = common(old.Text, u.Text)
				out.bytes += d.Offset
				if d.Offset > 0 {
					out.tokens = u.before + min(counter.Count(u.Text[:d.Offset]), u.after-u.before)
				}
				d.Behind = to.tokens - out.tokens
			}
			d.Fragment = fragmentOf(u.Kind, old, u)
		}
		return out
	}
	if len(from.units) > len(to.units) {
		old := &from.units[len(to.units)]
		out.kind = old.Kind
		out.difference = &Difference{Pointer: old.Pointer, Fragment: fragmentOf(old.Kind, old, old)}
	}
	return out
}

func same(a, b *unit) bool {
	if a.Kind != b.Kind || a.Name != b.Name || a.Message != b.Message {
		return false
	}
	if a.sealed != nil || b.sealed != nil {
		return a.digest() == b.digest()
	}
	return a.Text == b.Text
}

// compares is how many bytes of a unit count as a part of the beginning.
func compares(u *unit) int {
	if u.Kind == wire.SettingPart {
		return 0
	}
	if u.sealed != nil {
		return u.sealed.Bytes
	}
	return len(u.Text)
}

// earlier is which of two kinds the provider reads first, where a request has nothing
// more of it.
func earlier(from, to *view, a, b wire.PartKind) wire.PartKind {
	for _, v := range []*view{from, to} {
		at := func(k wire.PartKind) int { return slices.IndexFunc(v.units, func(u unit) bool { return u.Kind == k }) }
		if i, j := at(a), at(b); i >= 0 && j >= 0 {
			if i < j {
				return a
			}
			return b
		}
	}
	return b
}

func fragmentOf(kind wire.PartKind, old, u *unit) string {
	if kind != wire.ToolPart {
		return ""
	}
	if u.Kind == wire.ToolPart {
		return "tool:" + u.Name
	}
	return "tool:" + old.Name
}

// common is how many bytes two texts begin with alike, whole characters of them.
func common(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	for i > 0 && (i < len(a) && a[i]&0xc0 == 0x80 || i < len(b) && b[i]&0xc0 == 0x80) {
		i--
	}
	return i
}
