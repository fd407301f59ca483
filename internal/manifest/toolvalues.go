package manifest

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// CheckTools holds definitions that a program hands over as values to what holds for
// those in files: their names and the schemas of their arguments. The place of an error
// in a schema is that in its JSON; where the tool was read stands beside it. What is
// wrong with the schema of a server's tool is a note, as in the server's listing.
// Limits that are 0 are the defaults.
func CheckTools(tools []cento.Tool, limits cento.Limits) ([]cento.Note, error) {
	limits = limits.Or(cento.DefaultLimits())
	var d strict.Decoder
	var t Tools
	for i := range tools {
		x := &tools[i]
		switch {
		case strings.TrimSpace(x.Name) == "":
			d.Fail(x.Origin, cento.InvalidTool, "tool %d has no name", i+1)
			continue
		case !checkToolName(&d, x.Name, x.Origin), len(x.Parameters) == 0:
			continue
		}
		schema, err := strict.JSON("<tool "+x.Name+">.json", x.Parameters, limits)
		var faults strict.Decoder
		if faults.Report(err); err == nil && schema.Kind() != strict.Null {
			argumentsSchema(&faults, schema)
		}
		found := cento.SourceErrors(faults.Err())
		if x.Server != "" {
			t.schemaNote(x.Name, found, faults.Failures())
			continue
		}
		for _, f := range found {
			e := d.Fail(f.Position, f.Code, "the schema of the tool %s: %s", quotedName(x.Name), f.Message)
			if e.Hint, e.Related = f.Hint, f.Related; !x.Origin.IsZero() {
				e.Related = append(e.Related, cento.Related{Position: x.Origin, Message: "the tool is defined here"})
			}
		}
	}
	return t.schemaNotes(cento.Position{}), d.Err()
}
