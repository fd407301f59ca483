package disk_test

import (
	"fmt"
	"testing/fstest"

	"github.com/cento-dev/cento/disk"
)

// Files that stand instead of those of a folder, which needn't even be there.
func ExampleOver() {
	d := disk.Over("/srv/project", fstest.MapFS{
		"AGENTS.md": &fstest.MapFile{Data: []byte("Run the tests.\n")},
	})
	info, err := d.Stat("/srv/project/AGENTS.md")
	fmt.Println(info.Size(), err)
	_, err = d.Stat("/srv/project/CLAUDE.md")
	fmt.Println(err)
	// Output:
	// 15 <nil>
	// lstat CLAUDE.md: file does not exist
}
