package history

import "bytes"

// lineWriter hands what is written to it on line by line, without the line feed, each cut at most bytes. It
// never fails, so that a hostile line costs its reader no more than an ordinary one.
type lineWriter struct {
	most    int
	each    func(line string)
	pending []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	size := len(p)
	for {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		w.pending = append(w.pending, line[:min(len(line), w.most-len(w.pending))]...)
		if !ended {
			return size, nil
		}
		w.flush()
		p = rest
	}
}

// flush hands on a last line that no line feed ended.
func (w *lineWriter) flush() {
	w.each(string(w.pending))
	w.pending = w.pending[:0]
}
