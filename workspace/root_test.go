package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/workspace"
)

func TestFindRoot(t *testing.T) {
	for name, c := range map[string]struct {
		files   string // names, parted by spaces; "/" at the end for folders
		cwd     string
		home    string
		markers []string

		dir, marker, project string
		vcs, isHome          bool
	}{
		"git folder":                            {files: ".git/ a/b/", cwd: "a/b", dir: ".", marker: ".git", vcs: true},
		"git folder in cwd":                     {files: "a/.git/", cwd: "a", dir: "a", marker: ".git", vcs: true},
		"git file of a worktree":                {files: ".git/ a/.git a/b/", cwd: "a/b", dir: "a", marker: ".git", vcs: true},
		"mercurial":                             {files: ".hg/ a/", cwd: "a", dir: ".", marker: ".hg", vcs: true},
		"jujutsu":                               {files: ".jj/ a/", cwd: "a", dir: ".", marker: ".jj", vcs: true},
		"subversion":                            {files: ".svn/ a/", cwd: "a", dir: ".", marker: ".svn", vcs: true},
		"first marker of a folder":              {files: ".jj/ .git/", cwd: ".", dir: ".", marker: ".git", vcs: true},
		"nested repository":                     {files: ".git/ a/.git/ a/b/", cwd: "a/b", dir: "a", marker: ".git", vcs: true},
		"manifest doesn't hide a repository":    {files: ".git/ a/cento.yaml a/b/", cwd: "a/b", dir: ".", marker: ".git", vcs: true, project: "a"},
		"manifest above a repository":           {files: "cento.yaml a/.git/", cwd: "a", dir: "a", marker: ".git", vcs: true, project: "."},
		"manifest marks without a repository":   {files: "cento.yaml a/b/", cwd: "a/b", dir: ".", marker: "cento.yaml", project: "."},
		"folder marks without a repository":     {files: ".cento/ a/b/", cwd: "a/b", dir: ".", marker: ".cento", project: "."},
		"nearest manifest":                      {files: "cento.yaml a/.cento/ a/b/", cwd: "a/b", dir: "a", marker: ".cento", project: "a"},
		"manifest that is a folder still marks": {files: "cento.yaml/ a/", cwd: "a", dir: ".", marker: "cento.yaml", project: "."},
		"file .cento marks nothing":             {files: ".cento a/", cwd: "a", dir: "a"},
		"nothing":                               {files: "a/b/", cwd: "a/b", dir: "a/b"},
		"own markers":                           {files: ".git/ a/WORKSPACE a/b/", cwd: "a/b", markers: []string{"WORKSPACE"}, dir: "a", marker: "WORKSPACE", vcs: true},
		"no markers":                            {files: ".git/ a/", cwd: "a", markers: []string{}, dir: "a"},
		"no markers but a manifest":             {files: ".git/ cento.yaml a/", cwd: "a", markers: []string{}, dir: ".", marker: "cento.yaml", project: "."},
		"home":                                  {files: ".git/ a/", cwd: "a", home: ".", dir: ".", marker: ".git", vcs: true, isHome: true},
		"cwd is home":                           {files: "a/", cwd: "a", home: "a", dir: "a", isHome: true},
		"below home":                            {files: "a/.git/", cwd: "a", home: ".", dir: "a", marker: ".git", vcs: true},
	} {
		t.Run(name, func(t *testing.T) {
			base := project(t, nil)
			for f := range strings.FieldsSeq(c.files) {
				p := filepath.Join(base, filepath.FromSlash(f))
				if strings.HasSuffix(f, "/") {
					if err := os.MkdirAll(p, 0o755); err != nil {
						t.Fatal(err)
					}
					continue
				}
				writeFile(t, p, nil)
			}
			if above, err := workspace.FindRoot(disk.Disk{}, filepath.Dir(base), "", c.markers); err != nil || above.Marker != "" {
				t.Skipf("the temporary folder lies in a project: %+v, %v", above, err)
			}
			home := ""
			if c.home != "" {
				home = filepath.Join(base, c.home)
			}
			got, err := workspace.FindRoot(disk.Disk{}, filepath.Join(base, c.cwd), home, c.markers)
			if err != nil {
				t.Fatal(err)
			}
			at := func(p string) string { return filepath.ToSlash(filepath.Join(base, p)) }
			wantProject := ""
			if c.project != "" {
				wantProject = at(c.project)
			}
			if got.Dir != at(c.dir) || got.Cwd != at(c.cwd) || got.Marker != c.marker || got.VCS != c.vcs ||
				got.Home != c.isHome || got.Project != wantProject || got.Disk || len(got.Notes) > 0 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestFindRootFollowsTheRealPath(t *testing.T) {
	base := project(t, map[string]string{"real/.git/HEAD": "", "real/a/x": "", "fake/.git/HEAD": ""})
	if err := os.Symlink(filepath.Join(base, "real", "a"), filepath.Join(base, "fake", "link")); err != nil {
		t.Skip("no links here: ", err)
	}
	got, err := workspace.FindRoot(disk.Disk{}, filepath.Join(base, "fake", "link"), "", nil)
	if err != nil || got.Dir != filepath.ToSlash(filepath.Join(base, "real")) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFindRootOfDisk(t *testing.T) {
	top := filepath.VolumeName(os.TempDir()) + string(filepath.Separator)
	got, err := workspace.FindRoot(disk.Disk{}, top, top, []string{"no-such-marker"})
	if err != nil || got.Dir != filepath.ToSlash(top) || !got.Disk || !got.Home {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFindRootRefuses(t *testing.T) {
	dir := project(t, map[string]string{"f": ""})
	for _, cwd := range []string{"", "relative", filepath.Join(dir, "f"), filepath.Join(dir, "none"), filepath.Join(dir, "nul\x00")} {
		if _, err := workspace.FindRoot(disk.Disk{}, cwd, "", nil); !errors.Is(err, workspace.InvalidFolder) {
			t.Errorf("cwd %q: %v", cwd, err)
		}
	}
	for _, m := range []string{"", ".", "..", "a/b", "/abs", `a\b`, "nul\x00"} {
		if _, err := workspace.FindRoot(disk.Disk{}, dir, "", []string{".git", m}); !errors.Is(err, workspace.InvalidMarker) {
			t.Errorf("marker %q: %v", m, err)
		}
	}
}

// A folder that can't be looked into may hold a marker: that it was passed over is told.
func TestRootUnreadable(t *testing.T) {
	base := treetest.Project(t, map[string]string{"shut/.git/HEAD": "", "shut/in/a.txt": ""})
	in := filepath.Join(base, "shut", "in")
	if err := os.Chmod(in, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(in, 0o755) })
	treetest.Unprivileged(t, base, func() {
		if _, err := os.Stat(filepath.Join(in, "a.txt")); err == nil {
			t.Skip("nothing is shut here")
		}
		got, err := workspace.FindRoot(disk.Disk{}, in, "", nil)
		if err != nil || got.Dir != filepath.Join(base, "shut") || len(got.Notes) != 1 || got.Notes[0].Code != workspace.UnreadableFolder ||
			!strings.HasPrefix(got.Notes[0].Position.File, filepath.ToSlash(in)+"/") {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
