// Package prompttest runs the tests of a project's prompts: cases that say what is
// different, and what has to be so of the prompt then. No model is asked.
//
//	suite, err := prompttest.Load(site, request)
//	report, err := suite.Run(ctx, prompttest.Options{})
//
// A case with a matrix or several targets is many runs. The project is read once for
// each distinct reading, such as another target, model or folder; all else is a
// what-if on what was read, so that a thousand runs cost a thousand assemblies.
// [Report.Coverage] tells which gates and branches no run looked at, and
// [Report.Mutation] which sentences nobody would miss.
//
// A test says the same on every machine: the root of the project reads `<root>`, the
// home folder `~`, the clock stands still, and neither the user's own files nor the
// environment nor the remotes of a clone are looked at, unless a case asks for the
// user's. Tool servers are never asked: their listings are those that were locked.
// Nothing is written but goldens and truth tables, and these only when asked for.
package prompttest

import "github.com/cento-dev/cento"

// The codes of errors in tests.
const (
	// DuplicateName: two tests of a project have one name.
	DuplicateName cento.ErrorCode = "test.duplicate"
	// MisnamedFile: a file ends in nearly .cento-test.yaml, such as .cento-tests.yaml or .cento-test.yml, and
	// would not be read.
	MisnamedFile cento.ErrorCode = "test.name"
	// OutsideRoot: a golden, a truth table or a file that a test lays over the project
	// lies outside of the project's root, or on the other side of a link.
	OutsideRoot cento.ErrorCode = "test.outside"
	// OwnFile: a golden or a truth table is to be a file that has another owner: the
	// manifest, a test, an output, or what a prompt of the tests is made of.
	OwnFile cento.ErrorCode = "test.own"
	// TooManyFiles: there are more files than are looked through for tests, or copied
	// for one.
	TooManyFiles cento.ErrorCode = "test.files"
	// MissingFolder: a test runs in a folder that isn't there, or takes a file away that
	// isn't.
	MissingFolder cento.ErrorCode = "test.missing"
)
