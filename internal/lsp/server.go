package lsp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/cento-dev/cento/internal/app"
)

// CollectAt is by how many percent the memory of a process that is a server of an editor
// grows before the garbage in it is collected. Every keystroke makes a project anew and
// throws the last one away: with the usual 100 a third of the time would go into that.
const CollectAt = 400

// Options say what a server has beside its connection.
type Options struct {
	// Request says how projects are read, but for the folder: the user's folders, the
	// clock, and where listings of tool servers are kept.
	Request func() (app.Request, error)
	// Version is that of the program.
	Version string
}

// Serve answers an editor until it says that it is done, the input ends or the context
// does. It reports whether the editor ended as the protocol wants it: with shutdown,
// then exit. A read that is waiting for the editor can't be called off, and is left
// behind.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) (orderly bool, err error) {
	life, cancel := context.WithCancel(ctx)
	s := &server{
		conn: conn{in: bufio.NewReader(in), out: out}, options: o, life: life,
		texts: map[string]*document{}, followed: map[string]*followed{}, asked: map[jsonrpc2.ID]context.CancelFunc{},
		places: make(chan struct{}, maxAtOnce),
	}
	ended := make(chan error, 1)
	go func() { ended <- s.listen() }()
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case err = <-ended:
	}
	cancel()
	s.running.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return err == nil && s.stage == shutDown, err
}

// maxAtOnce is how many requests are answered at the same time; further ones wait.
const maxAtOnce = 16

// stage is how far a conversation is.
type stage int

const (
	silent   stage = iota // nothing was said
	speaking              // from initialize on
	shutDown              // from shutdown on
)

// server is one conversation with an editor.
type server struct {
	conn
	options Options
	life    context.Context // of the conversation
	running sync.WaitGroup  // requests and looks
	places  chan struct{}

	// What follows is set by initialize, before anything else is answered.
	utf8      bool
	folders   []string // that the editor has open, absolute and without links
	plain     bool     // it shows hover texts without Markdown
	versioned bool     // it takes edits for a version of a text

	mu       sync.Mutex
	stage    stage
	asked    map[jsonrpc2.ID]context.CancelFunc // requests that are being answered
	texts    map[string]*document               // that are open, by path
	changes  uint64                             // of texts and files so far
	followed map[string]*followed               // projects, by folder
}

// asking is a kind of request: it is looked at in the order of messages, under the
// server's lock, and answered by the function that this gives, beside others.
type asking func(s *server, params []byte) (func(context.Context) (any, error), error)

// askings are the requests that are answered between initialize and shutdown.
var askings = map[string]asking{
	protocol.MethodTextDocumentCodeAction:    (*server).codeAction,
	protocol.MethodTextDocumentCompletion:    (*server).completion,
	protocol.MethodTextDocumentHover:         (*server).hover,
	protocol.MethodTextDocumentDefinition:    (*server).definition,
	protocol.MethodTextDocumentReferences:    (*server).references,
	protocol.MethodTextDocumentPrepareRename: (*server).prepareRename,
	protocol.MethodTextDocumentRename:        (*server).rename,
}

// tellings are the messages that want no answer.
var tellings = map[string]func(s *server, params []byte) error{
	protocol.MethodTextDocumentDidOpen:            (*server).didOpen,
	protocol.MethodTextDocumentDidChange:          (*server).didChange,
	protocol.MethodTextDocumentDidSave:            (*server).didSave,
	protocol.MethodTextDocumentDidClose:           (*server).didClose,
	protocol.MethodWorkspaceDidChangeWatchedFiles: (*server).didChangeFiles,
}

// listen takes messages one after the other, until exit or the end of the input.
func (s *server) listen() error {
	for {
		body, err := s.read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the connection with the editor: %w", err)
		}
		m, err := jsonrpc2.DecodeMessage(body)
		if err != nil {
			// Whose it is can't be told.
			err = s.answer(jsonrpc2.ID{}, nil, jsonrpc2.NewError(jsonrpc2.ParseError, fmt.Sprintf("the message can't be read: %v", err)))
		} else {
			switch m := m.(type) {
			case *jsonrpc2.Call:
				err = s.call(m)
			case *jsonrpc2.Notification:
				if m.Method() == protocol.MethodExit {
					return nil
				}
				if failed := s.guarded(func() error { return s.tell(m.Method(), m.Params()) }); failed != nil {
					s.log(protocol.MessageTypeWarning, fmt.Sprintf("%.100s: %v", m.Method(), failed))
				}
			}
		}
		if err != nil {
			return fmt.Errorf("the connection with the editor: %w", err)
		}
	}
}

// guarded has a mistake of ours end one message, and not the conversation.
func (s *server) guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log(protocol.MessageTypeError, fmt.Sprintf("this is a mistake in cento, please report it: %v\n%s", p, debug.Stack()))
			err = jsonrpc2.NewError(jsonrpc2.InternalError, "this is a mistake in cento, please report it")
		}
	}()
	return do()
}

// tell takes a message that wants no answer. One that isn't known may be dropped.
func (s *server) tell(method string, data []byte) error {
	if method == protocol.MethodCancelRequest {
		return s.cancel(data)
	}
	take := tellings[method]
	if take == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stage != speaking {
		return errors.New("said before initialize or after shutdown")
	}
	return take(s, data)
}

// cancel ends a request that is being answered, if it still is.
func (s *server) cancel(data []byte) error {
	p, err := params[protocol.CancelParams](data)
	if err != nil {
		return err
	}
	var id jsonrpc2.ID
	switch of := p.ID.(type) {
	case protocol.Integer:
		id = jsonrpc2.NewNumberID(int64(of))
	case protocol.String:
		id = jsonrpc2.NewStringID(string(of))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.asked[id]; stop != nil {
		stop()
	}
	return nil
}

// call answers a request: at once, or beside what comes next. Its error is that of the
// connection.
func (s *server) call(m *jsonrpc2.Call) error {
	var later func(context.Context) (any, error)
	var v any
	err := s.guarded(func() (err error) {
		v, later, err = s.look(m.Method(), m.Params())
		return err
	})
	if err != nil || later == nil {
		return s.answer(m.ID(), v, err)
	}
	ctx, stop := context.WithCancel(s.life)
	id := m.ID()
	s.mu.Lock()
	twice := s.asked[id] != nil
	if !twice {
		s.asked[id] = stop
	}
	s.mu.Unlock()
	if twice {
		stop()
		return s.answer(id, nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "a request with this id is being answered"))
	}
	s.running.Go(func() {
		var v any
		err := s.guarded(func() (err error) {
			select {
			case s.places <- struct{}{}:
				defer func() { <-s.places }()
				v, err = later(ctx)
			case <-ctx.Done():
			}
			return err
		})
		if ctx.Err() != nil {
			err = protocol.ErrRequestCancelled
		}
		s.mu.Lock()
		delete(s.asked, id)
		s.mu.Unlock()
		stop()
		_ = s.answer(id, v, err) // a connection that is gone is told by its reading end
	})
	return nil
}

// look takes a request in its turn. It gives the answer, or what makes it.
func (s *server) look(method string, data []byte) (any, func(context.Context) (any, error), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case method == protocol.MethodInitialize && s.stage == silent:
		v, err := s.initialize(data)
		return v, nil, err
	case s.stage == silent:
		return nil, nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "initialize comes first")
	case method == protocol.MethodInitialize || s.stage == shutDown:
		return nil, nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is initialized once, and answers nothing after shutdown")
	case method == protocol.MethodShutdown:
		s.stage = shutDown
		return nil, nil, nil
	}
	take := askings[method]
	if take == nil {
		return nil, nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, fmt.Sprintf("there is no %.100s here", method))
	}
	later, err := take(s, data)
	return nil, later, err
}

// params reads the parameters of a request.
func params[T any](data []byte) (*T, error) {
	v := new(T)
	if err := protocol.Unmarshal(data, v); err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("the parameters can't be read: %v", err))
	}
	return v, nil
}

// initialize agrees with the editor on what both can do.
func (s *server) initialize(data []byte) (any, error) {
	p, err := params[protocol.InitializeParams](data)
	if err != nil {
		return nil, err
	}
	if general := p.Capabilities.General; general != nil {
		s.utf8 = slices.Contains(general.PositionEncodings, protocol.PositionEncodingKindUTF8)
	}
	if of := p.Capabilities.TextDocument; of != nil && of.Hover != nil && of.Hover.ContentFormat != nil {
		s.plain = !slices.Contains(of.Hover.ContentFormat, protocol.MarkupKindMarkdown)
	}
	if of := p.Capabilities.Workspace; of != nil && of.WorkspaceEdit != nil && of.WorkspaceEdit.DocumentChanges != nil {
		s.versioned = *of.WorkspaceEdit.DocumentChanges
	}
	var actions protocol.CodeActionProvider
	if of := p.Capabilities.TextDocument; of != nil && of.CodeAction != nil && of.CodeAction.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil {
		actions = &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, fixAll}}
	}
	s.folders = openFolders(p)
	s.stage = speaking
	encoding := protocol.PositionEncodingKindUTF16
	if s.utf8 {
		encoding = protocol.PositionEncodingKindUTF8
	}
	yes, incremental := true, protocol.TextDocumentSyncKindIncremental
	return &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: encoding,
			TextDocumentSync: &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &incremental, Save: protocol.Boolean(true)},
			HoverProvider:    protocol.Boolean(true), DefinitionProvider: protocol.Boolean(true), ReferencesProvider: protocol.Boolean(true),
			RenameProvider:     &protocol.RenameOptions{PrepareProvider: &yes},
			CodeActionProvider: actions,
			CompletionProvider: &protocol.CompletionOptions{
				TriggerCharacters: []string{"$", "/", "'", "\"", ".", "[", " "},
			},
		},
		ServerInfo: protocol.ServerInfo{Name: "cento", Version: protocol.NewOptional(s.options.Version)},
	}, nil
}

// log tells the editor's log of something that there is no answer for.
func (s *server) log(kind protocol.MessageType, text string) {
	const most = 4096
	_ = s.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: text[:min(len(text), most)]})
}
