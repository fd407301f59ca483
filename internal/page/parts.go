package page

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/cento-dev/cento"
)

// Parts are the page of an explanation in parts, for an inspector that shows them anew
// while something is changed. All but Data and the names of classes is markup of this
// package, in which every text of a prompt is escaped as on the page.
type Parts struct {
	Title  string `json:"title"`
	About  string `json:"about"`
	Facts  string `json:"facts"`
	Map    string `json:"map"`
	Legend string `json:"legend"`
	Notes  string `json:"notes"`
	Prompt string `json:"prompt"`
	Counts string `json:"counts"`
	Rows   string `json:"rows"`
	// Unit and Size are the classes of the rows and of the page.
	Unit string `json:"unit"`
	Size string `json:"size"`
	// Data is what the script of the page reads.
	Data json.RawMessage `json:"data"`
}

// Split writes the page of an explanation in parts. Its error is an
// [InvalidExplanation].
func Split(p Page, e *cento.Explanation) (*Parts, error) {
	v, err := newView(p, e)
	if err != nil {
		return nil, err
	}
	out := &Parts{}
	fields := reflect.ValueOf(out).Elem()
	for i := range fields.NumField() {
		mark := fields.Type().Field(i).Tag.Get("json")
		if mark == "data" {
			continue
		}
		var b strings.Builder
		w := &writer{bufio.NewWriter(&b)}
		if err := v.fill(w, mark); err != nil {
			return nil, err
		}
		if err := w.Flush(); err != nil {
			return nil, err
		}
		fields.Field(i).SetString(b.String())
	}
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false) // it is in no markup
	if err := encoder.Encode(v.data()); err != nil {
		return nil, err
	}
	out.Data = data.Bytes()
	return out, nil
}
