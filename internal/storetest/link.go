package storetest

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// Link is the way to a PostgreSQL server, which a test can break: a proxy on the loopback
// interface.
type Link struct {
	// Place is where the store is, through the link.
	Place string

	listener net.Listener
	server   string
	mu       sync.Mutex
	changed  *sync.Cond
	state    linkState
	conns    map[net.Conn]bool
	running  sync.WaitGroup
}

type linkState uint8

const (
	whole linkState = iota
	held
	broken
)

// PostgresLink is [Postgres] through a link.
func PostgresLink(t testing.TB) *Link {
	t.Helper()
	u, err := url.Parse(Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	l := &Link{server: u.Host, conns: map[net.Conn]bool{}}
	l.changed = sync.NewCond(&l.mu)
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	u.Host = l.listener.Addr().String()
	l.Place = u.String()
	l.running.Go(l.accept)
	t.Cleanup(func() {
		if err := l.listener.Close(); err != nil {
			t.Error(err)
		}
		l.Cut()
		l.running.Wait()
	})
	return l
}

func (l *Link) accept() {
	for {
		from, err := l.listener.Accept()
		if err != nil {
			return // it was closed
		}
		to, err := net.Dial("tcp", l.server)
		if err != nil {
			_ = from.Close()
			continue
		}
		l.mu.Lock()
		up := l.state != broken
		if up {
			l.conns[from], l.conns[to] = true, true
		}
		l.mu.Unlock()
		if !up {
			_, _ = from.Close(), to.Close()
			continue
		}
		l.running.Go(func() { l.carry(from, to) })
		l.running.Go(func() { l.carry(to, from) })
	}
}

// carry takes bytes over until either end is gone.
func (l *Link) carry(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		l.mu.Lock()
		for l.state == held {
			l.changed.Wait()
		}
		l.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (l *Link) set(s linkState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = s
	if s == broken {
		for c := range l.conns {
			_ = c.Close() // it may be closed already
		}
		clear(l.conns)
	}
	l.changed.Broadcast()
}

// Hold lets connections be made and nothing pass, as a server that has stopped does.
func (l *Link) Hold() { l.set(held) }

// Cut ends all connections, and refuses others.
func (l *Link) Cut() { l.set(broken) }

// Heal lets connections be made again.
func (l *Link) Heal() { l.set(whole) }
