package call

import (
	"cmp"
	"fmt"

	"github.com/cento-dev/cento"
)

// MostAnswer is how many bytes of JSON an answer may have that somebody else has to pay
// for, at any door: twice the longest prompt.
const MostAnswer = 32 << 20

// AnswerTooLong: the answer would be longer than answers may be.
const AnswerTooLong cento.ErrorCode = "answer.too_long"

// TooLong is the error of an answer that would have more bytes than it may; less says how
// to ask for less, empty: by a shorter request.
func TooLong(most int, less string) error {
	return &cento.SourceError{
		Code: AnswerTooLong, Message: fmt.Sprintf("the answer would have more than %d bytes", most),
		Hint: cmp.Or(less, "hand less over in one request"),
	}
}

// less says how to ask an operation for less, where that isn't by a shorter request.
var less = map[string]string{
	"explain": "ask assemble for the prompt alone, and why for one of its texts",
	"scope":   "ask about fewer paths at once",
	"models":  "name a model as query",
	"diff":    "ask assemble for each of the prompts, and compare them",
	"check":   "ask about one target at a time",
}

// Less says how to ask an operation for less than its whole answer; empty: by a shorter
// request.
func Less(operation string) string { return less[operation] }
