package page

import (
	"bytes"
	"embed"
	"path"
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
var Assets = sync.OnceValue(func() map[string]Asset {
	out := map[string]Asset{}
	for name, file := range map[string]string{
		"index.html": "inspector.html", "inspector.css": "inspector.css", "page.js": "page.js", "adopt.js": "adopt.js", "client.js": "client.js",
		"address.js": "address.js", "whatif.js": "whatif.js", "views.js": "views.js", "elements.js": "elements.js", "pieces.js": "pieces.js", "near.js": "near.js", "live.js": "live.js", "inspector.js": "inspector.js",
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
	return out
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
