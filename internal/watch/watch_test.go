package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/internal/treetest"
)

func TestMain(m *testing.M) {
	treetest.InMemory()
	goleak.VerifyTestMain(m)
}

// names are those that the tests write and read: files, folders, and what lies in them.
var names = []string{"a", "b", "d", "d/a", "d/e", "d/e/a", "x", "x/y/z", "link"}

// collect reads a folder as those do who collect a project: some files, the names of a
// folder, places where something may be. Its result is all that it saw.
func collect(d disk.Disk, dir string) string {
	var b strings.Builder
	say := func(what string, v any, err error) {
		if err != nil {
			v = "no: " + strings.ReplaceAll(err.Error(), dir, "")
		}
		fmt.Fprintf(&b, "%s %v\n", what, v)
	}
	t, err := tree.OpenOn(d, dir, tree.Options{})
	say("open", "", err)
	if err != nil {
		return b.String()
	}
	defer t.Close()
	for _, name := range []string{"a", "b", "d/e/a", "x/y/z", "link"} {
		f, err := t.Read(name)
		if err == nil {
			say("read "+name, f.Text, nil)
		} else {
			say("read "+name, nil, err)
		}
	}
	list, err := t.ReadDir("d", 100)
	say("list", list, err)
	real, err := t.Real("link")
	say("real", real, err)
	_, err = d.Lstat(filepath.Join(dir, "x"))
	say("lstat", err == nil, nil)
	far, err := d.Real(filepath.Join(dir, "far"))
	say("far", far, err)
	return b.String()
}

// change does one of the things that people and programs do to files.
func change(t *rapid.T, dir string) {
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	name := rapid.SampledFrom(names).Draw(t, "name")
	other := rapid.SampledFrom(names).Draw(t, "other")
	text := rapid.SampledFrom([]string{"one\n", "two\n", "longer\n", ""}).Draw(t, "text")
	switch rapid.SampledFrom([]string{"write", "save", "folder", "remove", "rename", "link", "far", "set back"}).Draw(t, "what") {
	case "write":
		_ = os.WriteFile(at(name), []byte(text), 0o600)
	case "save": // as editors do
		if os.WriteFile(at(name)+"~", []byte(text), 0o600) == nil && os.Rename(at(name)+"~", at(name)) != nil {
			_ = os.Remove(at(name) + "~")
		}
	case "folder":
		_ = os.MkdirAll(at(name), 0o700)
	case "remove":
		_ = os.RemoveAll(at(name))
	case "rename":
		_ = os.Rename(at(name), at(other))
	case "link":
		_ = os.Remove(at("link"))
		_ = os.Symlink(rapid.SampledFrom([]string{"a", "d/a", "nothing", "../out", "link", dir + "/a"}).Draw(t, "target"), at("link"))
	case "far":
		_ = os.Remove(at("far"))
		_ = os.Symlink(rapid.SampledFrom([]string{"../out", "../nowhere", dir + "/d"}).Draw(t, "target"), at("far"))
	case "set back":
		if info, err := os.Stat(at(name)); err == nil && info.Mode().IsRegular() {
			_ = os.WriteFile(at(name), []byte(text), 0o600)
			_ = os.Chtimes(at(name), info.ModTime(), info.ModTime())
		}
	}
}

// makeFolder makes a folder to watch, with another beside it.
func makeFolder(t interface {
	Fatal(...any)
	Cleanup(func())
}) string {
	top, err := os.MkdirTemp("", "cento-watch-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	if top, err = filepath.EvalSymlinks(top); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "project")
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "d"), 0o700), os.WriteFile(filepath.Join(top, "out"), nil, 0o600), os.WriteFile(filepath.Join(dir, "a"), []byte("one\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestNothingChangedIsSo: where a reading says that nothing changed, reading again gives
// the same, whatever happened to the files.
func TestNothingChangedIsSo(t *testing.T) {
	told := 0
	rapid.Check(t, func(t *rapid.T) {
		dir := makeFolder(t)
		for range rapid.IntRange(0, 6).Draw(t, "before") {
			change(t, dir)
		}
		var r Reading
		was := collect(r.On(disk.Disk{}), dir)
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			change(t, dir)
		}
		changed := r.Changed()
		if is := collect(disk.Disk{}, dir); changed == nil && is != was {
			t.Fatalf("nothing changed, and yet\n%s\nis\n%s", was, is)
		}
		if changed != nil {
			told++
		}
	})
	if told == 0 {
		t.Error("nothing ever changed: the test changes nothing")
	}
}

// TestWatchingIsReadingAnew: after any changes, whoever reads again as often as a watcher
// says has what a reading from scratch gives. Where the watcher would miss one, it waits
// for ever, and the test with it.
func TestWatchingIsReadingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir := makeFolder(t)
		w := New(Options{Settle: time.Millisecond, Sweep: time.Hour, Tell: func(err error) { t.Fatal(err) }})
		defer w.Close()
		var r *Reading
		var has string
		read := func() {
			r = &Reading{}
			has = collect(r.On(disk.Disk{}), dir)
			w.Follow(r)
		}
		read()
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(1, 5).Draw(t, "changes") {
				change(t, dir)
			}
			if rapid.Bool().Draw(t, "all gone") {
				os.RemoveAll(dir)
				if rapid.Bool().Draw(t, "and back") {
					_ = os.MkdirAll(filepath.Join(dir, "d"), 0o700)
				}
			}
			for is := collect(disk.Disk{}, dir); has != is; is = collect(disk.Disk{}, dir) {
				if _, err := w.Next(context.Background()); err != nil {
					t.Fatal(err)
				}
				read()
			}
			// What comes while it waits is told as well.
			waiting := make(chan error, 1)
			go func() { _, err := w.Next(context.Background()); waiting <- err }()
			_ = os.RemoveAll(filepath.Join(dir, "b"))
			_ = os.MkdirAll(dir, 0o700)
			if err := os.WriteFile(filepath.Join(dir, "b"), []byte(rapid.StringMatching(`[a-z]{20}`).Draw(t, "last")), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := <-waiting; err != nil {
				t.Fatal(err)
			}
			read()
		}
	})
}

// system is one that tests speak for.
type system struct {
	events  chan fsnotify.Event
	errors  chan error
	folders []string
	full    int // how many folders it takes; 0: all
	asked   func(dir string)
}

func (s *system) notifier() notifier {
	return notifier{
		events: s.events, errors: s.errors, close: func() error { return nil },
		add: func(dir string) error {
			if s.full > 0 && len(s.folders) == s.full {
				return syscall.ENOSPC
			}
			s.folders = append(s.folders, dir)
			if s.asked != nil {
				s.asked(dir)
			}
			return nil
		},
		remove: func(dir string) error {
			s.folders = slices.DeleteFunc(s.folders, func(x string) bool { return x == dir })
			return nil
		},
	}
}

// next is what a watcher says, as it comes.
func next(t *testing.T, w *Watcher) chan []Change {
	out := make(chan []Change, 1)
	go func() {
		c, _ := w.Next(t.Context())
		out <- c
	}()
	return out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestChangesSettle: a change counts when nothing more has happened for a while, or after
// ten times that.
func TestChangesSettle(t *testing.T) {
	dir := makeFolder(t)
	synctest.Test(t, func(t *testing.T) {
		s := &system{events: make(chan fsnotify.Event), errors: make(chan error)}
		w := newWatcher(Options{Sweep: time.Hour}, s.notifier())
		var r Reading
		collect(r.On(disk.Disk{}), dir)
		w.Follow(&r)
		out := next(t, w)
		synctest.Wait()
		begin := time.Now()
		a := filepath.Join(dir, "a")
		told := fsnotify.Event{Name: a, Op: fsnotify.Write}
		s.events <- fsnotify.Event{Name: filepath.Join(dir, "unread"), Op: fsnotify.Create} // the names of this folder don't count
		write(t, a, "another\n")
		for range 3 {
			s.events <- told
			time.Sleep(40 * time.Millisecond)
		}
		got := <-out
		if d := time.Since(begin); d != 130*time.Millisecond || len(got) != 1 || got[0].Reading != &r || !reflect.DeepEqual(got[0].Paths, []string{a}) {
			t.Errorf("after %v: %+v", d, got)
		}

		var again Reading
		collect(again.On(disk.Disk{}), dir)
		w.Follow(&again)
		out, begin = next(t, w), time.Now()
		write(t, a, "and once more\n")
		for len(out) == 0 {
			s.events <- told
			time.Sleep(20 * time.Millisecond)
			synctest.Wait()
		}
		if d := time.Since(begin); d > 520*time.Millisecond {
			t.Errorf("what never settles counts after %v", d)
		}
	})
}

// TestFileThatIsRestored: what is as before when it has settled is no change.
func TestFileThatIsRestored(t *testing.T) {
	dir := makeFolder(t)
	synctest.Test(t, func(t *testing.T) {
		s := &system{events: make(chan fsnotify.Event), errors: make(chan error)}
		w := newWatcher(Options{Sweep: time.Hour}, s.notifier())
		var r Reading
		collect(r.On(disk.Disk{}), dir)
		w.Follow(&r)
		out := next(t, w)
		synctest.Wait()
		b := filepath.Join(dir, "b")
		write(t, b, "")
		s.events <- fsnotify.Event{Name: b, Op: fsnotify.Create}
		synctest.Wait()
		if err := os.Remove(b); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if len(out) > 0 {
			t.Errorf("%+v", <-out)
		}
		write(t, b, "")
		s.errors <- fsnotify.ErrEventOverflow // it lost count: look
		if got := <-out; len(got) != 1 {
			t.Errorf("%+v", got)
		}
	})
}

// TestWithoutTheSystem: where the system tells nothing, or not of all, everything is
// looked at every second, and who asked is told why, once.
func TestWithoutTheSystem(t *testing.T) {
	for name, s := range map[string]*system{"nothing": nil, "not of all": {full: 1}} {
		t.Run(name, func(t *testing.T) {
			dir := makeFolder(t)
			synctest.Test(t, func(t *testing.T) {
				system := notifier{failed: syscall.EMFILE}
				if s != nil {
					system = s.notifier()
				}
				var why []error
				w := newWatcher(Options{Tell: func(err error) { why = append(why, err) }}, system)
				for range 3 {
					var r Reading
					collect(r.On(disk.Disk{}), dir)
					w.Follow(&r)
					out := next(t, w)
					synctest.Wait()
					begin := time.Now()
					write(t, filepath.Join(dir, "a"), begin.String())
					_ = os.Remove(filepath.Join(dir, "a"))
					if got := <-out; len(got) != 1 || time.Since(begin) != 1050*time.Millisecond {
						t.Errorf("after %v: %+v", time.Since(begin), got)
					}
					write(t, filepath.Join(dir, "a"), "back")
				}
				if len(why) != 1 {
					t.Errorf("told %v", why)
				}
			})
		})
	}
}

// TestNoFurtherThanTheRoot: the folder that a link leads to outside of a root isn't
// watched, and what isn't followed any longer isn't either.
func TestNoFurtherThanTheRoot(t *testing.T) {
	dir := makeFolder(t)
	outside := filepath.Join(filepath.Dir(dir), "outside")
	if err := errors.Join(os.Mkdir(outside, 0o700), os.Symlink("../outside", filepath.Join(dir, "x")), os.Symlink(outside, filepath.Join(dir, "d", "e"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "d"} { // else they are too young to be trusted
		if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	s := &system{}
	w := newWatcher(Options{}, s.notifier())
	var r Reading
	collect(r.On(disk.Disk{}), dir)
	w.Follow(&r)
	if got := w.compare(); got != nil {
		t.Errorf("%+v", got)
	}
	slices.Sort(s.folders)
	if want := []string{filepath.Dir(dir), dir, filepath.Join(dir, "d")}; !reflect.DeepEqual(s.folders, want) {
		t.Errorf("watched are %v, want %v", s.folders, want)
	}
	w.Leave(&r)
	w.compare()
	if len(s.folders) > 0 {
		t.Errorf("still watched: %v", s.folders)
	}
}

// TestHolds: a file that was read is known by every path that leads to it.
func TestHolds(t *testing.T) {
	dir := makeFolder(t)
	if err := os.Symlink("a", filepath.Join(dir, "alias")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "d", "a"), "listed, and not read")
	var r Reading
	collect(r.On(disk.Disk{}), dir)
	for name, want := range map[string]bool{"a": true, "alias": true, "d/a": false, "d": false, "nothing": false} {
		if got := r.Holds(filepath.Join(dir, filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if r.Len() == 0 {
		t.Error("nothing was asked")
	}
}

// TestNothingIsMissedWhileFoldersAreAdded: what changes until the system tells of a folder
// is seen, and so is a folder that came in the meantime.
func TestNothingIsMissedWhileFoldersAreAdded(t *testing.T) {
	dir := makeFolder(t)
	deep := filepath.Join(dir, "x", "y")
	s := &system{}
	s.asked = func(string) {
		if s.asked = nil; errors.Join(os.MkdirAll(deep, 0o700), os.WriteFile(filepath.Join(deep, "z"), nil, 0o600)) != nil {
			t.Error("the folder can't be made")
		}
	}
	var r Reading
	tr, err := tree.OpenOn(r.On(disk.Disk{}), dir, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if _, err := tr.Read("x/y/z"); err == nil {
		t.Fatal("the file is there")
	}
	w := newWatcher(Options{}, s.notifier())
	w.Follow(&r)
	got := w.compare()
	if len(got) != 1 || !reflect.DeepEqual(got[0].Paths, []string{filepath.Join(deep, "z")}) || !slices.Contains(s.folders, deep) {
		t.Errorf("%+v; watched are %v", got, s.folders)
	}
}

// TestSameTimeIsNotTheSameFile: a file whose time was set back is another one, and so may
// one be that was written just before it was looked at.
func TestSameTimeIsNotTheSameFile(t *testing.T) {
	dir := makeFolder(t)
	a, old := filepath.Join(dir, "a"), time.Now().Add(-time.Hour)
	if err := os.Chtimes(a, old, old); err != nil {
		t.Fatal(err)
	}
	var r Reading
	if _, err := tree.ReadPathOn(r.On(disk.Disk{}), a, tree.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := r.Changed(); got != nil {
		t.Errorf("nothing changed, and yet %v", got)
	}
	write(t, a, "two\n")
	if err := os.Chtimes(a, old, old); err != nil {
		t.Fatal(err)
	}
	if got := r.Changed(); runtime.GOOS == "linux" && !reflect.DeepEqual(got, []string{a}) {
		t.Errorf("changed: %v", got)
	}
	info, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]bool{time.Millisecond: true, -time.Millisecond: true, time.Minute: false, -time.Minute: false} {
		s := sight{read: true, state: state{real: a, info: info, taken: old.Add(after)}}
		r := Reading{seen: map[place]*sight{{path: a}: &s, {path: filepath.Join(dir, "nothing")}: {state: state{real: filepath.Join(dir, "nothing"), fault: "no such file or directory"}}}}
		if got := r.Changed() != nil; got != want {
			t.Errorf("looked at %v after it was written: %v", after, got)
		}
		write(t, filepath.Join(dir, "nothing"), "")
		if got := r.Changed(); !reflect.DeepEqual(got, []string{filepath.Join(dir, "nothing")}) {
			t.Errorf("beside what is certain: %v", got)
		}
		if err := os.Remove(filepath.Join(dir, "nothing")); err != nil {
			t.Fatal(err)
		}
	}
}
