package history

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// view is the throw-away git directory that stands in for a repository. Nothing in it but the object folder
// comes from the repository without having been parsed.
type view struct {
	folder   string // all of it, removed by close
	gitDir   string
	workTree string // empty; the folder that git runs in
	noConfig string // an empty file, in the place of the user's configuration
}

// newView makes a view in which HEAD is commit.
func newView(l layout, commit string, edge map[string]bool) (view, error) {
	folder, err := os.MkdirTemp("", "cento-history-")
	if err != nil {
		return view{}, err
	}
	v := view{
		folder:   folder,
		gitDir:   filepath.Join(folder, "git"),
		workTree: filepath.Join(folder, "tree"),
		noConfig: filepath.Join(folder, "none"),
	}
	if err := v.fill(l, commit, edge); err != nil {
		return view{}, errors.Join(err, v.close())
	}
	return v, nil
}

func (v view) close() error { return os.RemoveAll(v.folder) }

func (v view) fill(l layout, commit string, edge map[string]bool) error {
	info := filepath.Join(v.gitDir, "objects", "info")
	for _, folder := range []string{v.workTree, filepath.Join(v.gitDir, "refs"), info} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	files := map[string]string{
		v.noConfig:                        "",
		filepath.Join(v.gitDir, "HEAD"):   commit + "\n",
		filepath.Join(v.gitDir, "config"): configuration(commit),
		filepath.Join(info, "alternates"): quotePath(l.objects) + "\n",
	}
	if len(edge) > 0 {
		var shallow strings.Builder
		for commit := range edge {
			shallow.WriteString(commit + "\n")
		}
		files[filepath.Join(v.gitDir, "shallow")] = shallow.String()
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// configuration is the whole configuration that git sees. The object format needs no look into the
// repository's own: the length of a commit's name tells it. The optional indexes of history are switched
// off because a stranger wrote them: git trusts what they say about parents and offsets more than it
// should, and for one file's lines they save little.
func configuration(commit string) string {
	version, extensions := "0", ""
	if len(commit) == sha256Digits {
		version, extensions = "1", "[extensions]\n\tobjectFormat = sha256\n"
	}
	return "[core]\n\trepositoryFormatVersion = " + version + `
	bare = false
	autocrlf = false
	fsmonitor = false
	commitGraph = false
	multiPackIndex = false
[protocol]
	allow = never
[gc]
	auto = 0
[maintenance]
	auto = false
` + extensions
}

// quotePath writes a path for an alternates file: git reads a quoted entry as a C string, so that a line
// feed or a leading # in it means nothing.
func quotePath(path string) string {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, c := range []byte(filepath.ToSlash(path)) {
		if c < ' ' || c == '"' || c == '\\' || c > '~' {
			quoted.WriteByte('\\')
			octal := strconv.FormatUint(uint64(c), 8)
			quoted.WriteString("000"[len(octal):] + octal)
			continue
		}
		quoted.WriteByte(c)
	}
	quoted.WriteByte('"')
	return quoted.String()
}

// environment is the whole environment of git. From the caller's it keeps what the program needs to be
// found and to start, and nothing that git itself reads.
func (v view) environment() []string {
	environment := []string{
		"HOME=" + v.folder,
		"XDG_CONFIG_HOME=" + v.folder,
		"TMPDIR=" + v.folder,
		"LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_SYSTEM=" + v.noConfig,
		"GIT_CONFIG_GLOBAL=" + v.noConfig,
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_LITERAL_PATHSPECS=1",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_PAGER=",
		"GIT_ALLOC_LIMIT=" + allocationLimit,
	}
	for _, name := range []string{"PATH", "SYSTEMROOT", "WINDIR", "DEVELOPER_DIR"} {
		if value, ok := os.LookupEnv(name); ok {
			environment = append(environment, name+"="+value)
		}
	}
	return environment
}
