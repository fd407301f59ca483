package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A client costs the processor what the service doesn't get, so this one sends bytes
// that were made before, and reads of an answer no more than its status and length.

// request is one as it goes over the line.
func request(method, base, path, secret, body string) []byte {
	host := strings.TrimPrefix(base, "http://")
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, path, host, secret)
	if body != "" {
		b.WriteString("Content-Type: application/json\r\n")
	}
	if method != "GET" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return b.Bytes()
}

// line is a connection.
type line struct {
	c net.Conn
	r *bufio.Reader
}

func dial(base string) (*line, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		return nil, err
	}
	return &line{c, bufio.NewReaderSize(c, 64<<10)}, nil
}

// ask sends a request and reads its answer: the body too where keep wants it.
func (l *line) ask(request []byte, keep bool) (status int, body []byte, err error) {
	if _, err := l.c.Write(request); err != nil {
		return 0, nil, err
	}
	first, err := l.r.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(first) < 12 {
		return 0, nil, fmt.Errorf("the answer begins with %q", first)
	}
	if status, err = strconv.Atoi(string(first[9:12])); err != nil {
		return 0, nil, err
	}
	length := -1
	for {
		h, err := l.r.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		if len(h) <= 2 {
			break
		}
		const name = "content-length:"
		if len(h) > len(name) && strings.EqualFold(string(h[:len(name)]), name) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(h[len(name):]))); err != nil {
				return 0, nil, err
			}
		}
	}
	if length < 0 {
		return 0, nil, fmt.Errorf("the answer doesn't say how long it is")
	}
	if keep {
		body = make([]byte, length)
		_, err = io.ReadFull(l.r, body)
		return status, body, err
	}
	_, err = l.r.Discard(length)
	return status, nil, err
}

// once asks on a connection of its own, and takes nothing but 200 for an answer.
func once(base string, request []byte) ([]byte, error) {
	l, err := dial(base)
	if err != nil {
		return nil, err
	}
	defer l.c.Close()
	status, body, err := l.ask(request, true)
	if err == nil && status != 200 {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	return body, err
}

// result is what a load came to.
type result struct {
	rate     float64 // answers a second
	p50, p99 time.Duration
	used     time.Duration // of the server's processor, for an answer; 0: nobody looked
	failed   int
	why      string // of one that failed
}

// load asks over so many connections for a while. Next gives the request that a
// connection sends for the n-th time. With a rate, requests a second, each is sent when
// its time has come and its time counts from there, also when the one before was late;
// without one each is sent when the answer before is there.
func load(base string, connections int, d time.Duration, rate float64, next func(connection, n int) []byte) (result, error) {
	lines := make([]*line, connections)
	for i := range lines {
		var err error
		if lines[i], err = dial(base); err != nil {
			return result{}, err
		}
		defer lines[i].c.Close()
	}
	var mu sync.Mutex
	var took []time.Duration
	var out result
	var working sync.WaitGroup
	began := time.Now()
	for i, l := range lines {
		working.Go(func() {
			var own []time.Duration
			failed, why := 0, ""
			for n := 0; ; n++ {
				at := time.Now()
				if rate > 0 {
					at = began.Add(time.Duration((float64(n*connections+i) / rate) * float64(time.Second)))
					time.Sleep(time.Until(at))
				}
				if at.Sub(began) >= d {
					break
				}
				status, body, err := l.ask(next(i, n), false)
				if err == nil && status != 200 {
					err = fmt.Errorf("status %d %s", status, body)
				}
				if err != nil {
					failed, why = failed+1, err.Error()
					if status == 0 {
						break // the connection is no more
					}
					continue
				}
				own = append(own, time.Since(at))
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
			out.failed, out.why = out.failed+failed, cmp.Or(out.why, why)
		})
	}
	working.Wait()
	passed := time.Since(began)
	if len(took) == 0 {
		return out, fmt.Errorf("nothing was answered: %s", out.why)
	}
	slices.Sort(took)
	out.rate = float64(len(took)) / passed.Seconds()
	out.p50, out.p99 = took[len(took)/2], took[len(took)*99/100]
	return out, nil
}

// middle is the result of the median rate.
func middle(list []result) result {
	slices.SortFunc(list, func(a, b result) int { return cmp.Compare(a.rate, b.rate) })
	out := list[len(list)/2]
	out.failed = 0
	for _, r := range list {
		out.failed, out.why = out.failed+r.failed, cmp.Or(out.why, r.why)
	}
	return out
}
