package history

import "bytes"

var mark = []byte("\uFEFF")

// asCommitted rewrites contents so that a line which differs from a committed line only in its carriage
// return, or the first one in its byte order mark, is that line. git itself does so where its configuration
// asks for it; here that is not known, and the caller may have folded line ends already. The number and
// order of lines stay, so line numbers stay valid. A file may mix line ends: each line is looked up alone,
// and one that stands in the committed file as it is stays as it is.
func asCommitted(contents, committed []byte) []byte {
	if bytes.Equal(contents, committed) || !differInLineEnds(contents, committed) {
		return contents
	}
	known := make(map[string]struct{})
	for line := range bytes.Lines(committed) {
		known[string(bytes.TrimSuffix(line, []byte("\n")))] = struct{}{}
	}
	result := make([]byte, 0, max(len(contents), len(committed)))
	first := true
	for line := range bytes.Lines(contents) {
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		form := committedForm(body, known, first)
		if !ended && len(form) == 0 {
			form = body // the last line would be gone
		}
		result = append(result, form...)
		if ended {
			result = append(result, '\n')
		}
		first = false
	}
	return result
}

func differInLineEnds(contents, committed []byte) bool {
	return bytes.IndexByte(contents, '\r') >= 0 || bytes.IndexByte(committed, '\r') >= 0 ||
		bytes.HasPrefix(contents, mark) != bytes.HasPrefix(committed, mark)
}

// committedForm returns the form of body that is known, and body when none is.
func committedForm(body []byte, known map[string]struct{}, first bool) []byte {
	if _, ok := known[string(body)]; ok {
		return body
	}
	other := otherEnd(body)
	if _, ok := known[string(other)]; ok {
		return other
	}
	if !first {
		return body
	}
	for _, form := range [][]byte{otherStart(body), otherStart(other)} {
		if _, ok := known[string(form)]; ok {
			return form
		}
	}
	return body
}

// otherEnd drops or adds the carriage return at the end.
func otherEnd(body []byte) []byte {
	if bare, ok := bytes.CutSuffix(body, []byte("\r")); ok {
		return bare
	}
	return append(bytes.Clone(body), '\r')
}

// otherStart drops or adds the byte order mark.
func otherStart(body []byte) []byte {
	if bare, ok := bytes.CutPrefix(body, mark); ok {
		return bare
	}
	return append(bytes.Clone(mark), body...)
}

// countLines counts lines as git does: ended by a line feed, the last one also by the end.
func countLines(contents []byte) int {
	lines := bytes.Count(contents, []byte("\n"))
	if len(contents) > 0 && contents[len(contents)-1] != '\n' {
		lines++
	}
	return lines
}
