package app

import (
	"os"
	"path/filepath"
	"runtime"
)

// clientFolders are the folders of other clients that the environment puts
// elsewhere than below the home folder, and the one where whoever runs the
// machine keeps a policy. The names are those of the clients' documentation.
func clientFolders() map[string]string {
	out := map[string]string{}
	set := func(client, dir string, below ...string) {
		if filepath.IsAbs(dir) {
			out[client] = filepath.Join(append([]string{dir}, below...)...)
		}
	}
	set("codex", os.Getenv("CODEX_HOME"))
	set("claude", os.Getenv("CLAUDE_CONFIG_DIR"))
	set("gemini", os.Getenv("GEMINI_CLI_HOME"), ".gemini")
	set("opencode", os.Getenv("XDG_CONFIG_HOME"), "opencode")
	switch runtime.GOOS {
	case "darwin":
		set("managed", "/Library/Application Support/ClaudeCode")
	case "windows":
		set("managed", `C:\Program Files\ClaudeCode`)
	default:
		set("managed", "/etc/claude-code")
	}
	return out
}
