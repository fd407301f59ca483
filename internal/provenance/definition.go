package provenance

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// word is a text in what a tool defines as JSON.
type word struct {
	// pointer is the JSON pointer of the value, or of the member that the text names.
	pointer string
	text    string
	name    bool // it names a member
	literal bool // it is a number or a truth value
}

// wordsOf are the texts of a JSON value that was checked, in their order: a model reads
// the names and descriptions of a schema as it does the description of its tool.
func wordsOf(raw json.RawMessage) []word {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out []word
	var walk func(pointer string)
	walk = func(pointer string) {
		token, err := d.Token()
		if err != nil {
			return // there is none
		}
		switch token := token.(type) {
		case string:
			out = append(out, word{pointer: pointer, text: token})
		case json.Number:
			out = append(out, word{pointer: pointer, text: token.String(), literal: true})
		case bool:
			out = append(out, word{pointer: pointer, text: strconv.FormatBool(token), literal: true})
		case json.Delim:
			for n := 0; d.More(); n++ {
				at := pointer + "/" + strconv.Itoa(n)
				if token == '{' {
					key, err := d.Token()
					name, ok := key.(string)
					if err != nil || !ok {
						return
					}
					at = pointer + "/" + pointerStep.Replace(name)
					out = append(out, word{pointer: at, text: name, name: true})
				}
				walk(at)
			}
			_, _ = d.Token() // its end
		}
	}
	walk("")
	return out
}

// pointerStep writes a name as a step of a JSON pointer, and stepName reads it.
var (
	pointerStep = strings.NewReplacer("~", "~0", "/", "~1")
	stepName    = strings.NewReplacer("~1", "/", "~0", "~")
)

// stepsOf are the names and ranks that a JSON pointer leads along.
func stepsOf(pointer string) []string {
	steps := strings.Split(pointer, "/")[1:]
	for i, step := range steps {
		steps[i] = stepName.Replace(step)
	}
	return steps
}
