package serve

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/nearest"
)

func itoa(n int) string { return strconv.Itoa(n) }

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// queryOf reads the parameters of an address. Nothing that is wrong with them is passed
// over.
func queryOf(r *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, refused(http.StatusBadRequest, "syntax", "the parameters of the address can't be read: "+err.Error(), "behind a % stand two digits, 0 to 9 and a to f: a % itself is %25, as in budget=20%25, and a ; is %3B")
	}
	return q, nil
}

// secrets are names under which a token may be sent in an address, where none belongs.
var secrets = []string{"token", "access_token", "api_key", "key", "auth"}

func unknownParam(name string, known []string) error {
	hint := "it takes none"
	if near := app.NearestName(name, known); near != "" {
		hint = meant(near)
	} else if len(known) > 0 {
		hint = "known here: " + nearest.List(known)
	}
	if slices.Contains(secrets, name) {
		hint = "a token is sent as the header Authorization: Bearer TOKEN; one that stood in an address is in logs, so make another"
	}
	return refused(http.StatusBadRequest, "key.unknown", "the address has an unknown parameter "+asked(name, 40), hint)
}

// longestAsked is how much is told of a name, in bytes.
const longestAsked = 200

// asked quotes a name that a client sent, up to a bound of bytes.
func asked(name string, most int) string {
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return strconv.Quote(name)
}

// meant offers a name that is there.
func meant(near string) string { return "did you mean " + strconv.Quote(near) + "?" }

// What a parameter of a what-if is, where it isn't a text.
var (
	lists   = []string{"tools", "without_tools", "caps", "without_caps", "skills", "for"}
	truths  = []string{"strict", "tokens", "all_reasons", "partial", "merge", "fail_fast", "coverage", "mutate", "allow_none"}
	values  = []string{"vars"}
	numbers = []string{"coverage_min", "mutate_min"}
)

// requestOf is the request that the parameters of an address say, in the form that a
// body has: lists by repeated parameters, variables as JSON, a budget as a number, a part
// such as 20%, or JSON, and what is under `to` by `to.NAME`.
func requestOf(q url.Values) ([]byte, error) {
	out, to := map[string]any{}, map[string]any{}
	for _, name := range sortedKeys(q) {
		into, key := out, name
		if below, ok := strings.CutPrefix(name, "to."); ok {
			into, key = to, below
		}
		given := q[name]
		if slices.Contains(lists, key) {
			list := slices.DeleteFunc(slices.Clone(given), func(s string) bool { return s == "" }) // `tools=` is none
			into[key] = append([]string{}, list...)
			continue
		}
		if len(given) > 1 {
			return nil, refused(http.StatusBadRequest, "key.duplicate", "the parameter "+strconv.Quote(name)+" stands twice", "send it once")
		}
		switch text := given[0]; {
		case slices.Contains(truths, key) && (text == "true" || text == "false"):
			into[key] = text == "true"
		case slices.Contains(truths, key):
			return nil, refused(http.StatusBadRequest, "value.invalid", "the parameter "+name+" is neither true nor false", "")
		case slices.Contains(values, key):
			if !json.Valid([]byte(text)) {
				return nil, refused(http.StatusBadRequest, "value.invalid", "the parameter "+name+" isn't JSON", `as in vars={"style":"brief"}`)
			}
			into[key] = json.RawMessage(text)
		case slices.Contains(numbers, key) && json.Valid([]byte(text)):
			into[key] = json.RawMessage(text)
		case key == "budget" && json.Valid([]byte(text)):
			into[key] = json.RawMessage(text)
		case key == "budget":
			if _, err := app.ParseBudget(text); err != nil {
				return nil, refused(http.StatusBadRequest, "value.invalid", "the parameter "+name+" is neither a number of tokens nor a part", "as in budget=8000, or budget=20%25 for 20%")
			}
			into[key] = text
		case slices.Contains(secrets, key):
			return nil, unknownParam(key, nil)
		default:
			into[key] = text
		}
	}
	if len(to) > 0 {
		out["to"] = to
	}
	return json.Marshal(out)
}
