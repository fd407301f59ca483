package manifest

import (
	"fmt"

	"github.com/cento-dev/cento"
)

// LocateLimit points the errors of limits at the manifest that set them; what was one
// too many stands beside it. An error about a file stays with the file, and names the
// setting.
func (m *Manifest) LocateLimit(err error) error {
	for _, e := range cento.SourceErrors(err) {
		at, set := m.limitsAt[e.Limit]
		switch {
		case e.Limit == FileLimit && set:
			e.Related = append(e.Related, cento.Related{Position: at, Message: "the limit is set here"})
			e.Hint = "the limit is limits.file"
		case e.Limit == FileLimit:
			e.Hint = fmt.Sprintf("a file may have %d bytes, and no setting allows more: take a part of it", m.Limits.File)
		case set:
			if !e.Position.IsZero() {
				e.Related = append(e.Related, cento.Related{Position: e.Position, Message: "the first beyond it"})
			}
			e.Position = at
		}
	}
	return err
}

// FileLimit is the key of the limit for one file.
const FileLimit = "file"
