package sessionname

import "testing"

func TestProblem(t *testing.T) {
	for _, id := range []string{"s1", "_", "größe", "会話", "a.b:c@d+e=f~g-h", "0198c7f2-4a3b-7c11-9d55-9a3f3c2b1a00", "me\u0301tier"} {
		if p := Problem(id); p != "" {
			t.Errorf("%q: %s", id, p)
		}
	}
	for _, id := range []string{
		"../../outside", "..", ".hidden", "-rf", "a/b", `a\b`, "<script>", "a b", "a\nb", "a\x1b[31m", "a'b", `a"b`, "a$b", "a%2fb", "a*", "a\u202eb", "a\u200bb", "\u0301a", "a\u00a0b", "a|b", "a;b", "a&b", "a`b", "a{b}", "(a)", "a?b", "a#b", "a,b", "a!b", "a\x00b", "a\xffb",
	} {
		if Problem(id) == "" {
			t.Errorf("%q is taken", id)
		}
	}
}
