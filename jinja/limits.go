package jinja

// Limits bound what a template may take. A zero field means its default, so the
// zero Limits is the default; there is no way to switch a bound off.
type Limits struct {
	// Fuel is the number of steps of one rendering, default 1,000,000. A step is
	// about one node evaluated, one item iterated over, copied or compared, or 64
	// bytes written or scanned. The same template and values take the same fuel.
	Fuel int
	// Depth is how deep includes, imports and extends may nest, default 32.
	Depth int
	// Includes is how many templates one rendering may include, default 256.
	Includes int
	// Nesting is how deep statements and expressions nest in the source, and
	// calls (macros, blocks, recursive loops) when rendering; default 100, at
	// most 200.
	Nesting int
	// Output is the size of the text in bytes, default 4 MiB.
	Output int
	// Value is the size of one string in bytes, default 4 MiB.
	Value int
	// Memory is the total size in bytes of all strings and lists that one
	// rendering makes, default 24 MiB.
	Memory int
	// Source is the size of one template in bytes, default 1 MiB.
	Source int
}

// spans is how many spans the output may consist of: a third of Memory is theirs.
func (l Limits) spans() int { return max(1, l.Memory/3/spanSize) }

// steps is how many steps the access paths of one rendering may have together.
func (l Limits) steps() int { return max(2, l.Memory/3/stepSize) }

func (l Limits) withDefaults() Limits {
	set := func(p *int, n int) {
		if *p <= 0 {
			*p = n
		}
	}
	set(&l.Fuel, 1_000_000)
	set(&l.Depth, 32)
	set(&l.Includes, 256)
	set(&l.Nesting, 100)
	set(&l.Output, 4<<20)
	set(&l.Value, 4<<20)
	set(&l.Memory, 24<<20)
	set(&l.Source, 1<<20)
	l.Nesting = min(l.Nesting, 200)
	// Offsets are kept in 32 bits.
	l.Output = min(l.Output, 1<<30)
	l.Source = min(l.Source, 1<<30)
	return l
}
