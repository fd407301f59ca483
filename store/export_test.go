package store

import (
	"context"
	"database/sql/driver"
)

// What the tests of package store_test need of this one. They are there since
// they use sessions, which import the store.
var (
	OnBoth        = onBoth
	SQLitePlace   = sqlitePlace
	PostgresPlace = postgresPlace
	OpenForTest   = open
	QuickFolder   = quickFolder
	FreePort      = freePort
	DraftOf       = draft
)

// Wrapped are options whose connections go through a function.
func Wrapped(o Options, wrap func(driver.Connector) driver.Connector) Options {
	o.wrap = wrap
	return o
}

// OpenPlace opens a place of either engine; set where the engines can be imported.
var OpenPlace func(ctx context.Context, place string, o Options) (*Store, error)

const RaceDetector = raceDetector
