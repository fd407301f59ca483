package tree

import (
	"fmt"
	"path"
	"strings"

	"github.com/cento-dev/cento"
	"golang.org/x/text/unicode/norm"
)

// maxTwins bounds how many entries of a folder are compared with a name. In a
// folder of more, twins aren't looked for.
const maxTwins = 10_000

// ReadNamed is [Tree.Read] for a file that a text names. A file or folder on the
// way whose name reads like that of another beside it, of the same characters in
// other bytes (Unicode's form NFC), is the error [Twin]: whoever reads the text
// can't see which of the two it names.
func (t *Tree) ReadNamed(name string) (*File, error) {
	f, err := t.Read(name)
	if err != nil {
		return nil, err
	}
	for at := f.Name; at != "."; at = path.Dir(at) {
		if twin := t.twin(at); twin != "" {
			return nil, &cento.SourceError{
				Code: Twin, Position: cento.Position{File: t.show(f.Name)},
				Message: fmt.Sprintf("the name %q reads like that of another file beside it: the bytes differ (%+q, %+q)", path.Base(at), path.Base(at), twin),
				Hint:    "rename one of the two",
			}
		}
	}
	return f, nil
}

// twin is the name of another entry of the folder that reads the same; empty for
// none.
func (t *Tree) twin(name string) string {
	base := path.Base(name)
	normal := norm.NFC.String(base)
	// Few characters of ASCII are another's form: K, the grave accent and `;`.
	if isASCII(base) && !strings.ContainsAny(base, "K`;") {
		return ""
	}
	entries, err := t.ReadDir(path.Dir(name), maxTwins)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if e.Name != base && norm.NFC.String(e.Name) == normal {
			return e.Name
		}
	}
	return ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
