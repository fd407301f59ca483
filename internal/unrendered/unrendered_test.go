package unrendered

import "testing"

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Be brief.": "", "{ {date} }": "", "{{ other }}": "", "${{ vars.x }}": "", "`{{ date }}`": "", "{{{ date }}}": "",
		"Today is {{ date }}.": "{{ date }}", "{{vars.x}}": "{{vars.x}}", "{% if tool('x') %}a{% endif %}": "{% if tool('x') %}", "{%- for t in tools %}": "{%- for t in tools %}",
		"{{ x }} {{ cwd }}": "{{ cwd }}", "{{ dates }}": "",
	} {
		start, end, ok := Find(text)
		if got := text[start:end]; got != want || ok != (want != "") {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}
