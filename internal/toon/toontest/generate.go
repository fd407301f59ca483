package toontest

import "pgregory.net/rapid"

// texts are strings that the format treats apart, and any others.
func texts() *rapid.Generator[string] {
	special := []string{
		"", " ", "-", "- a", "#", "true", "null", "42", "-1.5", "05", "+1", "1e5", "a,b", "a|b", "a\tb", "a:b", "[2]", "[]", "{x}",
		"\"q\"", "\\", "\n", "\x01", "\u007f", "é", "😀", "a.b", "9a", "a-b", "\ufeff", "\ufeffz", "x ", "id", "name", "\u00a0",
	}
	return rapid.OneOf(rapid.SampledFrom(special), rapid.SampledFrom(special), rapid.StringN(0, 8, -1))
}

// Values draws any value of at most some depth. Half of the arrays and objects
// hold values of one shape, which are what tables are made for.
func Values(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kinds := 9
		if depth == 0 {
			kinds = 5
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return Value{}
		case 1:
			return Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			return Float(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1e20, 1e21, 1e-6, 1e-7, -2.5})).Draw(t, "number"))
		case 3, 4:
			return String(texts().Draw(t, "text"))
		case 5, 6:
			return Array(draw(t, depth, rapid.IntRange(0, 4).Draw(t, "items"))...)
		default:
			keys := rapid.SliceOfNDistinct(texts(), 0, 4, rapid.ID[string]).Draw(t, "keys")
			var members []Member
			for i, v := range draw(t, depth, len(keys)) {
				members = append(members, Member{keys[i], v})
			}
			return Object(members...)
		}
	})
}

func draw(t *rapid.T, depth, n int) []Value {
	items := make([]Value, n)
	uniform := rapid.Bool().Draw(t, "uniform")
	for i := range items {
		if uniform && i > 0 {
			items[i] = reshape(t, items[0])
		} else {
			items[i] = Values(depth-1).Draw(t, "item")
		}
	}
	return items
}

// reshape is another value of the same shape, its keys maybe in another order.
func reshape(t *rapid.T, like Value) Value {
	switch like.Kind() {
	case ArrayKind:
		return like
	case ObjectKind:
		var members []Member
		for key, v := range like.Members() {
			members = append(members, Member{key, reshape(t, v)})
		}
		return Object(rapid.Permutation(members).Draw(t, "members")...)
	}
	return Values(0).Draw(t, "scalar")
}
