package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/disk"
)

// maxLinks bounds how many links one path may lead through.
const maxLinks = 255

var errTooManyLinks = errors.New("too many links")

// canonical gives the one name of a place: absolute, parted by `/`, every link
// resolved. Where nothing exists yet the remaining names are kept, so that the
// place that would be made is named. `..` means the folder above the one that
// was reached, as for the system, and not the word before it. Beside an error
// stands what was resolved until then, with the rest joined as it is.
func canonical(disk disk.Disk, p string) (string, error) {
	return resolve(disk, p, func(string) {})
}

// resolve is canonical. It passes each path with a link that it follows to via.
func resolve(disk disk.Disk, p string, via func(path string)) (string, error) {
	volume, rest := splitVolume(p)
	done := volume + "/"
	todo := strings.Split(rest, "/")
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			done = parent(done)
			continue
		}
		here := path.Join(done, part)
		info, err := disk.Lstat(filepath.FromSlash(here))
		switch {
		case missing(err):
			done = here
		case err != nil:
			return path.Join(append([]string{here}, todo...)...), err
		case info.Mode()&fs.ModeSymlink == 0:
			done = here
		default:
			if links++; links > maxLinks {
				return path.Join(append([]string{here}, todo...)...), errTooManyLinks
			}
			via(path.Join(append([]string{here}, todo...)...))
			target, err := disk.Readlink(filepath.FromSlash(here))
			if err != nil {
				return path.Join(append([]string{here}, todo...)...), err
			}
			target = filepath.ToSlash(target)
			if rooted(target) {
				v, r := splitVolume(target)
				if v == "" {
					v = volume
				}
				volume, done, target = v, v+"/", r
			}
			todo = append(strings.Split(target, "/"), todo...)
		}
	}
	return done, nil
}

// missing reports that nothing stands at a path, also because a name on the
// way is that of a file.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || err != nil && errors.Is(err, errNotDir)
}

// textForm is a path as it was written, absolute and clean.
func textForm(p string) string {
	volume, rest := splitVolume(p)
	return volume + path.Clean("/"+rest)
}

func splitVolume(p string) (volume, rest string) {
	n := len(filepath.VolumeName(p))
	return filepath.ToSlash(p[:n]), filepath.ToSlash(p[n:])
}

// rooted reports whether a path begins at the root of a disk, with or without
// naming which.
func rooted(p string) bool {
	return filepath.IsAbs(p) || strings.HasPrefix(filepath.ToSlash(p), "/")
}
