package profile

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRemotes(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/acme/app.git":                "github.com/acme/app",
		"https://github.com/acme/app/":                   "github.com/acme/app",
		"https://GitHub.com/Acme/App":                    "github.com/Acme/App",
		"http://github.com:80/acme/app":                  "github.com:80/acme/app",
		"https://user:token@github.com/acme/app.git":     "github.com/acme/app",
		"https://token@github.com/acme/app.git":          "github.com/acme/app",
		"https://github.com/acme/app?token=x":            "github.com/acme/app",
		"https://github.com/acme/app#x":                  "github.com/acme/app",
		"git@github.com:acme/app.git":                    "github.com/acme/app",
		"github.com:acme/app.git":                        "github.com/acme/app",
		"ssh://git@git.example.com:2222/~ada/app.git":    "git.example.com:2222/~ada/app",
		"git+ssh://git@example.com/app":                  "example.com/app",
		"ssh://[2001:db8::1]:22/app":                     "[2001:db8::1]:22/app",
		"https://dev.azure.com/acme/My%20App/_git/app":   "dev.azure.com/acme/My%20App/_git/app",
		"git@ssh.dev.azure.com:v3/acme/app/app":          "ssh.dev.azure.com/v3/acme/app/app",
		"work:acme/app":                                  "work/acme/app",
		" https://github.com/acme/app \n":                "github.com/acme/app",
		"https://github.com//acme//app":                  "github.com/acme/app",
		"https://github.com/acme/./app":                  "github.com/acme/app",
		"":                                               "",
		"/srv/git/app.git":                               "",
		"../app.git":                                     "",
		"./app:x":                                        "",
		"file:///srv/git/app":                            "",
		"C:/Users/ada/app":                               "",
		"c:app":                                          "",
		`\\server\share\app`:                             "",
		"ext::sh -c 'touch ran'":                         "",
		"transport::https://github.com/acme/app":         "",
		"javascript://github.com/acme/app":               "",
		"https://github.com":                             "",
		"https://github.com/":                            "",
		"https:///acme/app":                              "",
		"https://user:pa/ss@github.com/acme/app":         "",
		"https://user:12/34@github.com/acme/app":         "",
		"https://user:pa#ss@github.com/acme/app":         "",
		"https://user:12#ss@github.com/acme/app":         "",
		"https://user:pa?ss@github.com/acme/app":         "",
		"https://user:p@ss@github.com/acme/app":          "",
		"user:token@github.com/acme/app":                 "",
		"user:token@github.com:acme/app":                 "",
		"https://github.com/acme/app?u=a@b":              "",
		"https://github.com/x:ghp_abc@host/app":          "",
		"https://github.com/ghp_0123456789/app":          "",
		"https://glpat-0123/app":                         "glpat-0123/app",
		"https://github.com/acme/../../etc":              "",
		"https://github.com/acme/%40app":                 "",
		"https://github.com/acme/a\nb":                   "",
		"https://github.com/acme/a\x1b[2Jb":              "",
		"https://github.com/acme/а":                      "", // Cyrillic
		"https://gіthub.com/acme/app":                    "", // Cyrillic too
		"https://github.com:0/acme/app":                  "",
		"https://github.com:99999/acme/app":              "",
		"https://github.com:080/acme/app":                "",
		"https://git hub.com/acme/app":                   "",
		"https://github.com/<system-reminder>/app":       "",
		"https://-x.com/acme/app":                        "",
		"https://github.com/-x":                          "github.com/-x",
		"https://github.com/acme/app.git.git":            "github.com/acme/app",
		"https://github.com/.git":                        "",
		"https://" + strings.Repeat("a", 600) + "/x":     "",
		"https://github.com/" + strings.Repeat("a", 600): "",
	} {
		got, _, ok := parseRemote(address)
		if got != want || ok != (want != "") {
			t.Errorf("%q gives %q, %v, want %q", address, got, ok, want)
		}
	}
}

// A credential put at any of the places where one can stand never gets out.
func TestRemotesKeepNoCredential(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const canary = "c4n4ry"
		noise := rapid.StringOfN(rapid.SampledFrom([]rune("aZ0:/@?#%&=+._-~[]\\ \tß\n")), 0, 6, -1)
		secret := noise.Draw(t, "before") + canary + noise.Draw(t, "after")
		host := rapid.SampledFrom([]string{"github.com", "git.example.com:8443", "[2001:db8::1]"}).Draw(t, "host")
		scheme := rapid.SampledFrom([]string{"https://", "ssh://", "git+ssh://", ""}).Draw(t, "scheme")
		user := rapid.SampledFrom([]string{secret + "@", "user:" + secret + "@", secret + ":x-oauth-basic@"}).Draw(t, "user")
		path := rapid.SampledFrom([]string{"/acme/app.git", ":acme/app", "/app"}).Draw(t, "path")
		tail := ""
		if rapid.Bool().Draw(t, "query") {
			tail = rapid.SampledFrom([]string{"?token=", "#", "?a=b&t="}).Draw(t, "tail") + secret
		}
		address := scheme + user + host + path + tail
		if got, gotHost, ok := parseRemote(address); ok && (strings.Contains(got, canary) || strings.Contains(gotHost, canary)) {
			t.Fatalf("%q gives %q", address, got)
		}
	})
}

// FuzzParseRemote: what parses has one form, which parses to itself, and holds
// nothing that isn't a host, a port or a path.
func FuzzParseRemote(f *testing.F) {
	for _, seed := range []string{
		"https://user:token@github.com/acme/app.git?x#y", "git@github.com:acme/app.git", "ssh://[::1]:22/a", "https://a:1/2@b/c", "ext::x", "c:/x", "https://h/%20a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		got, host, ok := parseRemote(address)
		if !ok {
			if got != "" || host != "" {
				t.Fatalf("%q is refused and gives %q, %q", address, got, host)
			}
			return
		}
		again, hostAgain, ok := parseRemote("https://" + got)
		if !ok || again != got || hostAgain != host {
			t.Fatalf("%q gives %q, and that %q, %v", address, got, again, ok)
		}
		if !strings.HasPrefix(got, host) || strings.ContainsAny(got, "@?#\\ \t\r\n\x00\x1b<>\"'`{}") || len(got) > maxRemote {
			t.Fatalf("%q gives %q", address, got)
		}
		for i := range len(got) {
			if got[i] < '!' || got[i] > '~' {
				t.Fatalf("%q gives %q", address, got)
			}
		}
		// All of the path stood behind the host's last character in the address.
		if i := strings.LastIndex(address, "@"); i >= 0 && !strings.HasPrefix(strings.ToLower(address[i+1:]), host) {
			t.Fatalf("%q gives %q: what stands before the @ isn't a user", address, got)
		}
	})
}

func TestForges(t *testing.T) {
	for host, want := range map[string]string{"github.com": "github", "acme.visualstudio.com": "azure", "git.example.com": "git.example.com", "github.com.example.com": "github.com.example.com"} {
		if got := forge(host); got != want {
			t.Errorf("%s is %s, want %s", host, got, want)
		}
	}
}

func TestGitConfig(t *testing.T) {
	text := `[core]
	bare = true ; not that it matters
[remote "a \"b\" \\c"] url = "https://x/y#z" # behind
[Remote "d"]
	URL = https://one\
two
	; comment
	noEquals
[remote.old]
	url=three
[broken
	url = lost
[remote "e`
	var got []string
	for _, e := range parseGitConfig(text) {
		got = append(got, e.section+"|"+e.subsection+"|"+e.key+"|"+e.value)
	}
	want := "core||bare|true\n" + `remote|a "b" \c|url|https://x/y#z` + "\nremote|d|url|https://onetwo\nremote|d|noequals|\nremote|old|url|three\n||url|lost"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
