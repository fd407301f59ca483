package store

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// Cursor is the place of the session in the list of all, as a word that says nothing to
// its reader: where a list goes on, see [SessionQuery]. A place stays where it is when
// the session is changed or deleted, and when others come and go, so a walk through the
// list meets each session once that is there all the while.
func (x *Session) Cursor() string {
	return cursorForm.EncodeToString([]byte(strconv.FormatInt(x.Created.UnixMicro(), 10) + " " + x.ID))
}

// cursorForm needs no quoting in an address or on a command line.
var cursorForm = base64.RawURLEncoding.Strict()

// readCursor gives what sessions are in the order of.
func readCursor(cursor string) (created int64, name string, err error) {
	raw, err := cursorForm.DecodeString(cursor)
	at, name, ok := strings.Cut(string(raw), " ")
	if err == nil {
		created, err = strconv.ParseInt(at, 10, 64)
	}
	if err != nil || !ok || !utf8.ValidString(name) || strings.Contains(name, "\x00") || cursorForm.EncodeToString([]byte(strconv.FormatInt(created, 10)+" "+name)) != cursor {
		return 0, "", &cento.SourceError{
			Code: InvalidCursor, Message: "no list of sessions goes on from " + shortQuote(cursor),
			Hint: "take the cursor from an answer to a list",
		}
	}
	return created, name, nil
}

// shortQuote quotes what may be of any length.
func shortQuote(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return strconv.Quote(s)
}
