package ignore

// Made reports whether a folder of this name holds what tools fetch or make, whether
// or not version control is told to ignore it: what lies in it is nobody's to read as
// the project's own words.
func Made(name string) bool {
	switch name {
	case "node_modules", "bower_components", "jspm_packages", "vendor", "Godeps", "Pods", "Carthage", "site-packages",
		"venv", ".venv", "virtualenv", ".tox", ".nox", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", "htmlcov",
		"target", ".gradle", "DerivedData", ".terraform", ".cache", ".next", ".nuxt", ".output", ".svelte-kit", ".turbo",
		"coverage", "storybook-static":
		return true
	}
	return false
}
