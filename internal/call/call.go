package call

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/nearest"
)

// UnknownOperation: a request asks for an operation that there isn't.
const UnknownOperation cento.ErrorCode = "operation.unknown"

// RequestName stands for the request in positions.
const RequestName = "<request>.json"

// Options are what the caller of an operation brings.
type Options struct {
	// Project says how the project on disk is read that a request names, but for what
	// the request of the operation says. Nil: no request can name one.
	Project func(name string) (app.Request, error)
	// Default is the project of requests that neither name nor bring one; empty: an
	// empty manifest.
	Default string
	// Home is the home folder of the caller, for patterns of a scope that start with `~/`;
	// empty when it isn't known.
	Home string
	// Stores are where the sessions are that requests use, which stay open from one
	// request to the next; nil: requests use none. Whoever made them closes them.
	Stores *app.Stores
	// Kept keeps the projects on disk that requests name collected; nil: each request
	// reads its own.
	Kept *Kept
	// most is how many bytes a line of answers may have, by tests; 0: [MostAnswer].
	most int
	// read is told when the files were read that an answer is made of; nil: nobody is.
	read *asOf
	// told has the notes of the answer; nil where the operation has none.
	told *told
	// Place is the project that every request is about, and none can say that it is
	// about another; nil: a request says what it is about.
	Place Place
	// Places are the projects that requests name, where the door has them at hand; nil:
	// Project says how they are read.
	Places func(name string) (Place, error)
	// Sealed: requests come from elsewhere. What comes with one sees nothing of this
	// machine, paths stay in the project, and a recorded input, which names the folders
	// and files of whoever made it, is named by the hash of its record.
	Sealed bool
	// Unwritten: the request was made for whoever asks, so that no place in it means
	// anything to them.
	Unwritten bool
	// OfProjects says in a clause where requests about a project on disk are answered;
	// empty: nowhere.
	OfProjects string
	// Record finds what the prompt of a record was made of, by the record's hash; nil:
	// there are no records here.
	Record func(ctx context.Context, hash string) (cento.Input, error)
}

// Place is a project that a door has at hand.
type Place interface {
	// Located is where it stands, and how it is read but for what a request says.
	Located() (app.Site, app.Request, error)
	// Open is the project as a request wants it read.
	Open(ctx context.Context, r app.Request) (*app.Project, error)
}

// An Operation answers requests of one kind.
type Operation struct {
	Name string
	// Short says in a line what it answers.
	Short string
	// Request is the type that a request is read into, Answers those that are
	// printed.
	Request reflect.Type
	Answers []reflect.Type
	answer  func(ctx context.Context, request []byte, o Options) (any, error)
	pure    bool // see [pure]
	noted   bool // see [noted]
}

// Operations are the same for every door, in the order of their names.
func Operations() []Operation { return operations() }

var operations = sync.OnceValue(func() []Operation {
	return []Operation{
		noted("ablate", "what each part of a prompt is worth: its tokens, and what goes and comes with it", manifest.ParseAblate, answerAblate, func(a *AblationAnswer) *[]cento.Note { return &a.Notes }),
		noted("assemble", "the prompt of a project, on disk or handed over", manifest.ParseAssemble, answerAssemble, func(a *Assembled) *[]cento.Note { return &a.Notes }),
		noted("budget", "what a budget of tokens leaves of a prompt, and in which order it takes", manifest.ParseBudget, answerBudget, func(a *Budgeted) *[]cento.Note { return &a.Notes }),
		noted("cache", "what a change costs in the prompt cache, and what it breaks", manifest.ParseCache, answerCache, func(a *Cached) *[]cento.Note { return &a.Notes }),
		operation("check", "what is doubtful about the prompts of a project", manifest.ParseCheck, answerCheck),
		pure("contract", "write a contract in a form, or read one", manifest.ParseContract, answerContract),
		noted("diff", "what is different between two prompts of a project", manifest.ParseDiff, answerDiff, func(a *Compared) *[]cento.Note { return &a.Notes }),
		noted("explain", "what is in the prompt of a project, and why", manifest.ParseExplain, answerExplain, func(a *cento.Explanation) *[]cento.Note { return &a.Notes }),
		noted("instructions", "which instruction files are loaded, by whose rules", manifest.ParseInstructions, answerInstructions, func(a *app.InstructionsReport) *[]cento.Note { return &a.Notes }),
		pure("layers", "the prompt of layers that are handed over, and what each does", manifest.ParseLayers, answerLayers),
		operation("models", "the language models that are known, with prices and prompt caches", manifest.ParseModels, answerModels),
		pure("reduce", "one prompt of fragments, and why each is in or out", manifest.ParseReduce, answerReduce),
		pure("reminders", "what operations make of the reminders of a session", manifest.ParseReminders, answerReminders),
		pure("render", "the text of a prompt file, and where each stretch came from", manifest.ParseRender, answerRender),
		operation("scope", "what is permitted at paths, and the rules that decide it", manifest.ParseScope, answerScope),
		sessionOperation(),
		pure("tokens", "how many tokens texts have", manifest.ParseTokens, answerTokens),
		noted("wire", "the prompt of a project as the request of a provider", manifest.ParseWire, answerWire, func(a *WireBody) *[]cento.Note { return &a.Notes }),
		noted("why", "where a text of a prompt comes from, or why it isn't there", manifest.ParseWhy, answerWhy, func(a *Why) *[]cento.Note { return &a.Notes }),
	}
})

// parser reads a request to an operation; name is the one in errors.
type parser[Request any] func(name string, data []byte, limits cento.Limits) (*Request, error)

// operation is a row of the table: the same types go through all of its parts.
func operation[Request, Answer any](
	name, short string,
	parse parser[Request],
	answer func(context.Context, *Request, Options) (*Answer, error),
) Operation {
	return Operation{
		Name: name, Short: short, Request: reflect.TypeFor[Request](), Answers: []reflect.Type{reflect.TypeFor[Answer]()},
		answer: func(ctx context.Context, data []byte, o Options) (any, error) {
			r, err := parse(RequestName, data, app.RequestLimits())
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			a, err := answer(ctx, r, o)
			if err != nil {
				return nil, err
			}
			return a, nil
		},
	}
}

// pure is an operation that asks nobody: its answer depends on the request alone.
func pure[Request, Answer any](
	name, short string,
	parse parser[Request],
	answer func(context.Context, *Request) (*Answer, error),
) Operation {
	x := operation(name, short, parse, func(ctx context.Context, r *Request, _ Options) (*Answer, error) { return answer(ctx, r) })
	x.pure = true
	return x
}

// Names lists the operations.
func Names() []string {
	operations := Operations()
	out := make([]string, len(operations))
	for i, o := range operations {
		out[i] = o.Name
	}
	return out
}

// Answer answers a JSON request to the operation of a name. An error about the
// request is a [*cento.SourceError] or [*cento.Errors] with its places.
func Answer(ctx context.Context, name string, request []byte, o Options) (any, error) {
	x, err := operationOf(name)
	if err != nil {
		return nil, err
	}
	return x.answer(ctx, request, o)
}

// operationOf is the operation of a name.
func operationOf(name string) (*Operation, error) {
	all := Operations()
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
	}
	return nil, &cento.SourceError{
		Code: UnknownOperation, Message: fmt.Sprintf("there is no operation %q", name),
		Hint: nearest.Hint(name, Names(), "the operations are "+strings.Join(Names(), ", ")),
	}
}
