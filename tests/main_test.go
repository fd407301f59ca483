package tests

import (
	"os"
	"testing"

	"github.com/cento-dev/cento/internal/treetest"
)

func TestMain(m *testing.M) {
	treetest.InMemory()
	os.Exit(m.Run())
}
