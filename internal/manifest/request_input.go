package manifest

import (
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// inputFile is a recorded input, or the hash of the record that it belongs to.
type inputFile struct {
	at cento.Position
	// text is the input as a text of its own; nil where it is a hash.
	text json.RawMessage
	hash string
}

func (f *inputFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	switch n.Kind() {
	case strict.Map:
		f.at, f.text = n.Position(), n.Alone()
	case strict.Text:
		var hash string
		d.Decode(n, &hash)
		if b, err := hex.DecodeString(hash); err != nil || len(b) != 32 || strings.ToLower(hash) != hash {
			d.Fail(n.Position(), strict.WrongValue, "expected the hash of a record, 64 digits in lower-case hex, got %.40q", hash).Hint = "cento log show RECORD tells it"
			return
		}
		f.at, f.hash = n.Position(), hash
	default:
		d.Expected(n, "a recorded input or the hash of a record")
	}
}

// Recorded reports whether the request is about a prompt that was recorded.
func (r *ProjectRequest) Recorded() bool { return r.Input != nil || r.Record != "" }
