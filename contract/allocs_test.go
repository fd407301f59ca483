package contract

import "testing"

// Writing into memory that is there allocates nothing, and reading allocates
// nothing for a fact without escapes but its place in the list.
func TestAllocations(t *testing.T) {
	small, large := generated(t, 50), generated(t, 500)
	for _, form := range Forms() {
		dst := make([]byte, 0, 1<<17)
		if n := testing.AllocsPerRun(20, func() { dst = large.Append(dst[:0], form) }); form.Readable() && n > 0 {
			t.Errorf("writing %s allocates %v times", form, n)
		}
		if !form.Readable() {
			continue
		}
		reading := func(c *Contract) float64 {
			text := c.Text(form)
			return testing.AllocsPerRun(20, func() {
				if _, err := Parse(form, text, ParseOptions{}); err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := reading(small), reading(large); many > few+10 {
			t.Errorf("reading %s allocates %v times for 50 facts, %v for 500", form, few, many)
		}
	}
}
