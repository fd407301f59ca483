package terminal

import "bytes"

// appendIndented appends JSON that has no white space outside of texts, as an encoder
// writes it, on lines of its own as [json.Indent] does. Long texts are most of what is
// written, and are copied in one piece.
func appendIndented(dst, compact []byte, indent string) []byte {
	depth := 0
	line := func() {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, indent...)
		}
	}
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		switch c {
		case '"':
			end := textEnd(compact, i)
			dst = append(dst, compact[i:end]...)
			i = end - 1
		case '{', '[':
			dst = append(dst, c)
			if i+1 < len(compact) && compact[i+1] == c+2 { // the brace that closes it
				i++
				dst = append(dst, c+2)
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			dst = append(dst, c)
		case ',':
			dst = append(dst, c)
			line()
		case ':':
			dst = append(dst, c, ' ')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// textEnd is the end of the JSON text that begins at a quote.
func textEnd(b []byte, start int) int {
	for i := start + 1; ; i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n
		escapes := 0
		for b[i-1-escapes] == '\\' { // the quote at the start ends it
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}
