package project

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
)

// CodeSecret: a text holds what looks like a credential. The note tells the
// rule and the place, never the value.
const CodeSecret cento.Code = "secret"

// secretForms are well-known forms of credentials: how they begin, and how many
// characters of their alphabet follow at least.
var secretForms = [...]struct {
	rule, prefix string
	least        int
}{
	{"anthropic-key", "sk-ant-", 20},
	{"openai-key", "sk-proj-", 20},
	{"github-token", "ghp_", 36}, {"github-token", "gho_", 36}, {"github-token", "ghs_", 36}, {"github-token", "ghu_", 36},
	{"github-token", "github_pat_", 40},
	{"gitlab-token", "glpat-", 20},
	{"aws-access-key", "AKIA", 16},
	{"google-api-key", "AIza", 35},
	{"slack-token", "xoxb-", 20}, {"slack-token", "xoxp-", 20},
	{"npm-token", "npm_", 36},
	{"stripe-key", "sk_live_", 20},
}

// secretsIn notes the credentials in a text.
func secretsIn(t cento.Text) []cento.Note {
	var out []cento.Note
	tell := func(rule string, at int) {
		place := t.Locate(at)
		out = append(out, cento.Note{
			Code: CodeSecret, Position: place,
			Message: fmt.Sprintf("this looks like a credential (%s); it stands in the prompt as it is", rule),
		})
	}
	for _, form := range secretForms {
		for at := 0; ; {
			k := strings.Index(t.Body[at:], form.prefix)
			if k < 0 {
				break
			}
			start := at + k
			at = start + len(form.prefix)
			n := at
			for n < len(t.Body) && inSecret(t.Body[n]) {
				n++
			}
			if n-at >= form.least && (start == 0 || !inSecret(t.Body[start-1])) {
				tell(form.rule, start)
				at = n
			}
		}
	}
	for at := 0; ; {
		k := strings.Index(t.Body[at:], "-----BEGIN ")
		if k < 0 {
			return out
		}
		at += k
		line, _, _ := strings.Cut(t.Body[at:], "\n")
		if strings.Contains(line, "PRIVATE KEY-----") {
			tell("private-key", at)
		}
		at += len("-----BEGIN ")
	}
}

func inSecret(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// noteSecrets looks for credentials in every literal text of the input.
func noteSecrets(in *cento.Input) error {
	fragments, _, err := cento.Compose(*in)
	if err != nil {
		return err
	}
	for _, f := range fragments {
		for _, n := range secretsIn(cento.Text{Body: f.Body, Runs: f.Runs, Trust: f.Trust, Origin: f.Origin}) {
			n.Fragment = f.ID
			in.Notes = append(in.Notes, n)
		}
	}
	return nil
}

// HoldsSecret reports whether a text holds what looks like a credential.
func HoldsSecret(text string) bool { return len(secretsIn(cento.Text{Body: text})) > 0 }
