package profile

import (
	"net/netip"
	"path"
	"strconv"
	"strings"
)

// A remote's address is never copied. It is taken apart, and an address is made
// of its host, port and path, each of which has to look like one; the user, the
// password, the query and the fragment have no part in it. What is left over, or
// could be read in two ways, drops the address: a password with an unescaped
// slash or question mark in it makes part of itself the path to one reader and
// not to another.

// maxRemote bounds an address, in bytes.
const maxRemote = 512

// remoteSchemes are those of addresses that have a host and a path.
var remoteSchemes = map[string]bool{
	"http": true, "https": true, "ssh": true, "git": true, "git+ssh": true, "ssh+git": true, "git+https": true, "ftp": true, "ftps": true,
}

// parseRemote gives host and path of a git remote, as in `github.com/acme/app`,
// and its host without port. It is false for addresses of the local disk, of
// unknown schemes, and for all that doesn't parse beyond doubt. What it gives
// holds no credential, and parses to itself when `https://` stands before it.
func parseRemote(address string) (remote, host string, ok bool) {
	address = strings.TrimSpace(address)
	if len(address) > maxRemote || strings.Count(address, "@") > 1 {
		return "", "", false
	}
	var authority, rest string
	if scheme, after, found := strings.Cut(address, "://"); found {
		if !remoteSchemes[strings.ToLower(scheme)] {
			return "", "", false
		}
		authority, rest, _ = strings.Cut(after, "/")
		if strings.ContainsAny(authority, `?#\`) {
			return "", "", false
		}
		if i := strings.IndexAny(rest, "?#"); i >= 0 {
			if strings.Contains(rest[i:], "@") {
				return "", "", false
			}
			rest = rest[:i]
		}
	} else {
		// The short form of ssh: [user@]host:path. One letter is a drive.
		authority, rest, found = strings.Cut(address, ":")
		if !found || strings.ContainsAny(authority, `/\?#`) || len(authority) < 2 || strings.HasPrefix(rest, ":") || strings.ContainsAny(rest, "?#") {
			return "", "", false
		}
	}
	if strings.Contains(rest, "@") {
		return "", "", false
	}
	if i := strings.IndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	host, port, ok := splitPort(strings.ToLower(authority))
	if !ok {
		return "", "", false
	}
	place, ok := remotePath(rest)
	if !ok {
		return "", "", false
	}
	return host + port + "/" + place, host, true
}

var hostName = lazily(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)

// splitPort parts a port off, which keeps its colon.
func splitPort(authority string) (host, port string, ok bool) {
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", "", false
		}
		if a, err := netip.ParseAddr(authority[1:end]); err != nil || !a.Is6() || a.Zone() != "" {
			return "", "", false
		}
		host, port = authority[:end+1], authority[end+1:]
	} else if i := strings.IndexByte(authority, ':'); i >= 0 {
		host, port = authority[:i], authority[i:]
	} else {
		host = authority
	}
	if len(host) > 253 || !strings.HasPrefix(host, "[") && !hostName().MatchString(host) {
		return "", "", false
	}
	if port == ":" {
		port = ""
	}
	if port != "" {
		if n, err := strconv.ParseUint(strings.TrimPrefix(port, ":"), 10, 16); err != nil || n == 0 || port != ":"+strconv.FormatUint(n, 10) {
			return "", "", false
		}
	}
	return host, port, true
}

// pathText is what the path of a repository is written with. Percent signs
// stand for a blank alone: others would have to be read to be trusted.
var pathText = lazily(`^[A-Za-z0-9._~+,-](?:[A-Za-z0-9._~+,/-]|%20)*$`)

// tokenText is how tokens begin that have been found as part of a path.
var tokenText = lazily(`(?i)(?:^|/)(?:gh[pousr]_|github_pat_|glpat-|gldt-|x-oauth|xox[abp]-|sk-|akia[0-9a-z]{12})`)

func remotePath(rest string) (string, bool) {
	rest = strings.Trim(rest, "/")
	if !pathText().MatchString(rest) || tokenText().MatchString(rest) {
		return "", false
	}
	rest = path.Clean(rest)
	if rest == "." || rest == ".." || strings.HasPrefix(rest, "../") || strings.Contains(rest, "/../") {
		return "", false
	}
	for strings.HasSuffix(rest, ".git") {
		rest = strings.TrimSuffix(rest, ".git")
	}
	if rest == "" || strings.HasSuffix(rest, "/") {
		return "", false
	}
	return rest, true
}

// forges are the hosts that have a short name.
var forges = map[string]string{
	"github.com": "github", "www.github.com": "github", "ssh.github.com": "github", "gist.github.com": "github",
	"gitlab.com": "gitlab", "altssh.gitlab.com": "gitlab",
	"bitbucket.org": "bitbucket", "altssh.bitbucket.org": "bitbucket",
	"dev.azure.com": "azure", "ssh.dev.azure.com": "azure", "vs-ssh.visualstudio.com": "azure",
	"codeberg.org": "codeberg", "git.sr.ht": "sourcehut", "gitea.com": "gitea", "gitee.com": "gitee",
	"source.developers.google.com": "google", "git.savannah.gnu.org": "savannah",
}

// forge is the name of a host in a capability: the short one of the known, else
// the host itself.
func forge(host string) string {
	if name, ok := forges[host]; ok {
		return name
	}
	if strings.HasSuffix(host, ".visualstudio.com") {
		return "azure"
	}
	return host
}
