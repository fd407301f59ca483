// Package api serves the book of berths over HTTP.
package api

import "net/http"

// Routes are all routes of the service.
func Routes(book http.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("POST /berths/{berth}/bookings", book)
	return mux
}
