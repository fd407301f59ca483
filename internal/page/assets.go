package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/js"
)

//go:embed assets
var assets embed.FS

// Asset is a file that the inspector in a browser asks for.
type Asset struct {
	// Type is its media type.
	Type string
	Body []byte
}

// Assets are the files of the inspector by the names that they ask for each other by;
// the document is index.html. The styles and the script of a page from a disk are among
// them.
func Assets() map[string]Asset { return edition().assets }

// Edition names what is in the assets. The document asks for the others in a folder of
// that name, so that a browser may keep what it got there for ever.
func Edition() string { return edition().name }

// edition is made of the files of the program, which don't change while it runs.
var edition = sync.OnceValue(func() (e struct {
	name   string
	assets map[string]Asset
}) {
	out := map[string]Asset{}
	for name, file := range map[string]string{
		"index.html": "inspector.html", "inspector.css": "inspector.css", "page.js": "page.js", "adopt.js": "adopt.js", "client.js": "client.js",
		"address.js": "address.js", "whatif.js": "whatif.js", "views.js": "views.js", "elements.js": "elements.js", "pieces.js": "pieces.js", "near.js": "near.js", "live.js": "live.js", "ahead.js": "ahead.js", "inspector.js": "inspector.js",
	} {
		body, err := assets.ReadFile(path.Join("assets", file))
		if err != nil {
			panic("page: " + err.Error())
		}
		if path.Ext(name) == ".js" {
			body = small(body)
		}
		out[name] = Asset{assetTypes[path.Ext(name)], body}
	}
	out["page.css"] = Asset{assetTypes[".css"], []byte(strings.TrimSpace(sheet()) + "\n")}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(out)) {
		fmt.Fprintf(sum, "%s %d %s", name, len(out[name].Body), out[name].Body)
	}
	e.name, e.assets = hex.EncodeToString(sum.Sum(nil)[:8]), out
	index := out["index.html"]
	index.Body = bytes.ReplaceAll(index.Body, []byte(`="/inspector/`), []byte(`="/inspector/assets/`+e.name+`/`))
	out["index.html"] = index
	return e
})

// small is a script without what is for those who read its source. Names of the module
// stay, since a browser that reports a mistake tells them; those within a function are
// shortened.
func small(script []byte) []byte {
	var out bytes.Buffer
	if err := (&js.Minifier{}).Minify(minify.New(), &out, bytes.NewReader(script), nil); err != nil {
		panic("page: " + err.Error()) // a script of our own, which a test reads
	}
	return out.Bytes()
}

var assetTypes = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
