// Bare is an HTTP server that writes the bytes of a file, whatever is asked: the least
// that a service on net/http can do.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bare: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: bare FILE")
	}
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", l.Addr())
	length := strconv.Itoa(len(body))
	log.Fatal(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // who asked has gone
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Length", length)
		_, _ = w.Write(body) // who asked has gone then
	})))
}
