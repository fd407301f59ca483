package wire

import (
	"bytes"
	"encoding/json"

	"github.com/cento-dev/cento/internal/canonical"
)

// AppendMessages appends a conversation as a JSON list, one message a line, to be kept
// and read by [ReadMessages]. Raw stands there byte for byte, so that a request made of
// what was read has the bytes of the first one: encoding/json would take out white space
// and escape `<`, `>` and `&` in it. The errors are [cento.InvalidUTF8], and that of
// encoding/json for a Raw that isn't JSON.
func AppendMessages(dst []byte, messages []Message) ([]byte, error) {
	dst = append(dst, '[')
	for i := range messages {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		var err error
		if dst, err = messages[i].appendJSON(dst); err != nil {
			return nil, err
		}
	}
	return append(dst, "]\n"...), nil
}

// ReadMessages reads a conversation that [AppendMessages] wrote. An unknown member is an
// error.
func ReadMessages(data []byte) ([]Message, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var out []Message
	if err := d.Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}

// MarshalJSON gives the message with Raw byte for byte. [json.Marshal] changes these bytes
// afterwards, an encoder without SetEscapeHTML their white space: see [AppendMessages].
func (m Message) MarshalJSON() ([]byte, error) { return m.appendJSON(nil) }

func (m *Message) appendJSON(dst []byte) ([]byte, error) {
	if m.Raw != nil && !json.Valid(m.Raw) {
		var any json.RawMessage
		return nil, json.Unmarshal(m.Raw, &any)
	}
	return canonical.Append(dst, func(w *canonical.Writer) {
		w.Begin()
		w.Optional("role", m.Role)
		w.Optional("text", m.Text)
		if m.Raw != nil {
			w.Member("raw")
			w.Raw(m.Raw)
		}
		if m.Turn != nil {
			w.IntMember("turn", *m.Turn)
		}
		w.End()
	})
}
