package workload

import "testing"

func TestDigests(t *testing.T) {
	want := map[string]string{"W1": "dc5bcbb87b768a64", "W2": "d4b4f42851a9f5da", "W3": "99a16e8a5fad068d"}
	for _, name := range Names() {
		w, err := Make(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Digest(); got != want[name] {
			t.Errorf("%s has digest %s, want %s", name, got, want[name])
		}
	}
	if _, err := Make("W4"); err == nil {
		t.Error("a workload that doesn't exist was made")
	}
}
