package page

import "testing"

// StartService serves a folder, and gives the link that lets a browser in.
var StartService func(t testing.TB, dir string) (link string)
