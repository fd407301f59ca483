package page

import (
	"testing"

	"github.com/cento-dev/cento"
)

// StartService serves a folder, and gives the link that lets a browser in.
var StartService func(t testing.TB, dir string) (link string)

// StartRecorded does so with a store that has the first turn of sessions already, by
// their names.
var StartRecorded func(t testing.TB, dir string, sessions map[string]cento.Input) (link string)
