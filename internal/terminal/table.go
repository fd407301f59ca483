package terminal

import (
	"strings"
	"unicode/utf8"
)

// Paint is a colour or weight of letters on a screen.
type Paint string

// The paints there are.
const (
	Green  Paint = "32"
	Red    Paint = "31"
	Yellow Paint = "33"
	Cyan   Paint = "36"
	Dim    Paint = "2"
	Bold   Paint = "1"
)

// On paints a value, where there are colours.
func (p Paint) On(v any) Painted { return Painted{v, p} }

// Painted is a value with its paint.
type Painted struct {
	value any
	paint Paint
}

// Table lines columns up. Widths count code points; the last column is not padded.
type Table struct {
	rows [][]Cell
}

// Cell is a value in a table, which is written out as a [Line].
type Cell struct {
	Text  string
	Paint Paint
	// Right: it stands at the right edge of its column.
	Right bool
	// Tabs: its tabs stay.
	Tabs bool
}

// Add adds a row.
func (t *Table) Add(cells ...Cell) { t.rows = append(t.rows, cells) }

// Table writes a table.
func (w *Writer) Table(t *Table) {
	var widths []int
	shown := make([][]string, len(t.rows))
	for k, row := range t.rows {
		for i, x := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			text := Line(x.Text)
			if x.Tabs {
				text = writeOut(x.Text, "\t")
			}
			shown[k] = append(shown[k], text)
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for k, row := range t.rows {
		var b strings.Builder
		for i, x := range row {
			text := shown[k][i]
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if w.Colour && x.Paint != "" && text != "" {
				text = "\x1b[" + string(x.Paint) + "m" + text + "\x1b[0m"
			}
			if i > 0 {
				b.WriteString("  ")
			}
			switch {
			case x.Right:
				b.WriteString(pad + text)
			case i == len(row)-1:
				b.WriteString(text)
			default:
				b.WriteString(text + pad)
			}
		}
		w.write(strings.TrimRight(b.String(), " ") + "\n")
	}
}
