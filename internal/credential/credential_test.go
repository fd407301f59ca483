package credential

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sample makes a token of a form: literal parts as they are, and of each class of
// characters as many as the form asks for at least, drawn evenly.
func sample(r *rand.Rand, re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		n := 0
		for i := 0; i < len(re.Rune); i += 2 {
			n += int(re.Rune[i+1]-re.Rune[i]) + 1
		}
		k := r.IntN(n)
		for i := 0; i < len(re.Rune); i += 2 {
			if w := int(re.Rune[i+1]-re.Rune[i]) + 1; k < w {
				return string(re.Rune[i] + rune(k))
			} else {
				k -= w
			}
		}
	case syntax.OpConcat, syntax.OpCapture:
		out := ""
		for _, sub := range re.Sub {
			out += sample(r, sub)
		}
		return out
	case syntax.OpAlternate:
		return sample(r, re.Sub[r.IntN(len(re.Sub))])
	case syntax.OpRepeat:
		out := ""
		for range re.Min {
			out += sample(r, re.Sub[0])
		}
		return out
	case syntax.OpQuest, syntax.OpStar, syntax.OpEmptyMatch:
		return ""
	}
	panic(fmt.Sprintf("a form has %s", re))
}

// contexts are how documents and settings write a value: those that the list of
// rules tries its own samples in.
var contexts = []string{
	"%s", "key = %s\n", `key = "%s"`, "key := '%s'", `{"key": "%s"}`, "key: %s\n", "export KEY=%s\n", "use `%s` here", "<key>%s</key>", "(%s)", "Key: %s.", "a %s b", "x,%s,y", "\t%s\r\n", "https://example.com/?a=%s&b=c",
}

// Tokens of every form are found, in every context, whole and under their rule.
func TestEveryFormIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rules := map[string]bool{}
	n := 0
	for _, list := range [][]form{forms, inner} {
		for i := range list {
			f := &list[i]
			re, err := syntax.Parse(f.whole, syntax.Perl)
			if err != nil {
				t.Fatalf("%s: %v", f.rule, err)
			}
			rules[f.rule] = true
			for range 8 {
				token := sample(r, re.Simplify())
				if re, _ := syntax.Parse(f.whole, syntax.Perl); token == "" {
					token = sample(r, re)
				}
				for _, c := range contexts {
					text := fmt.Sprintf(c, token)
					found := Find(text)
					n++
					if len(found) != 1 || found[0].Rule != f.rule || !strings.HasPrefix(text[found[0].Start:], strings.TrimLeft(token, "")) || found[0].End-found[0].Start < len(token) {
						t.Errorf("%s: %q: %v", f.rule, text, found)
						break
					}
				}
			}
		}
	}
	t.Logf("%d rules with a form of their own, %d samples", len(rules), n)
	if len(rules) < 95 {
		t.Errorf("%d rules", len(rules))
	}
}

func TestFormsAreWellMade(t *testing.T) {
	for _, list := range [][]form{forms, inner} {
		for i := range list {
			f := &list[i]
			re := regexp.MustCompile("^(?:" + f.whole + ")")
			if p, _ := re.LiteralPrefix(); f.before == 0 && f.prefix[0] != '.' && !strings.HasPrefix(f.prefix, p) && !strings.HasPrefix(p, f.prefix) {
				t.Errorf("%s: %q doesn't begin as %q", f.rule, p, f.prefix)
			}
		}
	}
}

// Values that are known by what stands before them.
func TestAssigned(t *testing.T) {
	for text, rule := range map[string]string{
		"git clone https://bob:hunter2@git.example.com/x.git":            URLPassword,
		"postgres://app:s3cr3tPa55@db.prod.example.com:5432/app":         URLPassword,
		"redis://:p4ssw0rdX9@cache.internal.example.com:6379":            URLPassword,
		"https://oauth2:Zq81kLmP02xY@gitlab.example.com/a/b":             URLPassword,
		"mongodb+srv://root:aB3dE5fG7h@c.mongodb.net/?a=b":               URLPassword,
		"postgres://dev:x7Kp2mQ9vB4n@localhost/app":                      URLPassword,
		"Authorization: Bearer 8f3kd92ms01x":                             Authorization,
		`curl -H "Authorization: Bearer q8Zr1nT5vK2mB7xW3cL9"`:           Authorization,
		"bearer q8Zr1nT5vK2mB7xW3cL9pD":                                  Authorization,
		"Authorization: Basic Ym9iOmh1bnRlcjI=":                          Authorization,
		"password=hunter2":                                               Assigned,
		"PGPASSWORD=sesame psql":                                         Assigned,
		"DB_PASSWORD: 'correct horse'":                                   "",
		`"password": "Tr0ub4dor&3"`:                                      Assigned,
		"The admin password: Winter2024!":                                Assigned,
		"api_key = \"q8Zr1nT5vK2mB7xW3cL9\"":                             Assigned,
		"SECRET_TOKEN=9f86d081884c7d659a2feaa0c55ad015":                  Assigned,
		"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYz9ab12cd": Assigned,
		"client-secret: 7Qk2vX9mB4nZ1pL8":                                Assigned,
		"access_token => 'a1B2c3D4e5F6g7H8'":                             Assigned,
		"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==":              Assigned,
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1x7Yb2Qf9kLmN3pRsT5uVwXyZ0aBcDeF\n-----END RSA PRIVATE KEY-----": PrivateKey,
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMw":                  PrivateKey,
	} {
		found := Find(text)
		if rule == "" {
			if len(found) > 0 {
				t.Errorf("%q: %v", text, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != rule {
			t.Errorf("%q: %v, want %s", text, found, rule)
		}
	}
}

// What is no credential: examples, variables, names, prose. Those that the list of
// rules gives as such are among them.
func TestNothingIsFound(t *testing.T) {
	for _, text := range []string{
		"postgres://user:password@localhost:5432/db", "postgres://postgres:postgres@db/app", "postgres://app:app@example.com/app", "amqp://guest:guest@rabbit",
		"https://$USER:$TOKEN@github.com/a/b", "https://${USER}:${PASS}@x.example.com", "https://user:<token>@example.com", "https://x-access-token:{{ token }}@github.com",
		"mysql://root:devpass@localhost/app", "see http://localhost:8080/a@b", "http://[::1]:8080/@scope/pkg", "git@github.com:a/b.git", "ssh://git@host:22/x",
		"Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "a bearer token is needed", "Bearer authentication with refresh", "Authorization: Basic <base64>", "Basic usage of it", "Basic dXNlcm5hbWU=",
		"password=", "password=$PASSWORD", "password=<yours>", "password = os.environ['X']", "password=settings.DB_PASSWORD", "password: string", "password: the user's password", "Password: 8 characters at least",
		"token: str", "token = get_token()", "token := r.Header.Get(\"X\")", "api_key=YOUR_API_KEY", "API_KEY=your-api-key-here", "key: value", "secret: kubernetes.io/tls", "secrets.GITHUB_TOKEN", "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
		"max_token=4096", "token: gpt-4o-mini-2024", "apikey: my-service-account-v2", "credentials: include", "tokens: 1200", "access_token: eyJ…", "password: changeme123",
		"AKIAIOSFODNN7EXAMPLE", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-ant-…", "sk-...", "ghp_…", "AIzaSyabcdefghijklmnopqrstuvwxyz1234567", "xoxb-your-token-goes-here-please",
		"-----BEGIN RSA PRIVATE KEY-----", "look for -----BEGIN PRIVATE KEY----- in files", "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA1x7Yb2Qf9kLmN3pRsT5uVwXyZ0aBcDeF\n-----END CERTIFICATE-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----",
		"commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "id: 014df517-39d1-4453-b7b3-9930c563627c", "go1.26.8", "key-value store", "sk-learn and pk-lists", "SKILL.md", "api_organisation",
		"the pat.example file", "pass the api-key header", "npm_config_registry", "hf_hub_download", "an eye.on", "d.e.f",
	} {
		if found := Find(text); len(found) > 0 {
			t.Errorf("%q: %s at %d", text, found[0].Rule, found[0].Start)
		}
	}
}

// Find's answer is in order, without overlap and within the text, whatever the
// text is.
func TestFindLaws(t *testing.T) {
	parts := []string{"password=", "://", "u:p4ss9@h.example.com", "Bearer ", "token: ", "ghp_", "eyJ", "-----BEGIN ", "PRIVATE KEY-----", "\n", "\"", "=", ":", "a1B2c3D4e5", strings.Repeat("Z9y", 30), "é", "\x00", " "}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		last := 0
		for _, f := range Find(text) {
			if f.Start < last || f.End <= f.Start || f.End > len(text) || f.Rule == "" {
				t.Fatalf("%q: %+v after %d", text, f, last)
			}
			last = f.End
		}
	})
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"password=hunter2", "a://b:c1d2@e.f", "Bearer q8Zr1nT5vK2mB7xW3cL9", "-----BEGIN PRIVATE KEY-----\nx", "ghp_x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, x := range Find(text) {
			if x.Start < last || x.End <= x.Start || x.End > len(text) {
				t.Fatalf("%+v after %d", x, last)
			}
			last = x.End
		}
	})
}

// The cost grows with the length of a text alone, whatever stands in it: sixteen
// times the text takes far less than a hundred times as long.
func TestCostIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("compares times")
	}
	for _, unit := range []string{
		"password=", "password = ", "://", "a:b@", "Bearer ", "ey", "ey.ey-", "ops_eyJ/", "ABSK/", "-----BEGIN PRIVATE KEY-----\n", "hvs.", "x.atlasv1.", "pat.", "=", ": ", "\"", "token: \"a1", "eyJhbGciOiJIUzI1NiJ9AAAA.", "glc_AAAA/",
	} {
		cost := func(n int) time.Duration {
			text := strings.Repeat(unit, n/len(unit)+1)[:n]
			best := time.Hour
			for range 3 {
				start := time.Now()
				Find(text)
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := cost(1<<15), cost(1<<19)
		t.Logf("%-30q %v for 512 KiB", unit, large)
		if large > 100*small && large > 100*time.Millisecond {
			t.Errorf("%q: %v for 32 KiB, %v for 512 KiB", unit, small, large)
		}
	}
}
