package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// Projects says which sessions a caller reaches. The zero value reaches those that belong
// to no project.
type Projects struct {
	// Name is the project of the caller. A session that the caller creates belongs to it.
	Name string
	// Also are other names of that project.
	Also []string
	// Any reaches the sessions of every project.
	Any bool
}

// Has reports whether the caller reaches the sessions of a project.
func (p Projects) Has(project string) bool {
	return p.Any || project == p.Name || slices.Contains(p.Also, project)
}

// Check returns the error [OtherProject] for a session of a project that the caller
// doesn't reach.
func (p Projects) Check(id, project string) error {
	if p.Has(project) {
		return nil
	}
	return &cento.SourceError{
		Code: OtherProject, Message: fmt.Sprintf("session %q is another project's", clip(id)), Err: &ProjectError{Session: id, Project: project, Caller: p.Name},
	}
}

// ProjectError is the cause of an error with the code [OtherProject]. Both projects are
// empty for none.
type ProjectError struct {
	Session string
	// Project is the project of the session, Caller the one that asked for it.
	Project, Caller string
}

// Error names both projects.
func (e *ProjectError) Error() string {
	return "it belongs to " + projectName(e.Project) + ", and this is " + projectName(e.Caller)
}

func projectName(project string) string {
	if project == "" {
		return "no project"
	}
	return project
}

// term selects the rows whose project the caller reaches.
func (p Projects) term(column string) (string, []any) {
	if p.Any {
		return "1 = 1", nil
	}
	return among(column, append([]string{p.Name}, p.Also...))
}

// among selects the rows whose column has one of some values.
func among(column string, values []string) (term string, args []any) {
	if len(values) == 0 {
		return "1 = 0", nil
	}
	for _, v := range values {
		args = append(args, strings.ToValidUTF8(v, "\uFFFD"))
	}
	return column + " IN " + marks(len(args)), args
}

// maxProject is how long the name of a project may be, in bytes: a path fits.
const maxProject = 4096

// checkProject returns an error for a name of a project that can't be stored.
func checkProject(name string) error {
	if len(name) > maxProject || !plain(name) {
		return invalid("the project %q isn't one line of at most %d bytes", clip(name), maxProject)
	}
	return nil
}
