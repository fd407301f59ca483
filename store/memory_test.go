package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// What a cache gives is what was put last, and it never holds more than it may.
func TestCacheIsBounded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := cache[int, int]{most: rapid.IntRange(1, 40).Draw(rt, "most")}
		last := map[int]int{}
		for i := range rapid.IntRange(0, 300).Draw(rt, "steps") {
			k := rapid.IntRange(0, 30).Draw(rt, "key")
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				c.drop(k)
				delete(last, k)
			case 1:
				size := rapid.IntRange(1, 50).Draw(rt, "size")
				c.putSized(k, i, size)
				last[k] = i
				if _, ok := c.get(k); ok != (size <= c.most) {
					rt.Fatalf("%d of size %d: held %t", k, size, ok)
				}
			default:
				if v, ok := c.get(k); ok && v != last[k] {
					rt.Fatalf("%d: %d, and not %d", k, v, last[k])
				}
			}
			held := 0
			for at, s := range c.slots {
				held += s.size
				if c.at[s.key] != at {
					rt.Fatalf("%d stands at %d, and not at %d", s.key, at, c.at[s.key])
				}
			}
			if held != c.held || held > c.most || len(c.at) != len(c.slots) {
				rt.Fatalf("%d of at most %d held, counted as %d; %d of %d slots", held, c.most, c.held, len(c.at), len(c.slots))
			}
		}
	})
}

// What is used stays when very much comes that isn't, and what is full doesn't grow.
func TestCacheKeepsWhatIsUsed(t *testing.T) {
	c := cache[int, int]{most: 100}
	const used = 50
	for i := range used {
		c.put(-1-i, i)
	}
	room := 0
	for i := range 100_000 {
		c.put(i, i)
		if v, ok := c.get(-1 - i%used); !ok || v != i%used {
			t.Fatalf("what was used is forgotten after %d others", i)
		}
		if i == 1000 {
			room = cap(c.slots)
		}
	}
	if len(c.slots) != 100 || cap(c.slots) != room {
		t.Errorf("%d held in room for %d, which was %d", len(c.slots), cap(c.slots), room)
	}
}

// What is put again is used by that, as what is asked for is.
func TestCacheKeepsWhatIsPutAgain(t *testing.T) {
	c := cache[int, int]{most: 100}
	const again = 50
	for i := range 10_000 {
		c.put(i, i)
		c.put(-1-i%again, i)
		if i >= again && len(c.at) > 0 {
			if _, ok := c.at[-1-(i+1)%again]; !ok {
				t.Fatalf("what is put again and again is forgotten after %d others", i)
			}
		}
	}
}

// A session that was deleted leaves nothing with the writer, and those that are there
// take no more than a number of bytes, whatever they are made of.
func TestWriterLetsGo(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		turn := func(id string, text string) {
			t.Helper()
			if _, err := s.Append(t.Context(), id, draft(t, "", "a: Shared.", "b: "+text)); err != nil {
				t.Fatal(err)
			}
		}
		turn("stays", "First.")
		for i := range 5 {
			id := fmt.Sprint("s", i)
			for n := range 3 {
				turn(id, fmt.Sprint(id, n))
			}
			if _, err := s.Delete(t.Context(), id, DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for range 1000 { // until the writer was told
			if turn("stays", "First."); len(s.left.told) == 0 {
				break
			}
		}
		turn("stays", "First.")
		if n, of := len(s.writer.sessions.slots), len(s.writer.made.slots); n != 1 || of != 1 || s.left.take() != nil {
			t.Errorf("of one session the writer remembers what %d have, and %d that were made", n, of)
		}
	})
}

// What records are made of is bounded by bytes: few large ones take what many small
// ones do.
func TestWriterIsBoundedByBytes(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	ids := make([]string, 4000)
	for i := range ids {
		ids[i] = fmt.Sprintf("a%d-%0200d", i, i)
	}
	var fragments []string
	for _, id := range ids {
		fragments = append(fragments, id+": Shared.")
	}
	for i := range 8 {
		if _, err := s.Append(t.Context(), fmt.Sprint("s", i), draft(t, "", append(fragments, fmt.Sprint("z: ", i))...)); err != nil {
			t.Fatal(err)
		}
		held, counted := 0, s.writer.sessions.held
		for _, x := range s.writer.sessions.slots {
			held += len(x.value.list.content) + len(x.value.input.content)
		}
		if held > mostRecents || counted < held {
			t.Fatalf("%d bytes are remembered, counted as %d, of at most %d", held, counted, mostRecents)
		}
	}
	if n := len(s.writer.sessions.slots); n == 0 || n == 8 {
		t.Errorf("%d of 8 large ones are remembered", n)
	}
}

// rowCounter counts the rows that a store reads.
type rowCounter struct {
	driver.Connector
	n *int
}

func (c rowCounter) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return countedConn{conn.(contextConn), c.n}, nil
}

type countedConn struct {
	contextConn
	n *int
}

func (c countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.contextConn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return countedRows{rows, c.n}, nil
}

type countedRows struct {
	driver.Rows
	n *int
}

func (r countedRows) Next(to []driver.Value) error {
	err := r.Rows.Next(to)
	if err == nil {
		*r.n++
	}
	return err
}

// A text that very many fragments have, each with another name, as a reminder has that is
// injected again and again, is no dearer to record than one that few have.
func TestCommonTextCostsTheSame(t *testing.T) {
	rows := 0
	s := open(t, sqlitePlace(t), Options{Clock: clock(), wrap: func(c driver.Connector) driver.Connector { return rowCounter{c, &rows} }})
	few := 0
	for i := range 60 {
		rows = 0
		if _, err := s.Append(t.Context(), "s", draft(t, "", fmt.Sprintf("r%02d: Tests are red.", i))); err != nil {
			t.Fatal(err)
		}
		switch i {
		case 5:
			few = rows
		case 59:
			if rows > few || few == 0 {
				t.Errorf("the record reads %d rows, the sixth one %d", rows, few)
			}
		}
	}
	if found, err := s.Search(t.Context(), SearchQuery{Text: "red"}); err != nil || len(found.Matches) == 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
