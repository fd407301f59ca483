package profile

import "strings"

// credentials are the aliases of the credentials that are known, each with the
// environment variables that hold it. Names alone are looked at: that one is
// there, never what it is.
var credentialNames = map[string]string{
	"anthropic":   "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN",
	"aws":         "AWS_ACCESS_KEY_ID AWS_PROFILE AWS_WEB_IDENTITY_TOKEN_FILE",
	"azure":       "AZURE_CLIENT_ID AZURE_OPENAI_API_KEY AZURE_DEVOPS_EXT_PAT",
	"bitbucket":   "BITBUCKET_TOKEN BITBUCKET_ACCESS_TOKEN",
	"cargo":       "CARGO_REGISTRY_TOKEN",
	"cloudflare":  "CLOUDFLARE_API_TOKEN CF_API_TOKEN",
	"cohere":      "COHERE_API_KEY CO_API_KEY",
	"docker":      "DOCKER_AUTH_CONFIG DOCKER_PASSWORD",
	"gemini":      "GEMINI_API_KEY",
	"github":      "GITHUB_TOKEN GH_TOKEN GITHUB_PAT GH_ENTERPRISE_TOKEN GITHUB_ENTERPRISE_TOKEN",
	"gitlab":      "GITLAB_TOKEN GITLAB_PRIVATE_TOKEN CI_JOB_TOKEN",
	"google":      "GOOGLE_API_KEY GOOGLE_APPLICATION_CREDENTIALS",
	"groq":        "GROQ_API_KEY",
	"huggingface": "HF_TOKEN HUGGING_FACE_HUB_TOKEN",
	"jira":        "JIRA_API_TOKEN",
	"linear":      "LINEAR_API_KEY",
	"mistral":     "MISTRAL_API_KEY",
	"npm":         "NPM_TOKEN NODE_AUTH_TOKEN",
	"openai":      "OPENAI_API_KEY",
	"openrouter":  "OPENROUTER_API_KEY",
	"pypi":        "PYPI_TOKEN TWINE_PASSWORD UV_PUBLISH_TOKEN",
	"sentry":      "SENTRY_AUTH_TOKEN",
	"slack":       "SLACK_TOKEN SLACK_BOT_TOKEN",
	"ssh":         "SSH_AUTH_SOCK",
	"stripe":      "STRIPE_API_KEY STRIPE_SECRET_KEY",
	"vault":       "VAULT_TOKEN",
}

// CredentialVariables are the names of the environment variables that tell of
// a credential, by its alias. A caller needs to look at no others.
func CredentialVariables() map[string][]string {
	out := make(map[string][]string, len(credentialNames))
	for alias, names := range credentialNames {
		out[alias] = strings.Fields(names)
	}
	return out
}

// credentials adds those that a name tells of: a variable of the list, or an
// alias itself. Other names are not kept.
func (f *finder) credentials(env []string) {
	given := make(map[string]bool, len(env))
	for _, name := range env {
		given[name] = true
	}
	for alias, names := range credentialNames {
		for name := range strings.FieldsSeq(alias + " " + names) {
			if given[name] {
				f.add(Signal{Kind: Credential, Name: alias, Env: name})
				break
			}
		}
	}
}
