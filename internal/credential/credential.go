// Package credential finds what looks like a credential in a text: tokens whose form
// their makers publish, passwords in addresses, headers and assignments. It tells
// the rule and the place, and never keeps a value.
//
// The forms of tokens are facts from the rule set of gitleaks 8.30 (MIT), written
// as a prefix and what follows it. Rules there that know a token by the name of
// its service alone are one rule here, [Assigned], which asks for a word such as
// password or token before the value, and for a value that looks like one.
//
// A text is read once; the cost is that of its length. The package reads nothing
// else and decides nothing: whether a finding is shown, or its value taken out,
// is for others.
package credential

import (
	"cmp"
	"slices"
	"strings"
)

// Found is a stretch of a text that looks like a credential.
type Found struct {
	// Rule names the kind, such as github-pat. Rules are API.
	Rule string
	// Start and End are offsets of the value in bytes.
	Start, End int
}

// The rules that know a value by what stands before it.
const (
	// URLPassword is a password between a user's name and a host.
	URLPassword = "url-password"
	// Authorization is the value of a header that identifies its sender.
	Authorization = "authorization-header"
	// Assigned is a value that is given to something called password, token,
	// secret or key.
	Assigned = "assigned-secret"
	// PrivateKey is a key in the form of PEM.
	PrivateKey = "private-key"
)

// Find returns the credentials in a text by place. No two of them overlap.
func Find(text string) []Found {
	var out []Found
	out = appendForms(out, text)
	out = appendKeys(out, text)
	out = appendURLs(out, text)
	out = appendHeaders(out, text)
	out = appendAssigned(out, text)
	// The rule that says more goes first where several found the same: forms, then
	// the others, as they were asked.
	slices.SortStableFunc(out, func(a, b Found) int { return cmp.Compare(a.Start, b.Start) })
	kept := out[:0]
	for _, f := range out {
		if n := len(kept); n > 0 && f.Start < kept[n-1].End {
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// In reports whether there is a credential in a text.
func In(text string) bool { return len(Find(text)) > 0 }

// appendForms finds tokens by their published form.
func appendForms(out []Found, text string) []Found {
	by := formsBy()
	for at := 0; at < len(text); at++ {
		if at > 0 && partOfToken(text[at-1]) {
			continue
		}
		for _, i := range by[text[at]] {
			f := &forms[i]
			if !strings.HasPrefix(text[at:], f.prefix) {
				continue
			}
			if end := f.match(text, at); end > at {
				out = append(out, Found{f.rule, at, end})
				at = end - 1
				break
			}
		}
	}
	for i := range inner {
		f := &inner[i]
		for at := 0; ; {
			k := strings.Index(text[at:], f.prefix)
			if k < 0 {
				break
			}
			start := at + k - f.before
			at += k + len(f.prefix)
			if start < 0 || start > 0 && partOfToken(text[start-1]) {
				continue
			}
			if end := f.match(text, start); end > start {
				out = append(out, Found{f.rule, start, end})
				at = max(at, end)
			}
		}
	}
	return out
}

// appendKeys finds private keys, from the line that begins one to the line that
// ends it, or to the end of the text.
func appendKeys(out []Found, text string) []Found {
	const begin, marker = "-----BEGIN ", "PRIVATE KEY"
	ends := -1 // the next line that ends a key, once looked for
	for at := 0; ; {
		k := strings.Index(text[at:], begin)
		if k < 0 {
			return out
		}
		start := at + k
		line, rest, _ := strings.Cut(text[start:min(len(text), start+window)], "\n")
		at = start + len(begin)
		kind, tail, ok := strings.Cut(line[len(begin):], marker)
		if !ok || strings.ContainsFunc(kind, notLabel) || !strings.HasPrefix(strings.TrimPrefix(tail, " BLOCK"), "-----") {
			continue
		}
		if !keyed(rest[:min(len(rest), 1024)]) && !keyed(tail) {
			continue
		}
		if ends < start {
			ends = len(text)
			if e := strings.Index(text[start:], "-----END "); e >= 0 {
				ends = start + e
			}
		}
		end := len(text)
		if nl := strings.IndexByte(text[ends:], '\n'); nl >= 0 {
			end = ends + nl
		}
		out = append(out, Found{PrivateKey, start, end})
		at = end
	}
}

// keyed reports whether something of a key follows its first line: documents
// write that line alone, or with an ellipsis behind it.
func keyed(body string) bool {
	n := 0
	for i := range len(body) {
		switch {
		case base64Digit(body[i]):
			if n++; n >= 40 {
				return true
			}
		case body[i] == '\n', body[i] == '\r', body[i] == '\\', body[i] == '=':
		default:
			n = 0
		}
	}
	return false
}

func notLabel(r rune) bool {
	return (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != ' '
}

func base64Digit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}

// partOfToken reports whether a token can't begin after the character.
func partOfToken(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
