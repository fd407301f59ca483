package store_test

import (
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// The engines import the store, so its own tests get them from here.
func init() { store.OpenPlace = engines.Open }
