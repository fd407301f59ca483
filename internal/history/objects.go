package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// objects reads the objects of a repository by two git processes that stay: one tells kind and size, the
// other gives the bytes. A size is asked for before any bytes are.
type objects struct {
	using    sync.Mutex
	check    *batch
	contents *batch
	trees    map[string]folder
	sizes    map[string]int64
}

// maxObject bounds what is read of one object.
const maxObject = maxOutput

// object is what git says of an object.
type object struct {
	name string
	kind string
	size int64
}

// errMissing says that there is no such object here.
var errMissing = errors.New("missing")

// errAmbiguous says that several objects have names which begin so.
var errAmbiguous = errors.New("ambiguous")

// batch is a git process that answers one question after the other.
type batch struct {
	git   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	ended error
}

// newObjects makes the processes ready, which start when they are asked and end with the context.
func newObjects(ctx context.Context, v view, program string) *objects {
	make := func(mode string) *batch {
		git := exec.CommandContext(ctx, program, "--no-pager", "--git-dir="+v.gitDir, "--work-tree="+v.workTree, "cat-file", mode)
		git.Dir, git.Env, git.WaitDelay = v.workTree, v.environment(), time.Second
		return &batch{git: git}
	}
	return &objects{check: make("--batch-check"), contents: make("--batch"), trees: map[string]folder{}, sizes: map[string]int64{}}
}

// start starts the process.
func (b *batch) start() error {
	var err error
	if b.in, err = b.git.StdinPipe(); err != nil {
		return err
	}
	out, err := b.git.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.git.Start(); err != nil {
		return err
	}
	b.out = bufio.NewReaderSize(out, 64<<10)
	return nil
}

// close ends the process.
func (b *batch) close() {
	if b.out == nil {
		return // it never started
	}
	_ = b.in.Close() // it ends when nothing more is asked
	if b.ended != nil {
		_ = b.git.Process.Kill()
	}
	_ = b.git.Wait() // what it says of its end is of no answer
}

// ask puts a question and reads the line of its answer. A process that doesn't answer within [patience] is
// ended, and so is whatever is asked of it later.
func (b *batch) ask(question string, read func(header string) error) error {
	if b.ended == nil && b.out == nil {
		b.ended = b.start()
	}
	if b.ended != nil {
		return b.ended
	}
	timer := time.AfterFunc(patience, func() { _ = b.git.Process.Kill() })
	_, err := io.WriteString(b.in, question+"\n")
	var line string
	if err == nil {
		line, err = b.out.ReadString('\n')
	}
	if err == nil {
		err = read(strings.TrimSuffix(line, "\n"))
	}
	if !timer.Stop() {
		err = errTimedOut
	}
	if err != nil && !errors.Is(err, errMissing) && !errors.Is(err, errAmbiguous) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = &refusal{complaint: "git ended early"}
		}
		b.ended = err
		_ = b.git.Process.Kill()
	}
	return err
}

// parseObject reads `name kind size`, or what git says of a name that it can't answer for.
func parseObject(header string) (object, error) {
	words := strings.Split(header, " ")
	if len(words) == 3 {
		name, ok := parseHash([]byte(words[0]))
		size, err := strconv.ParseInt(words[2], 10, 64)
		if ok && err == nil && size >= 0 {
			return object{name, words[1], size}, nil
		}
	}
	switch words[len(words)-1] {
	case "missing":
		return object{}, errMissing
	case "ambiguous":
		return object{}, errAmbiguous
	}
	return object{}, fmt.Errorf("git answers %q", printable(header, maxDetail))
}

// look tells what a name stands for. The name holds no white space.
func (o *objects) look(name string) (found object, err error) {
	o.using.Lock()
	defer o.using.Unlock()
	return o.lookLocked(name)
}

func (o *objects) lookLocked(name string) (found object, err error) {
	err = o.check.ask(name, func(header string) error {
		found, err = parseObject(header)
		return err
	})
	return found, err
}

// read gives the bytes of an object of a kind, at most limit.
func (o *objects) read(name, kind string, limit int64) ([]byte, error) {
	o.using.Lock()
	defer o.using.Unlock()
	return o.readLocked(name, kind, limit)
}

func (o *objects) readLocked(name, kind string, limit int64) (text []byte, err error) {
	found, err := o.lookLocked(name)
	switch {
	case err != nil:
		return nil, err
	case found.kind != kind:
		return nil, fmt.Errorf("object %s is a %s where a %s has to be", name, printable(found.kind, maxDetail), kind)
	case found.size > limit:
		return nil, errTooMuch
	}
	err = o.contents.ask(name, func(header string) error {
		again, err := parseObject(header)
		if err != nil {
			return err
		}
		if again != found {
			return fmt.Errorf("git gives another object for %s", name)
		}
		text = make([]byte, found.size)
		if _, err := io.ReadFull(o.contents.out, text); err != nil {
			return err
		}
		_, err = o.contents.out.Discard(1) // the line feed behind it
		return err
	})
	return text, err
}

// size is the size of a blob, which is asked for once.
func (o *objects) size(name string) (int64, error) {
	o.using.Lock()
	defer o.using.Unlock()
	if size, ok := o.sizes[name]; ok {
		return size, nil
	}
	found, err := o.lookLocked(name)
	if err == nil {
		o.sizes[name] = found.size
	}
	return found.size, err
}

// folder is a tree of git, by the names in it.
type folder map[string]entry

// entry is one name in a tree.
type entry struct {
	mode   fs.FileMode // type bits alone
	link   bool        // a submodule: a folder whose files another repository has
	object string
}

// tree reads a tree, once.
func (o *objects) tree(name string) (folder, error) {
	o.using.Lock()
	defer o.using.Unlock()
	if known, ok := o.trees[name]; ok {
		return known, nil
	}
	text, err := o.readLocked(name, "tree", maxObject)
	if err != nil {
		return nil, err
	}
	f, err := parseTree(text, len(name)/2)
	if err == nil {
		o.trees[name] = f
	}
	return f, err
}

// parseTree reads the entries `mode name NUL object`. Names that no file of a work tree can have are left
// out, as git leaves them out of a checkout: a tree can be made by hand.
func parseTree(text []byte, hash int) (folder, error) {
	f := folder{}
	for len(text) > 0 {
		head, rest, ok := bytes.Cut(text, []byte{0})
		mode, name, two := strings.Cut(string(head), " ")
		if !ok || !two || len(rest) < hash {
			return nil, errors.New("a tree does not read")
		}
		e := entry{object: fmt.Sprintf("%x", rest[:hash])}
		text = rest[hash:]
		switch strings.TrimLeft(mode, "0") {
		case "40000":
			e.mode = fs.ModeDir
		case "120000":
			e.mode = fs.ModeSymlink
		case "160000":
			e.mode, e.link = fs.ModeDir, true
		case "100644", "100755", "100664":
		default:
			return nil, fmt.Errorf("a tree has the mode %q", printable(mode, maxDetail))
		}
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/") || strings.EqualFold(name, ".git") {
			continue
		}
		f[name] = e
	}
	return f, nil
}

// close ends the processes.
func (o *objects) close() {
	o.using.Lock()
	defer o.using.Unlock()
	o.check.close()
	o.contents.close()
	for _, b := range []*batch{o.check, o.contents} {
		b.out, b.ended = nil, ErrClosed
	}
}
