package skill

// The limits, for the tests outside of the package.
const (
	FileName         = fileName
	MaxCompatibility = maxCompatibility
	MaxDescription   = maxDescription
	MaxEffort        = maxEffort
	MaxFrontMatter   = maxFrontMatter
	MaxName          = maxName
)
