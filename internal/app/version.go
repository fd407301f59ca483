package app

import "runtime/debug"

// version is set by a release build; otherwise the module's own is told.
var version string

// Version is the version of the program: of a release, of the module as it was
// installed, or "devel".
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
