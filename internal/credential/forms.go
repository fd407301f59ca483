package credential

import (
	"regexp"
	"sync"
)

// form is how the tokens of one kind look.
type form struct {
	rule string
	// prefix is where a token of the kind is looked for: its first characters, or
	// for those of inner, characters in it.
	prefix string
	// whole is the whole token, as a regular expression of RE2.
	whole string
	// before is how many bytes of the token stand before the prefix.
	before int
	// exact tokens have one length: what goes on behind it is something else.
	exact bool

	once sync.Once
	re   *regexp.Regexp
}

// window is how much of a text is looked at for one token.
const window = 2048

// match is the end of the token that begins at a place, or that place.
func (f *form) match(text string, at int) int {
	f.once.Do(func() { f.re = regexp.MustCompile(`^(?:` + f.whole + `)`) })
	loc := f.re.FindStringIndex(text[at:min(len(text), at+window)])
	if loc == nil {
		return at
	}
	end := at + loc[1]
	goesOn := end
	for goesOn < len(text) && partOfToken(text[goesOn]) {
		goesOn++
	}
	if goesOn > end && f.exact {
		return at
	}
	value := text[at:end]
	if f.before == 0 {
		value = value[len(f.prefix):]
	}
	if madeUp(value) {
		return at
	}
	return goesOn
}

// forms are the tokens that begin in a way of their own.
var forms = []form{
	{rule: "1password-secret-key", prefix: "A3-", whole: `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}`},
	{rule: "1password-service-account-token", prefix: "ops_eyJ", whole: `ops_eyJ[a-zA-Z0-9+/]{250}[a-zA-Z0-9+/]*={0,3}`},
	{rule: "adobe-client-secret", prefix: "p8e-", whole: `p8e-[a-zA-Z0-9]{32}`},
	{rule: "age-secret-key", prefix: "AGE-SECRET-KEY-1", whole: `AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`},
	{rule: "alibaba-access-key-id", prefix: "LTAI", exact: true, whole: `LTAI[a-zA-Z0-9]{20}`},
	{rule: "anthropic-admin-api-key", prefix: "sk-ant-admin01-", whole: `sk-ant-admin01-[a-zA-Z0-9_-]{93}AA`},
	{rule: "anthropic-api-key", prefix: "sk-ant-", whole: `sk-ant-[a-zA-Z0-9_-]{20,200}`},
	{rule: "artifactory-api-key", prefix: "AKCp", exact: true, whole: `AKCp[A-Za-z0-9]{69}`},
	{rule: "artifactory-reference-token", prefix: "cmVmd", exact: true, whole: `cmVmd[A-Za-z0-9]{59}`},
	{rule: "atlassian-api-token", prefix: "ATATT3", whole: `ATATT3[A-Za-z0-9_=-]{186}`},
	{rule: "aws-access-token", prefix: "A3T", exact: true, whole: `A3T[A-Z0-9]{17}`},
	{rule: "aws-access-token", prefix: "AKIA", exact: true, whole: `AKIA[A-Z0-9]{16}`},
	{rule: "aws-access-token", prefix: "ASIA", exact: true, whole: `ASIA[A-Z0-9]{16}`},
	{rule: "aws-access-token", prefix: "ABIA", exact: true, whole: `ABIA[A-Z0-9]{16}`},
	{rule: "aws-access-token", prefix: "ACCA", exact: true, whole: `ACCA[A-Z0-9]{16}`},
	{rule: "aws-bedrock-api-key", prefix: "ABSK", whole: `ABSK[A-Za-z0-9+/]{109,269}={0,2}`},
	{rule: "clickhouse-cloud-api-secret-key", prefix: "4b1d", exact: true, whole: `4b1d[A-Za-z0-9]{38}`},
	{rule: "clojars-api-token", prefix: "CLOJARS_", whole: `CLOJARS_[a-zA-Z0-9]{60}`},
	{rule: "cloudflare-origin-ca-key", prefix: "v1.0-", whole: `v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`},
	{rule: "databricks-api-token", prefix: "dapi", exact: true, whole: `dapi[a-f0-9]{32}(?:-\d)?`},
	{rule: "defined-networking-api-token", prefix: "dnkey-", whole: `dnkey-[a-zA-Z0-9=_-]{26}-[a-zA-Z0-9=_-]{52}`},
	{rule: "digitalocean-access-token", prefix: "doo_v1_", whole: `doo_v1_[a-f0-9]{64}`},
	{rule: "digitalocean-pat", prefix: "dop_v1_", whole: `dop_v1_[a-f0-9]{64}`},
	{rule: "digitalocean-refresh-token", prefix: "dor_v1_", whole: `dor_v1_[a-f0-9]{64}`},
	{rule: "doppler-api-token", prefix: "dp.pt.", whole: `dp\.pt\.[a-zA-Z0-9]{43}`},
	{rule: "duffel-api-token", prefix: "duffel_", whole: `duffel_(?:test|live)_[a-zA-Z0-9_=-]{43}`},
	{rule: "dynatrace-api-token", prefix: "dt0c01.", whole: `dt0c01\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{64}`},
	{rule: "easypost-api-token", prefix: "EZAK", exact: true, whole: `EZAK[a-zA-Z0-9]{54}`},
	{rule: "easypost-test-api-token", prefix: "EZTK", exact: true, whole: `EZTK[a-zA-Z0-9]{54}`},
	{rule: "facebook-page-access-token", prefix: "EAA", whole: `EAA[MC][a-zA-Z0-9]{100}[a-zA-Z0-9]*`},
	{rule: "flutterwave-key", prefix: "FLWSECK_TEST-", whole: `FLWSECK_TEST-[a-hA-H0-9]{12,32}(?:-X)?`},
	{rule: "flutterwave-public-key", prefix: "FLWPUBK_TEST-", whole: `FLWPUBK_TEST-[a-hA-H0-9]{32}-X`},
	{rule: "flyio-access-token", prefix: "fm1", whole: `fm1[ar]_[a-zA-Z0-9+/]{100}[a-zA-Z0-9+/]*={0,3}`},
	{rule: "flyio-access-token", prefix: "fm2_", whole: `fm2_[a-zA-Z0-9+/]{100}[a-zA-Z0-9+/]*={0,3}`},
	{rule: "flyio-access-token", prefix: "fo1_", whole: `fo1_[\w-]{43}`},
	{rule: "frameio-api-token", prefix: "fio-u-", whole: `fio-u-[a-zA-Z0-9_=-]{64}`},
	{rule: "gcp-api-key", prefix: "AIza", exact: true, whole: `AIza[\w-]{35}`},
	{rule: "github-app-token", prefix: "ghs_", whole: `ghs_[0-9a-zA-Z]{36}`},
	{rule: "github-app-token", prefix: "ghu_", whole: `ghu_[0-9a-zA-Z]{36}`},
	{rule: "github-fine-grained-pat", prefix: "github_pat_", whole: `github_pat_\w{40,100}`},
	{rule: "github-oauth", prefix: "gho_", whole: `gho_[0-9a-zA-Z]{36}`},
	{rule: "github-pat", prefix: "ghp_", whole: `ghp_[0-9a-zA-Z]{36}`},
	{rule: "github-refresh-token", prefix: "ghr_", whole: `ghr_[0-9a-zA-Z]{36}`},
	{rule: "gitlab-cicd-job-token", prefix: "glcbt-", whole: `glcbt-[0-9a-zA-Z]{1,5}_[0-9a-zA-Z_-]{20}`},
	{rule: "gitlab-deploy-token", prefix: "gldt-", whole: `gldt-[0-9a-zA-Z_-]{20}`},
	{rule: "gitlab-feature-flag-client-token", prefix: "glffct-", whole: `glffct-[0-9a-zA-Z_-]{20}`},
	{rule: "gitlab-feed-token", prefix: "glft-", whole: `glft-[0-9a-zA-Z_-]{20}`},
	{rule: "gitlab-incoming-mail-token", prefix: "glimt-", whole: `glimt-[0-9a-zA-Z_-]{25}`},
	{rule: "gitlab-kubernetes-agent-token", prefix: "glagent-", whole: `glagent-[0-9a-zA-Z_-]{50}`},
	{rule: "gitlab-oauth-app-secret", prefix: "gloas-", whole: `gloas-[0-9a-zA-Z_-]{64}`},
	{rule: "gitlab-pat", prefix: "glpat-", whole: `glpat-[0-9a-zA-Z_-]{20,300}(?:\.[0-9a-z]{9})?`},
	{rule: "gitlab-ptt", prefix: "glptt-", whole: `glptt-[0-9a-f]{40}`},
	{rule: "gitlab-rrt", prefix: "GR1348941", exact: true, whole: `GR1348941[\w-]{20}`},
	{rule: "gitlab-runner-authentication-token", prefix: "glrt-", whole: `glrt-[0-9a-zA-Z_-]{20,300}(?:\.[0-9a-z]{9})?`},
	{rule: "gitlab-scim-token", prefix: "glsoat-", whole: `glsoat-[0-9a-zA-Z_-]{20}`},
	{rule: "gitlab-session-cookie", prefix: "_gitlab_session=", whole: `_gitlab_session=[0-9a-z]{32}`},
	{rule: "grafana-api-key", prefix: "eyJrIjoi", whole: `eyJrIjoi[A-Za-z0-9]{70}[A-Za-z0-9]*={0,3}`},
	{rule: "grafana-cloud-api-token", prefix: "glc_", whole: `glc_[A-Za-z0-9+/]{32}[A-Za-z0-9+/]*={0,3}`},
	{rule: "grafana-service-account-token", prefix: "glsa_", whole: `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}`},
	{rule: "harness-api-key", prefix: "pat.", whole: `pat\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}`},
	{rule: "harness-api-key", prefix: "sat.", whole: `sat\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}`},
	{rule: "heroku-api-key", prefix: "HRKU-AA", whole: `HRKU-AA[0-9a-zA-Z_-]{58}`},
	{rule: "huggingface-access-token", prefix: "hf_", whole: `hf_[a-zA-Z0-9]{34}`},
	{rule: "huggingface-organization-api-token", prefix: "api_org_", whole: `api_org_[a-zA-Z0-9]{34}`},
	{rule: "infracost-api-token", prefix: "ico-", whole: `ico-[a-zA-Z0-9]{32}`},
	{rule: "intra42-client-secret", prefix: "s-s4t2", whole: `s-s4t2(?:ud|af)-[a-f0-9]{64}`},
	{rule: "jwt", prefix: "ey", whole: `ey[a-zA-Z0-9]{17}[a-zA-Z0-9]*\.ey[a-zA-Z0-9/\\_-]{17}[a-zA-Z0-9/\\_-]*\.(?:[a-zA-Z0-9/\\_-]{10}[a-zA-Z0-9/\\_-]*={0,2})?`},
	{rule: "linear-api-key", prefix: "lin_api_", whole: `lin_api_[a-zA-Z0-9]{40}`},
	{rule: "mailgun-private-api-token", prefix: "key-", exact: true, whole: `key-[a-f0-9]{32}`},
	{rule: "mapbox-api-token", prefix: "pk.", whole: `pk\.[a-zA-Z0-9_-]{60,100}\.[a-zA-Z0-9_-]{22}`},
	{rule: "new-relic-browser-api-token", prefix: "NRJS-", exact: true, whole: `NRJS-[a-f0-9]{19}`},
	{rule: "new-relic-insert-key", prefix: "NRII-", whole: `NRII-[a-zA-Z0-9-]{32}`},
	{rule: "new-relic-user-api-key", prefix: "NRAK-", whole: `NRAK-[a-zA-Z0-9]{27}`},
	{rule: "notion-api-token", prefix: "ntn_", whole: `ntn_[0-9]{11}[A-Za-z0-9]{35}`},
	{rule: "npm-access-token", prefix: "npm_", whole: `npm_[a-zA-Z0-9]{36}`},
	{rule: "octopus-deploy-api-key", prefix: "API-", exact: true, whole: `API-[A-Z0-9]{26}`},
	{rule: "openai-api-key", prefix: "sk-", exact: true, whole: `sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}`},
	{rule: "openai-api-key", prefix: "sk-proj-", whole: `sk-proj-[A-Za-z0-9_-]{20,200}`},
	{rule: "openai-api-key", prefix: "sk-svcacct-", whole: `sk-svcacct-[A-Za-z0-9_-]{20,200}`},
	{rule: "openai-api-key", prefix: "sk-admin-", whole: `sk-admin-[A-Za-z0-9_-]{20,200}`},
	{rule: "openrouter-api-key", prefix: "sk-or-v1-", whole: `sk-or-v1-[a-f0-9]{64}`},
	{rule: "openshift-user-token", prefix: "sha256~", whole: `sha256~[\w-]{43}`},
	{rule: "perplexity-api-key", prefix: "pplx-", whole: `pplx-[a-zA-Z0-9]{48}`},
	{rule: "plaid-api-token", prefix: "access-", whole: `access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`},
	{rule: "planetscale-api-token", prefix: "pscale_tkn_", whole: `pscale_tkn_[\w=.-]{32,64}`},
	{rule: "planetscale-oauth-token", prefix: "pscale_oauth_", whole: `pscale_oauth_[\w=.-]{32,64}`},
	{rule: "planetscale-password", prefix: "pscale_pw_", whole: `pscale_pw_[\w=.-]{32,64}`},
	{rule: "postman-api-token", prefix: "PMAK-", whole: `PMAK-[a-fA-F0-9]{24}-[a-fA-F0-9]{34}`},
	{rule: "prefect-api-token", prefix: "pnu_", whole: `pnu_[a-zA-Z0-9]{36}`},
	{rule: "pulumi-api-token", prefix: "pul-", whole: `pul-[a-f0-9]{40}`},
	{rule: "pypi-upload-token", prefix: "pypi-AgEIcHlwaS5vcmc", whole: `pypi-AgEIcHlwaS5vcmc[\w-]{50}[\w-]*`},
	{rule: "readme-api-token", prefix: "rdme_", whole: `rdme_[a-z0-9]{70}`},
	{rule: "rubygems-api-token", prefix: "rubygems_", whole: `rubygems_[a-f0-9]{48}`},
	{rule: "scalingo-api-token", prefix: "tk-us-", whole: `tk-us-[\w-]{48}`},
	{rule: "sendgrid-api-token", prefix: "SG.", whole: `SG\.[a-zA-Z0-9=_.-]{66}`},
	{rule: "sendinblue-api-token", prefix: "xkeysib-", whole: `xkeysib-[a-f0-9]{64}-[a-zA-Z0-9]{16}`},
	{rule: "sentry-org-token", prefix: "sntrys_eyJ", whole: `sntrys_eyJ[a-zA-Z0-9+/]{20}[a-zA-Z0-9+/]*={0,2}_[a-zA-Z0-9+/]{43}`},
	{rule: "sentry-user-token", prefix: "sntryu_", whole: `sntryu_[a-f0-9]{64}`},
	{rule: "settlemint-access-token", prefix: "sm_", whole: `sm_[aps]at_[a-zA-Z0-9]{16}`},
	{rule: "shippo-api-token", prefix: "shippo_", whole: `shippo_(?:live|test)_[a-fA-F0-9]{40}`},
	{rule: "shopify-access-token", prefix: "shp", whole: `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`},
	{rule: "slack-app-token", prefix: "xapp-", whole: `xapp-\d-[A-Za-z0-9]{5,50}-\d{5,20}-[a-z0-9]{20,100}`},
	{rule: "slack-config-token", prefix: "xoxe", whole: `xoxe(?:\.xox[bp])?-\d-[A-Z0-9a-z]{140,170}`},
	{rule: "slack-token", prefix: "xox", whole: `xox[abeoprs]-(?:[0-9a-zA-Z]{1,20}-){1,4}[a-zA-Z0-9-]{8,80}`},
	{rule: "slack-webhook-url", prefix: "hooks.slack.com/", whole: `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,60}`},
	{rule: "sourcegraph-access-token", prefix: "sgp_", whole: `sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}`},
	{rule: "square-access-token", prefix: "EAAA", exact: true, whole: `EAAA[\w-]{60}`},
	{rule: "square-access-token", prefix: "sq0", whole: `sq0(?:atp|csp)-[\w-]{22,60}`},
	{rule: "stripe-access-token", prefix: "sk_", whole: `sk_(?:test|live|prod)_[a-zA-Z0-9]{10,99}`},
	{rule: "stripe-access-token", prefix: "rk_", whole: `rk_(?:test|live|prod)_[a-zA-Z0-9]{10,99}`},
	{rule: "stripe-webhook-secret", prefix: "whsec_", whole: `whsec_[a-zA-Z0-9+/]{32,64}={0,2}`},
	{rule: "twilio-api-key", prefix: "SK", exact: true, whole: `SK[0-9a-fA-F]{32}`},
	{rule: "typeform-api-token", prefix: "tfp_", whole: `tfp_[a-zA-Z0-9_.=-]{59}`},
	{rule: "vault-batch-token", prefix: "hvb.", whole: `hvb\.[\w-]{138,300}`},
	{rule: "vault-service-token", prefix: "hvs.", whole: `hvs\.[\w-]{90,120}`},
	{rule: "xai-api-key", prefix: "xai-", whole: `xai-[a-zA-Z0-9]{80}`},
	{rule: "yandex-api-key", prefix: "AQVN", exact: true, whole: `AQVN[A-Za-z0-9_-]{35,38}`},
}

// inner are the tokens that are known by characters in their middle or at their
// end.
var inner = []form{
	{rule: "azure-ad-client-secret", prefix: "Q~", before: 4, whole: `[a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34}`},
	{rule: "hashicorp-tf-api-token", prefix: ".atlasv1.", before: 14, whole: `[a-zA-Z0-9]{14}\.atlasv1\.[a-zA-Z0-9=_-]{60,70}`},
	{rule: "mailchimp-api-key", prefix: "-us", exact: true, before: 32, whole: `[a-f0-9]{32}-us\d\d?`},
	{rule: "maxmind-license-key", prefix: "_mmk", exact: true, before: 36, whole: `[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk`},
	{rule: "microsoft-teams-webhook", prefix: ".webhook.office.com/webhookb2/", whole: `\.webhook\.office\.com/webhookb2/[a-z0-9-]{36}@[a-z0-9-]{36}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9-]{36}`},
	{rule: "telegram-bot-api-token", prefix: ":AA", exact: true, before: 10, whole: `[0-9]{10}:AA[a-zA-Z0-9_-]{33}`},
}

// formsBy are the forms by the first byte of their prefix.
var formsBy = sync.OnceValue(func() *[256][]int {
	var by [256][]int
	for i := range forms {
		by[forms[i].prefix[0]] = append(by[forms[i].prefix[0]], i)
	}
	return &by
})
