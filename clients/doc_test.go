// Package clients_test holds the clients in other languages to the service and the
// program: `go test ./clients -update` makes their types of the OpenAPI document.
package clients_test
