package call

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"sync"
)

// answers are those that a stream gave, as they were encoded, to requests that ask nobody:
// who asks the same gets the same, as a host does whose fragments and tools stay from one
// turn to the next. Once there are too many they are made anew. The zero value is usable,
// by several goroutines at once.
type answers struct {
	mu    sync.Mutex
	kept  map[question]encoded
	bytes int // of questions and answers
}

// mostAnswers bounds what is kept, in bytes.
const mostAnswers = 8 << 20

// question is what was asked, word for word.
type question struct{ op, request string }

// encoded is an answer in JSON, on a line.
type encoded []byte

func (e encoded) MarshalJSON() ([]byte, error) { return e, nil }

// answer is [Answer], out of memory where it can be.
func (k *answers) answer(ctx context.Context, op string, request []byte, o Options) (any, error) {
	if a := k.find(op, request); a != nil {
		return a, nil
	}
	x, err := operationOf(op)
	if err != nil {
		return nil, err
	}
	result, err := x.answer(ctx, request, o)
	if err != nil || !x.pure {
		return result, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(result); err != nil {
		return nil, err
	}
	if most := cmp.Or(o.most, MostAnswer); b.Len() > most {
		return nil, TooLong(most, Less(op))
	}
	a := encoded(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	k.keep(question{op, string(request)}, a)
	return a, nil
}

func (k *answers) find(op string, request []byte) encoded {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept[question{op, string(request)}]
}

// keep keeps an answer, unless it alone takes too much.
func (k *answers) keep(q question, a encoded) {
	size := len(q.op) + len(q.request) + cap(a)
	if size > mostAnswers/4 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bytes += size; k.kept == nil || k.bytes > mostAnswers {
		k.kept, k.bytes = map[question]encoded{}, size
	}
	k.kept[q] = a
}
