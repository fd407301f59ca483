package page

import "testing"

// TestSmallScripts: what a script does isn't in the spaces and comments that go, and texts
// and regular expressions stay.
func TestSmallScripts(t *testing.T) {
	for _, c := range [][2]string{
		{"// gone\n\n  export const a = 'a  b // c' + \"c  d\"; // isn't here\n", `export const a="a  b // cc  d"`},
		{"x = `a  ${ b  + `c  d` }  e` + f;", "x=`a  ${b+`c  d`}  e`+f"},
		{"if (/[/ ]  '/.test(s)) f(/ +/g);", "/[/ ]  '/.test(s)&&f(/ +/g)"},
		{"z = a + +b - -c", "z=a+ +b- -c"},
		{"export function f(first, second) { return first - second; }", "export function f(e,t){return e-t}"},
	} {
		if got := string(small([]byte(c[0]))); got != c[1] {
			t.Errorf("%q is %q, not %q", c[0], got, c[1])
		}
	}
}
