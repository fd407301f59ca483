package workspace

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
)

// Wording words the notices that stand in the text where a limit took
// something away. Paths are handed over as [Visible]. A function that is nil,
// or gives a blank text, is replaced by the built-in one: what is cut is always
// said.
type Wording struct {
	// Absolute names an absolute path where a client does, such as that of a folder
	// whose files were copied to where they are read; nil: as it is.
	Absolute func(path string) string
	// Cut is for a file of which a part is kept. Default
	// `[cut: <path>: kept <kept> of <bytes> bytes, limit <limit>]`.
	Cut func(path string, kept, bytes, limit int) string
	// LeftOut is for a file of which nothing is kept. Default
	// `[left out: <path>: <bytes> bytes, limit <limit>]`.
	LeftOut func(path string, bytes, limit int) string
	// Trust is that of the functions' texts.
	Trust cento.Trust
}

// notice is a worded notice; empty for none.
type notice struct {
	text  string
	trust cento.Trust
}

func (w *Wording) cut(path string, kept, bytes, limit int) notice {
	if w.Cut != nil {
		if text := strings.TrimSpace(w.Cut(path, kept, bytes, limit)); text != "" {
			return notice{text, w.Trust}
		}
	}
	return notice{fmt.Sprintf("[cut: %s: kept %d of %d bytes, limit %d]", path, kept, bytes, limit), cento.TrustBuiltin}
}

func (w *Wording) leftOut(path string, bytes, limit int) notice {
	if w.LeftOut != nil {
		if text := strings.TrimSpace(w.LeftOut(path, bytes, limit)); text != "" {
			return notice{text, w.Trust}
		}
	}
	return notice{fmt.Sprintf("[left out: %s: %d bytes, limit %d]", path, bytes, limit), cento.TrustBuiltin}
}
