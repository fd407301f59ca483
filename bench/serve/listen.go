package main

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"sync"
	"time"
)

// listeners is how many clients listen to the events of one session.
const listeners = 200

// listen is how long it takes until all who listen have been told of a turn.
func (o *options) listen() error {
	s, err := o.service()
	if err != nil {
		return err
	}
	defer s.end()
	if _, err := once(s.base, request("POST", s.base, "/v1/sessions", s.secret, `{"project": "web", "id": "heard"}`)); err != nil {
		return err
	}
	heard := make(chan error, listeners)
	var open sync.WaitGroup
	for range listeners {
		l, err := dial(s.base)
		if err != nil {
			return err
		}
		defer l.c.Close()
		if _, err := l.c.Write(request("GET", s.base, "/v1/events?session=web:heard", s.secret, "")); err != nil {
			return err
		}
		open.Add(1)
		go tell(l.r, open.Done, heard)
	}
	open.Wait()
	turns, err := dial(s.base)
	if err != nil {
		return err
	}
	defer turns.c.Close()
	turn := request("POST", s.base, "/v1/sessions/web:heard/turn", s.secret, "")
	var took []time.Duration
	for began := time.Now(); time.Since(began) < o.each; {
		at := time.Now()
		status, body, err := turns.ask(turn, true)
		if err == nil && status != 200 {
			err = fmt.Errorf("status %d: %s", status, body)
		}
		for range listeners {
			if err != nil {
				return err
			}
			err = <-heard
		}
		if err != nil {
			return err
		}
		took = append(took, time.Since(at))
	}
	memory, err := s.number("process_resident_memory_bytes")
	if err != nil {
		return err
	}
	slices.Sort(took)
	row(fmt.Sprintf("a turn until each of %d who listen was told", listeners), "", "%d turns, all heard by all: p50 %s, p99 %s; %.0f events/s; %.0f MB",
		len(took), ms(took[len(took)/2]), ms(took[len(took)*99/100]), float64(len(took)*listeners)/sum(took).Seconds(), memory/1e6)
	return nil
}

func sum(list []time.Duration) (all time.Duration) {
	for _, d := range list {
		all += d
	}
	return all
}

// tell reads a stream of events: open is called when its headers are there, and each
// event is heard.
func tell(r *bufio.Reader, open func(), heard chan<- error) {
	began := false
	for {
		l, err := r.ReadSlice('\n')
		if err != nil {
			if !began {
				open()
			}
			heard <- err
			return
		}
		if !began && len(bytes.TrimSpace(l)) == 0 {
			began = true
			open()
		}
		if bytes.HasPrefix(l, []byte("event: session.transition")) {
			heard <- nil
		}
	}
}
