package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cento-dev/cento/internal/cli"
)

// renderRequest asks for the text of one prompt file.
func renderRequest(ts *testscript.TestScript, text string) string {
	b, err := json.Marshal(map[string]any{"root": "$workspace/a", "files": map[string]string{"$workspace/a": text}})
	ts.Check(err)
	return string(b)
}

// hostile runs `cento call render` on a request that has to be refused with a
// code and a place.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hostile CODE REQUEST")
	}
	refused(ts, args[0], args[1], "")
}

// template is hostile for a prompt file, and the line of it that is wrong.
func template(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: template CODE TEXT LINE")
	}
	refused(ts, args[0], renderRequest(ts, args[1]), args[2])
}

// deep is template for an expression or statement that is repeated.
func deep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: deep CODE TEXT TIMES")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := strings.Repeat(args[1], n)
	if !strings.HasPrefix(text, "{%") {
		text = "{{ " + text + " }}"
	}
	refused(ts, args[0], renderRequest(ts, text), "1")
}

// refused runs the request in this process, since the many of a script would
// cost more to start than to answer. The answer lies in answer.json.
func refused(ts *testscript.TestScript, code, request, line string) {
	var out, errs bytes.Buffer
	exit := cli.Main([]string{"call", "render"}, strings.NewReader(request), &out, &errs)
	ts.Check(os.WriteFile(ts.MkAbs("answer.json"), out.Bytes(), 0o600))
	var answer struct {
		Error struct {
			Code, Message string
			Position      *struct{ Line, Column int }
		}
	}
	ts.Check(json.Unmarshal(out.Bytes(), &answer))
	ts.Logf("%d %s", exit, out.Bytes()[:min(out.Len(), 600)])
	switch at := answer.Error.Position; {
	case exit != 2 || errs.Len() > 0:
		ts.Fatalf("exit code %d, want 2; stderr %q", exit, errs.String())
	case answer.Error.Code != code:
		ts.Fatalf("the code is %q, want %q", answer.Error.Code, code)
	case at == nil || at.Line == 0 || at.Column == 0:
		ts.Fatalf("the error has no place")
	case line != "" && strconv.Itoa(at.Line) != line:
		ts.Fatalf("the error is at line %d, want %s", at.Line, line)
	case out.Len() > 16<<10:
		ts.Fatalf("the error is %d bytes long", out.Len())
	}
}
