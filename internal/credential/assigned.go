package credential

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// appendURLs finds passwords in addresses: scheme://user:password@host.
func appendURLs(out []Found, text string) []Found {
	for at := 0; ; {
		k := strings.Index(text[at:], "://")
		if k < 0 {
			return out
		}
		start := at + k + len("://")
		at = start
		end := start
		for end < len(text) && end-start < 512 && strings.IndexByte(" \t\n\r\"'`<>|/?#", text[end]) < 0 {
			end++
		}
		// The host is behind the last @ of the authority.
		authority := text[start:end]
		i := strings.LastIndexByte(authority, '@')
		if i < 0 {
			continue
		}
		user, password, ok := strings.Cut(authority[:i], ":")
		host := authority[i+1:]
		if !ok || host == "" || stands(password) || strings.EqualFold(user, password) {
			continue
		}
		if local(host) && !random(password) {
			continue // how a database of one's own machine is reached
		}
		from := start + len(user) + 1
		out = append(out, Found{URLPassword, from, from + len(password)})
		at = end
	}
}

// local reports whether a host is this machine, or one that only a network of
// containers knows.
func local(host string) bool {
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	return host == "localhost" || host == "[::1]" || strings.HasPrefix(host, "127.") || host == "0.0.0.0" || !strings.Contains(host, ".")
}

// appendHeaders finds the values of headers that identify who asks.
func appendHeaders(out []Found, text string) []Found {
	for _, scheme := range []string{"Bearer ", "Basic "} {
		for at := 0; ; {
			k := indexFold(text[at:], scheme)
			if k < 0 {
				break
			}
			start := at + k + len(scheme)
			at = start
			if before := at - len(scheme); before > 0 && partOfToken(text[before-1]) {
				continue
			}
			end := start
			for end < len(text) && (base64Digit(text[end]) || strings.IndexByte("-._~=@", text[end]) >= 0) {
				end++
			}
			value := text[start:end]
			if strings.TrimRight(value, ".") != value {
				value = strings.TrimRight(value, ".")
			}
			header := inHeader(text[:start])
			switch {
			case stands(value) || madeUp(value):
			case scheme == "Basic ":
				if !userAndPassword(value) {
					continue
				}
				out = append(out, Found{Authorization, start, start + len(value)})
			case len(value) >= 16 && random(value) || header && len(value) >= 8 && strings.ContainsAny(value, "0123456789"):
				out = append(out, Found{Authorization, start, start + len(value)})
			}
			at = max(at, end)
		}
	}
	return out
}

// inHeader reports whether the line that ends here names the header of
// authorization.
func inHeader(before string) bool {
	line := before[max(0, len(before)-80):]
	return indexFold(line[strings.LastIndexByte(line, '\n')+1:], "authorization") >= 0
}

// userAndPassword reports whether a text is what HTTP's basic scheme sends.
func userAndPassword(value string) bool {
	raw, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		raw, err = base64.RawStdEncoding.DecodeString(value)
	}
	if err != nil || !utf8.Valid(raw) {
		return false
	}
	user, password, ok := strings.Cut(string(raw), ":")
	return ok && user != "" && !stands(password) && !strings.EqualFold(user, password)
}

// words are the ends of the names of things whose value is secret, in small
// letters without - and _.
var words = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "secretkey", "clientsecret", "token", "apikey", "accesskey", "privatekey",
	"secretaccesskey", "accountkey", "authkey", "encryptionkey", "signingkey", "credential", "credentials", "apitoken", "authtoken", "accesstoken",
}

// isPassword reports whether people choose the values of a name themselves, so
// that they needn't look random.
func isPassword(name string) bool {
	return strings.HasSuffix(name, "password") || strings.HasSuffix(name, "passwd") || strings.HasSuffix(name, "passphrase") || strings.HasSuffix(name, "pwd")
}

// appendAssigned finds values that a text gives to a name that says they are
// secret: password=…, "api_key": "…", SECRET_TOKEN: ….
func appendAssigned(out []Found, text string) []Found {
	for at := 0; at < len(text); at++ {
		if c := text[at]; c != '=' && c != ':' {
			continue
		}
		name := nameBefore(text[:at])
		if name == "" {
			continue
		}
		start, tight := valueAfter(text, at)
		start, end, quoted := valueAt(text, start)
		value := text[start:end]
		if len(value) > longest || stands(value) || madeUp(value) {
			continue
		}
		if len(value) >= 8 && random(value) && !strings.Contains(value, "://") || isPassword(name) && chosen(value, quoted || tight) {
			out = append(out, Found{Assigned, start, end})
			at = end
		}
	}
	return out
}

// longest is how long an assigned value can be.
const longest = 200

// nameBefore is the name that ends at the end of a text, in small letters and
// without - and _, if it says that its value is secret.
func nameBefore(text string) string {
	end := len(text)
	for end > 0 && strings.IndexByte(" \t\"'`*", text[end-1]) >= 0 && len(text)-end < 8 {
		end--
	}
	var name [64]byte // from its end
	n := len(name)
	for i := end; i > 0 && n > 0 && partOfToken(text[i-1]); i-- {
		if c := text[i-1]; c != '-' && c != '_' {
			n--
			name[n] = c | 0x20
		}
	}
	if n == len(name) {
		return ""
	}
	for _, w := range words {
		if s := name[n:]; len(s) >= len(w) && string(s[len(s)-len(w):]) == w {
			return string(s)
		}
	}
	return ""
}

// valueAfter is where the value begins whose operator is at a place, and whether
// it follows at once.
func valueAfter(text string, at int) (start int, tight bool) {
	start = at + 1
	if start < len(text) && (text[start] == '=' || text[start] == '>') { // := and =>
		start++
	}
	from := start
	for start < len(text) && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	return start, start == from
}

// valueAt is the value that begins at a place: between its quotes, or up to the
// end of the word.
func valueAt(text string, at int) (start, end int, quoted bool) {
	last := min(len(text), at+longest+2)
	if at < len(text) && strings.IndexByte("\"'`", text[at]) >= 0 {
		for end = at + 1; end < last; end++ {
			switch text[end] {
			case text[at]:
				return at + 1, end, true
			case '\n':
				return at + 1, end, false
			}
		}
		return at + 1, end, false
	}
	for end = at; end < last && strings.IndexByte(" \t\n\r\"'`,;&", text[end]) < 0; end++ {
	}
	// A sentence ends behind it.
	return at, at + len(strings.TrimRight(text[at:end], ".:)!?")), false
}

// chosen reports whether a value may be a password that somebody chose. Where it
// follows at once or in quotes even a word is one; in prose it has a digit.
func chosen(value string, direct bool) bool {
	letters, digits := false, false
	for i := range len(value) {
		c := value[i]
		letters = letters || c|0x20 >= 'a' && c|0x20 <= 'z'
		digits = digits || c >= '0' && c <= '9'
	}
	lower := strings.ToLower(value)
	switch {
	case strings.Contains(lower, "passw") || strings.Contains(lower, "secret") || strings.ContainsAny(value, "/ "):
		return false // another name, a path, prose
	case !digits && strings.IndexByte(value, '.') >= 0:
		return false // a member of something
	case direct:
		return len(value) >= 5
	}
	return len(value) >= 6 && letters && digits
}

// indexFold is strings.Index for a pattern of ASCII, whatever the case.
func indexFold(text, pattern string) int {
	for i := 0; i+len(pattern) <= len(text); i++ {
		if text[i]|0x20 == pattern[0]|0x20 && strings.EqualFold(text[i:i+len(pattern)], pattern) {
			return i
		}
	}
	return -1
}
