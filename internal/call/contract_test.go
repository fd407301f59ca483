package call_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/strict"
)

func answerOf(t *testing.T, request string) (string, error) {
	t.Helper()
	out, err := call.Answer(t.Context(), "contract", []byte(request), call.Options{})
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), nil
}

func TestContract(t *testing.T) {
	written := `{"role":"proposer","objective":"find gaps","context":[{"key":"risks","facts":[{"id":"r1","content":"x"}]}],` +
		`"constraints":["no-invent"],"output":{"emit":"plan","key":"risks"},"keys":["risks"]}`
	got, err := answerOf(t, `{"contract":`+written+`,"form":"edn"}`)
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Text string }
	if err := json.Unmarshal([]byte(got), &out); err != nil || !strings.Contains(out.Text, ":o :find-gaps\n") {
		t.Fatal(got, err)
	}
	got, err = answerOf(t, `{"contract":`+written+`,"exact":true,"form":"edn"}`)
	if err != nil || !strings.Contains(got, `:o \"find gaps\"`) {
		t.Fatal(got, err)
	}
	if err := json.Unmarshal([]byte(got), &out); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(out.Text)
	if err != nil {
		t.Fatal(err)
	}
	got, err = answerOf(t, fmt.Sprintf(`{"text":%s,"form":"edn","keys":["risks"]}`, text))
	if err != nil || got != `{"contract":`+written+`}` {
		t.Fatalf("%s, %v", got, err)
	}
	got, err = answerOf(t, `{"contract":{"role":"proposer","objective":"x","context":{"seeds":[{"id":"a"},{"id":"a"}]},"output":{"emit":"plan","key":"seeds"}},"form":"lines"}`)
	if err != nil || !strings.Contains(got, `"contract.id.repeated"`) {
		t.Fatal(got, err)
	}
	for request, code := range map[string]cento.ErrorCode{
		`{}`: contract.Missing,
		`{"contract":` + written + `,"text":"x"}`:       contract.Duplicate,
		`{"text":"x","exact":true}`:                     contract.UnknownName,
		`{"contract":` + written + `,"keys":["risks"]}`: contract.UnknownName,
		`{"contract":` + written + `,"form":"yaml"}`:    contract.UnknownName,
		`{"contract":{"role":"x"}}`:                     strict.MissingKey,
		`{"text":"{:r :analyzer}","form":"edn"}`:        contract.Missing,
		`{"text":"{:r :analyzer}","form":"plain"}`:      contract.Unreadable,
		`{"txt":"x"}`:                                   strict.UnknownKey,
		`{"text":"{:r :analyzer","text":"x"}`:           strict.DuplicateKey,
		`{"text":"\ud800"}`:                             strict.Syntax,
		`{"text":` + strings.Repeat("[", 100_000) + `}`: cento.LimitExceeded,
		`{"contract":` + strings.Replace(written, "proposer", "poser", 1) + `}`: contract.UnknownName,
	} {
		if _, err := answerOf(t, request); !errors.Is(err, code) {
			t.Errorf("%.80s: %v", request, err)
		}
	}
}
