package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"sync"
	"time"

	"github.com/cento-dev/cento"
)

// WrongCode: a code to sign in with isn't the one of the link, was used, or is too old.
const WrongCode cento.ErrorCode = "signin.code"

// How long the code of a link is good for, and the token that it gives.
const (
	codeTime    = 15 * time.Minute
	pageTime    = 12 * time.Hour
	mostOfPages = 16
	// mostOfCode bounds what somebody sends who may be anybody.
	mostOfCode = 1 << 10
)

// signIn lets the browser of who started the service in: once by the code of a link, and
// from then on by a token that reads, which this process alone knows.
type signIn struct {
	mu    sync.Mutex
	code  [sha256.Size]byte
	until time.Time // zero: there is no code
	pages tokens
	ends  []time.Time // of the pages
}

// SignInLink is an address that lets one browser in, once, within a quarter of an hour.
// A later one takes the place of an earlier. The code stands behind the # of the
// address, which browsers send to nobody.
func (s *Server) SignInLink() string {
	b := make([]byte, 18)
	rand.Read(b) // never fails
	code := base64.RawURLEncoding.EncodeToString(b)
	s.signIn.mu.Lock()
	defer s.signIn.mu.Unlock()
	s.signIn.code, s.signIn.until = sumOf(code), s.config.Now().Add(codeTime)
	return s.Address() + "/#sign-in=" + code
}

// find is the token of a page that signed in; nil for none, and for one whose time is
// over.
func (g *signIn) find(secret string, now time.Time) *token {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(now)
	return g.pages.find(secret)
}

// forget takes tokens away whose time is over. A clock that was put back gives later ones
// an earlier end.
func (g *signIn) forget(now time.Time) {
	var pages tokens
	var ends []time.Time
	for i, end := range g.ends {
		if now.Before(end) {
			pages, ends = append(pages, g.pages[i]), append(ends, end)
		}
	}
	g.pages, g.ends = pages, ends
}

// enter uses the code up, and gives a token for it; empty where it isn't the one.
func (g *signIn) enter(code string, now time.Time) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	sum := sumOf(code)
	good := subtle.ConstantTimeCompare(sum[:], g.code[:]) == 1
	if !good || g.until.IsZero() || !now.Before(g.until) {
		return ""
	}
	g.until = time.Time{}
	b := make([]byte, 32)
	rand.Read(b) // never fails
	secret := "cento_" + base64.RawURLEncoding.EncodeToString(b)
	if g.forget(now); len(g.pages) == mostOfPages {
		g.pages, g.ends = g.pages[1:], g.ends[1:]
	}
	g.pages = append(g.pages, token{name: "inspector", sum: sumOf(secret), grants: []grant{{scope: ScopeRead}}})
	g.ends = append(g.ends, now.Add(pageTime))
	return secret
}

// enter is a request to sign in.
type enter struct {
	Code string `json:"code"`
}

// signedIn is a token for an inspector.
type signedIn struct {
	Token string `json:"token"`
	// Until is when it lapses.
	Until time.Time `json:"until"`
}

// enterPage answers POST /sign-in.
func enterPage(x *exchange) error {
	x.receive(mostOfCode, "the body is a code alone")
	body, err := x.jsonBody()
	if err != nil {
		return err
	}
	f, err := read[enter](body)
	if err != nil {
		return err
	}
	now := x.s.config.Now()
	secret := x.s.signIn.enter(f.Code, now)
	if secret == "" {
		return refused(http.StatusUnauthorized, WrongCode, "the code of the link was used, or is too old", "paste a token, or start the service again for another link")
	}
	return x.reply(signedIn{secret, now.Add(pageTime).UTC()})
}
