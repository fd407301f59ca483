package credential

import (
	"math"
	"strings"
)

// Documents show how a credential looks without giving one. What follows tells
// such a value from a real one.

// examples are the words by which documents mark a value that is none. They are
// long enough not to come up in a random token.
var examples = []string{"EXAMPLE", "example", "placeholder", "PLACEHOLDER", "redacted", "REDACTED", "your-", "your_", "YOUR_", "YOUR-", "xxxxxx", "XXXXXX", "abcdefghijklmnopqrstuvwxyz"}

// madeUp reports whether a token of a known form is an example.
func madeUp(token string) bool {
	if strings.Trim(token, token[:min(1, len(token))]+"_-.") == "" && strings.ContainsAny(token[:min(1, len(token))], "xX0.*_-") {
		return true
	}
	for _, e := range examples {
		if strings.Contains(token, e) {
			return true
		}
	}
	return false
}

// placeholders are values that people write where a password goes, in small
// letters.
var placeholders = map[string]bool{
	"password": true, "passwd": true, "pass": true, "pwd": true, "passphrase": true, "secret": true, "token": true, "key": true,
	"changeme": true, "change-me": true, "change_me": true, "changeit": true, "username": true, "user": true, "admin": true, "root": true,
	"none": true, "null": true, "nil": true, "true": true, "false": true, "empty": true, "string": true, "str": true, "undefined": true,
	"test": true, "testing": true, "demo": true, "dummy": true, "example": true, "foo": true, "bar": true, "baz": true,
	"postgres": true, "mysql": true, "guest": true, "required": true, "optional": true, "hidden": true, "masked": true, "redacted": true,
	"mypassword": true, "mysecret": true, "mytoken": true, "apikey": true, "api-key": true, "api_key": true, "value": true, "bcrypt": true, "sha256": true, "sha-256": true, "sha512": true, "argon2": true, "utf8": true, "base64": true,
}

// stands reports whether a value stands for one that is put in elsewhere: a
// variable, a call, a placeholder of some language, a word of documents.
func stands(value string) bool {
	if value == "" || placeholders[strings.ToLower(value)] {
		return true
	}
	switch value[0] {
	case '$', '<', '{', '%', '[', '(', '@', '&', '*', '.', '#', '!', '|', '?', ',':
		return true
	}
	if strings.ContainsAny(value, "<>{}()[]$") || strings.Contains(value, "...") || strings.Contains(value, "…") || strings.Contains(value, "***") {
		return true
	}
	if strings.Trim(value, value[:1]) == "" { // xxxx, 0000
		return true
	}
	lower := strings.ToLower(value)
	for _, word := range []string{"example", "placeholder", "your-", "your_", "xxxx", "redacted", "changeme", "change-me", "change_me", "process.env", "os.environ", "secrets.", "env."} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// random reports whether a value looks as if a machine had made it: letters and
// digits in turn, and of such variety that it is no name, path or version.
func random(value string) bool {
	letters, digits, changes, last := 0, 0, 0, byte(0)
	for i := range len(value) {
		kind := byte(0)
		switch c := value[i]; {
		case '0' <= c && c <= '9':
			digits++
			kind = '0'
		case 'a' <= c && c <= 'z':
			letters++
			kind = 'a'
		case 'A' <= c && c <= 'Z':
			letters++
			kind = 'A'
		default:
			continue // names such as gpt-4o-mini change at these
		}
		if last != 0 && kind != last {
			changes++
		}
		last = kind
	}
	return letters > 0 && digits > 1 && changes*4 >= letters+digits && bits(value) >= 3
}

// bits is how many bits a character of a text carries, by its own frequencies.
func bits(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
