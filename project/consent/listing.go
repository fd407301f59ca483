package consent

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// MaxListing is the longest listing of one server that is read, in bytes.
const MaxListing = 8 << 20

// A Listing is what a server says about its tools, in a form of our own: JSON
// of `instructions` and `tools`, indented, the tools ordered by name. The same
// answers of a server give the same bytes.
type Listing struct {
	// Server is what the server calls itself, with its version.
	Server string
	Text   string
	// Kept tells why this is a listing from before; empty for a fresh one.
	Kept string
}

// ListedTool is a tool as a server lists it.
type ListedTool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// Guidance is what stands beside the name, or in `_meta`.
	Guidance     *string         `json:"guidance,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
}

// NewListing puts the answers of a server into the form of a [Listing].
func NewListing(server, instructions string, tools []ListedTool) (Listing, error) {
	tools = slices.Clone(tools)
	slices.SortStableFunc(tools, func(a, b ListedTool) int { return cmp.Compare(a.Name, b.Name) })
	if tools == nil {
		tools = []ListedTool{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(struct {
		Instructions string       `json:"instructions,omitempty"`
		Tools        []ListedTool `json:"tools"`
	}{instructions, tools})
	return Listing{Server: server, Text: b.String()}, err
}

// Digest is the SHA-256 of the listing, in lower-case hex.
func (l Listing) Digest() string { return digestOf([]byte(l.Text)) }

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ServerListing is the listing that a project uses of a server.
type ServerListing struct {
	Server  Server
	Listing Listing
}
