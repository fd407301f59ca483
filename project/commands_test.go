package project

import "testing"

// Commands of one task that a text names instead of the one that a tool runs by convention.
func TestOtherCommand(t *testing.T) {
	for _, c := range []struct{ text, task, command, want string }{
		{"Make sure `tools/format.js` is run.", "format", "cargo fmt", "tools/format.js"},
		{"Run `make test` first.", "test", "go test ./...", "make test"},
		{"Run `npm run test:unit`.", "test", "cargo test", "npm run test:unit"},
		{"Run `./test`.", "test", "cargo test", "./test"},
		{"Run `python tools/lint.py`.", "lint", "ruff check", "python tools/lint.py"},
		{"Run `cargo test -p a` or `make test`.", "test", "cargo test", ""},
		{"Files are in `test/` and `src/test.rs`; see `test` and `foo_test`.", "test", "cargo test", ""},
		{"Call `t.test(x)` or `a = test`.", "test", "cargo test", ""},
		{"Run make test.", "test", "cargo test", ""},
		{"Run `make lint`.", "test", "cargo test", ""},
	} {
		if _, got := otherCommand(c.text, c.task, c.command); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
