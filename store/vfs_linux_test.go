package store_test

import (
	"strings"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// disk stands between SQLite and the operating system: every operation on the
// files of one folder is counted, and those that a test chose fail. It is a VFS
// as SQLite has them for this purpose: a copy of the system's own, and of the
// table of what can be done with an open file, whose functions ask [disk.fails]
// before they do their work.
type disk struct {
	mu      sync.Mutex
	under   string // files whose path begins with it
	armed   bool
	at      int // the operation that fails
	how     failing
	hit     string   // the first operation that failed
	seen    []string // the operations since failAt
	real    uintptr
	own     uintptr
	methods map[uintptr]uintptr // real tables by our own, and ours by the real
}

// failing is the way in which operations fail.
type failing string

const (
	once failing = "one_fails"
	full failing = "no_room_from_there_on"
	torn failing = "half_is_written_and_all_after_it_fail"
)

// theDisk is one, since functions that SQLite calls can't carry a value.
var theDisk = &disk{methods: map[uintptr]uintptr{}}

// at is what is at an address outside of Go's memory.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// function and pointer go between functions and their addresses as the SQLite
// library does.
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }
func pointer[F any](f F) uintptr  { return *(*uintptr)(unsafe.Pointer(&f)) }

// putUnder lets every file below a folder go through the disk, until the test ends. SQLite
// keeps the disk for the whole run: a connection that another test opened meanwhile asks
// for its VFS by name when it makes a file of its own, as VACUUM does.
func (d *disk) putUnder(t testing.TB, folder string) {
	t.Helper()
	tls := libc.NewTLS()
	t.Cleanup(tls.Close)
	if d.own == 0 {
		d.real = sqlite3.Xsqlite3_vfs_find(tls, 0)
		size := unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})
		d.own = libc.Xmalloc(tls, libc.Tsize_t(size))
		own := at[sqlite3.Tsqlite3_vfs](d.own)
		*own = *at[sqlite3.Tsqlite3_vfs](d.real)
		name, err := libc.CString("failing")
		if err != nil {
			t.Fatal(err)
		}
		own.FzName, own.FxOpen, own.FxDelete, own.FxAccess = name, pointer(vfsOpen), pointer(vfsDelete), pointer(vfsAccess)
		if rc := sqlite3.Xsqlite3_vfs_register(tls, d.own, 1); rc != sqlite3.SQLITE_OK {
			t.Fatalf("SQLite doesn't take the VFS: %d", rc)
		}
	}
	put := func(folder string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.under = folder
	}
	put(folder)
	t.Cleanup(func() { put("") })
}

// failAt lets the nth operation from now on fail.
func (d *disk) failAt(n int, how failing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed, d.at, d.how, d.hit, d.seen = true, n, how, "", nil
}

// heal ends the failures, and tells which operation was the first to fail;
// empty when there weren't so many.
func (d *disk) heal() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed = false
	return d.hit
}

func (d *disk) operations() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen
}

// fails counts an operation.
func (d *disk) fails(operation string) (how failing, fails bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.armed {
		return "", false
	}
	if d.seen = append(d.seen, operation); len(d.seen) < d.at || d.how == once && len(d.seen) > d.at {
		return "", false
	}
	if d.hit == "" {
		d.hit = operation
		return d.how, true
	}
	if d.how == torn {
		return once, true // the rest fails altogether
	}
	return d.how, true
}

func (d *disk) ours(name uintptr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return name != 0 && d.under != "" && strings.HasPrefix(libc.GoString(name), d.under)
}

func realVFS() *sqlite3.Tsqlite3_vfs { return at[sqlite3.Tsqlite3_vfs](theDisk.real) }

func vfsOpen(tls *libc.TLS, _, name, file uintptr, flags int32, outFlags uintptr) int32 {
	ours := theDisk.ours(name)
	if ours {
		if _, fails := theDisk.fails("open"); fails {
			at[sqlite3.Tsqlite3_file](file).FpMethods = 0
			return sqlite3.SQLITE_CANTOPEN
		}
	}
	type open = func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32
	rc := function[open](realVFS().FxOpen)(tls, theDisk.real, name, file, flags, outFlags)
	if f := at[sqlite3.Tsqlite3_file](file); ours && rc == sqlite3.SQLITE_OK {
		f.FpMethods = theDisk.table(tls, f.FpMethods)
	}
	return rc
}

// table is our own table for a real one.
func (d *disk) table(tls *libc.TLS, realTable uintptr) uintptr {
	d.mu.Lock()
	defer d.mu.Unlock()
	if own, ok := d.methods[realTable]; ok {
		return own
	}
	own := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))
	m := at[sqlite3.Tsqlite3_io_methods](own)
	*m = *at[sqlite3.Tsqlite3_io_methods](realTable)
	m.FxRead, m.FxWrite, m.FxTruncate, m.FxSync = pointer(fileRead), pointer(fileWrite), pointer(fileTruncate), pointer(fileSync)
	m.FxFileSize, m.FxLock, m.FxShmMap, m.FxShmLock = pointer(fileSize), pointer(fileLock), pointer(fileShmMap), pointer(fileShmLock)
	m.FxFetch = pointer(fileFetch)
	d.methods[realTable], d.methods[own] = own, realTable
	return own
}

// methodsOf is the real table of a file of ours.
func methodsOf(file uintptr) *sqlite3.Tsqlite3_io_methods {
	theDisk.mu.Lock()
	defer theDisk.mu.Unlock()
	return at[sqlite3.Tsqlite3_io_methods](theDisk.methods[at[sqlite3.Tsqlite3_file](file).FpMethods])
}

func vfsDelete(tls *libc.TLS, _, name uintptr, syncFolder int32) int32 {
	if theDisk.ours(name) {
		if _, fails := theDisk.fails("delete"); fails {
			return sqlite3.SQLITE_IOERR_DELETE
		}
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32) int32](realVFS().FxDelete)(tls, theDisk.real, name, syncFolder)
}

func vfsAccess(tls *libc.TLS, _, name uintptr, flags int32, out uintptr) int32 {
	if theDisk.ours(name) {
		if _, fails := theDisk.fails("access"); fails {
			return sqlite3.SQLITE_IOERR_ACCESS
		}
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, uintptr) int32](realVFS().FxAccess)(tls, theDisk.real, name, flags, out)
}

type transfer = func(*libc.TLS, uintptr, uintptr, int32, int64) int32

func fileRead(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	if _, fails := theDisk.fails("read"); fails {
		return sqlite3.SQLITE_IOERR_READ
	}
	return function[transfer](methodsOf(file).FxRead)(tls, file, buffer, n, offset)
}

func fileWrite(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	how, fails := theDisk.fails("write")
	write := function[transfer](methodsOf(file).FxWrite)
	switch {
	case !fails:
		return write(tls, file, buffer, n, offset)
	case how == full:
		return sqlite3.SQLITE_FULL
	case how == torn && n > 1:
		// Whatever the system says of it, it is told to have failed.
		_ = write(tls, file, buffer, n/2, offset)
	}
	return sqlite3.SQLITE_IOERR_WRITE
}

func fileTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	if _, fails := theDisk.fails("truncate"); fails {
		return sqlite3.SQLITE_IOERR_TRUNCATE
	}
	return function[func(*libc.TLS, uintptr, int64) int32](methodsOf(file).FxTruncate)(tls, file, size)
}

func fileSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	if _, fails := theDisk.fails("sync"); fails {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	return function[func(*libc.TLS, uintptr, int32) int32](methodsOf(file).FxSync)(tls, file, flags)
}

func fileSize(tls *libc.TLS, file, out uintptr) int32 {
	if _, fails := theDisk.fails("size"); fails {
		return sqlite3.SQLITE_IOERR_FSTAT
	}
	return function[func(*libc.TLS, uintptr, uintptr) int32](methodsOf(file).FxFileSize)(tls, file, out)
}

func fileLock(tls *libc.TLS, file uintptr, level int32) int32 {
	if _, fails := theDisk.fails("lock"); fails {
		return sqlite3.SQLITE_IOERR_LOCK
	}
	return function[func(*libc.TLS, uintptr, int32) int32](methodsOf(file).FxLock)(tls, file, level)
}

func fileShmMap(tls *libc.TLS, file uintptr, page, size, extend int32, out uintptr) int32 {
	if _, fails := theDisk.fails("map"); fails {
		return sqlite3.SQLITE_IOERR_SHMMAP
	}
	return function[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](methodsOf(file).FxShmMap)(tls, file, page, size, extend, out)
}

// A lock that is given back never fails: that would be the end of the process.
func fileShmLock(tls *libc.TLS, file uintptr, offset, n, flags int32) int32 {
	if flags&sqlite3.SQLITE_SHM_LOCK != 0 {
		if _, fails := theDisk.fails("shared lock"); fails {
			return sqlite3.SQLITE_IOERR_SHMLOCK
		}
	}
	return function[func(*libc.TLS, uintptr, int32, int32, int32) int32](methodsOf(file).FxShmLock)(tls, file, offset, n, flags)
}

func fileFetch(tls *libc.TLS, file uintptr, offset int64, n int32, out uintptr) int32 {
	if _, fails := theDisk.fails("fetch"); fails {
		return sqlite3.SQLITE_IOERR_MMAP
	}
	return function[func(*libc.TLS, uintptr, int64, int32, uintptr) int32](methodsOf(file).FxFetch)(tls, file, offset, n, out)
}
