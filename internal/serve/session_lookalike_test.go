package serve_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/serve"
	"github.com/cento-dev/cento/internal/storetest"
)

// TestLookalikesOfOthers: that the name of a session reads like that of another is told to
// whoever reads the other one, and of one that the token doesn't read nothing is told.
func TestLookalikesOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	secrets := tokenFile(t, path, map[string]string{"all": "read write", "one": "read@m1 write@m1", "writer": "write"})
	s := start(t, storetest.SQLite(t), func(c *serve.Config) {
		c.Tokens, c.Local = path, ""
		for _, name := range []string{"ml", "m1"} { // the digit reads like the letter
			c.Projects = append(c.Projects, of(name, project(t, "system: Be brief.\nscope: off\nprofile: off\nskills: off\n")))
		}
	})
	s.secret = secrets["all"]
	for _, id := range []string{"a", "b", "c", "child-a", "child-b", "child-c"} {
		s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "ml", "id": "`+id+`"}`)
	}
	for _, test := range []struct {
		token, id string
		told      bool
	}{{"all", "a", true}, {"one", "b", false}, {"writer", "c", false}} {
		s.secret = secrets[test.token]
		for _, x := range [][2]string{
			{"/v1/sessions", `{"project": "m1", "id": "` + test.id + `"}`},
			{"/v1/sessions/m1:" + test.id + "/fork", `{"child": "child-` + test.id + `"}`},
		} {
			if answer := s.want(http.StatusOK, http.MethodPost, x[0], x[1]).body; strings.Contains(answer, "session.lookalike") != test.told || strings.Contains(answer, "ml:") != test.told {
				t.Errorf("POST %s of the token %q is told %s", x[0], test.token, answer)
			}
		}
	}
}
