package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/tree"
)

// The codes of what is wrong with the tokens.
const (
	// WrongTokens: the file of tokens can't be used as it is.
	WrongTokens cento.ErrorCode = "serve.tokens"
	// Unauthorized: a request has no token, or one that isn't known.
	Unauthorized cento.ErrorCode = "token.unknown"
	// Forbidden: the token of a request doesn't reach what is asked for.
	Forbidden cento.ErrorCode = "token.scope"
)

// Scope is what a token permits.
type Scope string

// The scopes.
const (
	// ScopeRead: prompts of projects, sessions and records, and operations that need no files.
	ScopeRead Scope = "read"
	// ScopeWrite: transitions of sessions.
	ScopeWrite Scope = "write"
	// ScopeRender: operations on files that come with the request.
	ScopeRender Scope = "render"
)

var scopes = []string{string(ScopeRead), string(ScopeRender), string(ScopeWrite)}

// grant is a scope of a token; project is empty for all projects.
type grant struct {
	scope   Scope
	project string
}

// token is a line of the file of tokens.
type token struct {
	name   string
	sum    [sha256.Size]byte
	grants []grant
}

// permits reports whether the token has a scope, for a project; an empty one asks
// whether it has it for any.
func (t *token) permits(s Scope, project string) bool {
	return slices.ContainsFunc(t.grants, func(g grant) bool {
		return g.scope == s && (g.project == "" || project == "" || g.project == project)
	})
}

// everywhere reports whether the token has a scope for all projects.
func (t *token) everywhere(s Scope) bool { return slices.Contains(t.grants, grant{scope: s}) }

// projects are those that the token has a scope for; nil for all.
func (t *token) projects(s Scope) []string {
	if t.everywhere(s) {
		return nil
	}
	out := []string{}
	for _, g := range t.grants {
		if g.scope == s && !slices.Contains(out, g.project) {
			out = append(out, g.project)
		}
	}
	return out
}

// tokens are those that are known.
type tokens []token

// find is the token of a secret; nil for none. It takes as long for any secret: all
// sums are compared, whole.
func (list tokens) find(secret string) *token {
	sum := sha256.Sum256([]byte(secret))
	var found *token
	for i := range list {
		if subtle.ConstantTimeCompare(sum[:], list[i].sum[:]) == 1 {
			found = &list[i]
		}
	}
	return found
}

// NewToken makes a secret, and the line of the file of tokens that lets it in. A scope
// is read, write or render, for one project as in read@web.
func NewToken(name string, wanted ...string) (secret, line string, err error) {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	secret = "cento_" + base64.RawURLEncoding.EncodeToString(b)
	sum := sha256.Sum256([]byte(secret))
	line = strings.Join(append([]string{name, hex.EncodeToString(sum[:])}, wanted...), " ")
	_, fault := parseToken(line)
	if fault != nil {
		return "", "", fault
	}
	return secret, line, nil
}

// readTokens reads a file of tokens. Nobody else may be able to read it.
func readTokens(path string) (tokens, error) {
	f, err := tree.ReadPath(path, tree.Options{Limit: 4 << 20})
	if err != nil {
		return nil, err
	}
	if err := Private(path, f.Info.Mode()); err != nil {
		return nil, err
	}
	list, err := parseTokens(path, f.Text)
	if err == nil && len(list) == 0 {
		err = &cento.SourceError{
			Code: WrongTokens, Position: cento.Position{File: path}, Message: "the file of tokens has none",
			Hint: "cento serve token NAME SCOPE makes a line of it",
		}
	}
	return list, err
}

// Private says that others may read or change a file of secrets by its mode; nil where
// they may not.
func Private(path string, mode fs.FileMode) error {
	if runtime.GOOS == "windows" || mode.Perm()&0o077 == 0 {
		return nil
	}
	return &cento.SourceError{
		Code: WrongTokens, Position: cento.Position{File: path}, Message: fmt.Sprintf("others may read or change it: it has mode %04o", mode.Perm()),
		Hint: "chmod 600 " + path,
	}
}

// MayAdd says why a line can't be added to a file of tokens; nil where it can, also
// where the file isn't there yet.
func MayAdd(path, line string) error {
	f, err := tree.ReadPath(path, tree.Options{Limit: 4 << 20})
	if errors.Is(err, tree.NotFound) {
		return nil
	}
	if err == nil {
		err = Private(path, f.Info.Mode())
	}
	if err == nil {
		_, err = parseTokens(path, strings.TrimSuffix(f.Text, "\n")+"\n"+line)
	}
	return err
}

// maxTokens bounds a file of tokens: each request is held against all of them.
const maxTokens = 10_000

// parseTokens reads the lines of a file of tokens; a blank one and one that begins with
// # say nothing.
func parseTokens(file, text string) (tokens, error) {
	var list tokens
	var faults []*cento.SourceError
	lines := map[string]int{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		at := cento.Position{File: file, Line: n, Column: 1}
		t, fault := parseToken(line)
		switch {
		case fault != nil:
		case lines[t.name] > 0:
			fault = &cento.SourceError{
				Code: WrongTokens, Message: fmt.Sprintf("there are two tokens %q", t.name), Hint: "call one otherwise: logs tell tokens by their names",
				Related: []cento.Related{{Position: cento.Position{File: file, Line: lines[t.name], Column: 1}, Message: "the first one"}},
			}
		case len(list) == maxTokens:
			return nil, &cento.SourceError{Code: cento.LimitExceeded, Position: at, Message: fmt.Sprintf("more than %d tokens", maxTokens)}
		default:
			lines[t.name] = n
			list = append(list, *t)
		}
		if fault != nil {
			fault.Position = at
			faults = append(faults, fault)
		}
	}
	if err := cento.Join(faults); err != nil {
		return nil, err
	}
	return list, nil
}

// parseToken reads a line of the file of tokens. What is wrong with it never quotes the
// sum.
func parseToken(line string) (*token, *cento.SourceError) {
	const form = "a line is NAME SHA256 SCOPE..., as cento serve token prints it"
	fault := func(hint, format string, args ...any) (*token, *cento.SourceError) {
		return nil, &cento.SourceError{Code: WrongTokens, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	parts := strings.Fields(line)
	if len(parts) < 3 {
		return fault(form, "a token has a name, a digest and at least one scope")
	}
	t := &token{name: parts[0]}
	if !validName(t.name) {
		return fault("a name has "+nameForm, "%.40q is no name of a token", t.name)
	}
	sum, err := hex.DecodeString(parts[1])
	if err != nil || len(sum) != sha256.Size {
		return fault(form, "the digest of token %q isn't the SHA-256 of one, in hex", t.name)
	}
	copy(t.sum[:], sum)
	for _, word := range parts[2:] {
		name, project, narrowed := strings.Cut(word, "@")
		if !slices.Contains(scopes, name) {
			hint := "the scopes are read, render and write"
			if near := app.NearestName(name, scopes); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			return fault(hint, "token %q: there is no scope %.40q", t.name, name)
		}
		if narrowed && !validName(project) {
			return fault("a project has "+nameForm, "token %q: %.40q is no name of a project", t.name, project)
		}
		g := grant{Scope(name), project}
		if slices.Contains(t.grants, g) {
			return fault("once is enough", "token %q has the scope %s twice", t.name, word)
		}
		t.grants = append(t.grants, g)
	}
	return t, nil
}

// nameForm says in words what the names of tokens and projects consist of.
const nameForm = "up to 64 letters, digits, _ . and -, all of ASCII; neither . nor - first"

// validName reports whether a token or a project may have a name: it stands in ids of
// sessions, addresses, logs and files.
func validName(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for i, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
		case i > 0 && (r == '.' || r == '-'):
		default:
			return false
		}
	}
	return true
}

func sumOf(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }
