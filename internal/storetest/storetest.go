// Package storetest gives tests a place for a store, on each of the two engines,
// and says how long the tests that break one again and again may take. It opens no
// store: what is tested does.
//
// A place is the test's own: a file in a folder, or a schema that goes with the test.
// Where no server answers, the tests on it are skipped, and say so; they fail where
// CENTO_REQUIRE_POSTGRES asks for one.
package storetest

import (
	"database/sql"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the server
	"go.uber.org/goleak"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/treetest"
)

// address is the server that is asked for a schema; $CENTO_TEST_POSTGRES names
// another one.
const address = "postgres://postgres@127.0.0.1:5432/test"

// atOnce is how many tests run at the same time: they wait for a server and for
// processes more than they compute. More would need more connections than a server
// gives.
const atOnce = 6

// Main runs the tests of a package that waits for stores; whoever says -parallel
// has their way. What the tests share ends by ends.
// It fails when a goroutine outlives them.
func Main(m *testing.M, ends ...func() error) int {
	treetest.InMemory()
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if !said {
		if err := flag.Set("test.parallel", strconv.Itoa(max(atOnce, runtime.GOMAXPROCS(0)))); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	code := m.Run()
	for _, end := range ends {
		if err := end(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	if code != 0 {
		return code
	}
	if db := asked.Swap(nil); db != nil {
		if err := db.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// OnBoth runs a test on both engines, each with a place of its own: beside each
// other, and beside other tests. In the inner loop it is the one in a file, which answers
// without a disk, unless CENTO_REQUIRE_POSTGRES asks for the server.
func OnBoth(t *testing.T, test func(t *testing.T, place string)) {
	t.Helper()
	t.Parallel()
	on := func(engine string, place func(testing.TB) string) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			if engine == "postgres" && os.Getenv("CENTO_REQUIRE_POSTGRES") == "" {
				lengthtest.NotShort(t, "the same holds on SQLite, and a server writes to its disk each time")
			}
			test(t, place(t))
		})
	}
	on("sqlite", SQLite)
	on("postgres", Postgres)
}

// SQLite is the path of a file that isn't there yet.
func SQLite(t testing.TB) string {
	t.Helper()
	return filepath.Join(Folder(t), "cento.db")
}

// Folder is a new folder, in memory where there is such a place: what is tested
// there doesn't need a slow disk. What is measured does.
func Folder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "cento")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// admin is the connection that makes and drops schemas, one for all tests of a
// process.
var admin = sync.OnceValues(func() (*sql.DB, error) {
	db, err := sql.Open("pgx", server()+"?connect_timeout=3")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2)
	asked.Store(db)
	return db, db.Ping()
})

// asked is that connection; nil: no test needed it.
var asked atomic.Pointer[sql.DB]

// server is the one that is asked for schemas.
func server() string {
	if named := os.Getenv("CENTO_TEST_POSTGRES"); named != "" {
		return named
	}
	return address
}

// Postgres makes a schema that is dropped with the test. Without a server the
// test is skipped, unless CENTO_REQUIRE_POSTGRES says that there must be one.
func Postgres(t testing.TB) string {
	t.Helper()
	server := server()
	db, err := admin()
	if err != nil {
		if os.Getenv("CENTO_REQUIRE_POSTGRES") == "" {
			t.Skipf("no PostgreSQL server answers at %s; CENTO_REQUIRE_POSTGRES=1 makes this a failure", server)
		}
		t.Fatalf("no PostgreSQL server answers at %s: %v", server, err)
	}
	schema := fmt.Sprintf("cento_test_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := db.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := db.Exec("DROP SCHEMA " + schema + " CASCADE"); err != nil {
			t.Error(err)
		}
	})
	return server + "?search_path=" + schema
}
