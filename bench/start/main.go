// Start measures how long `cento build` takes as a whole process, beside a
// program that prints one line. Both are built as a release is, without cgo and
// with -trimpath, and run in turn, so that what else the machine does falls on
// both.
//
//	go run ./bench/start
//	go run ./bench/start -rounds 2000
//
// Between the two stands the program that prints one line and has the libraries of
// Cento linked in: what these cost before Cento does anything.
//
// It prints the medians, and their ratios to the first. The ratios are what carries
// over to other machines, and only when the machine has nothing else to do.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("start: ")
	rounds := flag.Int("rounds", 500, "how often each program is run")
	flag.Parse()
	if err := run(*rounds); err != nil {
		log.Fatal(err)
	}
}

// contestant is a program that is run again and again.
type contestant struct {
	name, pkg, path string
	args            []string
	wall, cpu       []time.Duration
}

func run(rounds int) error {
	if rounds < 1 {
		return fmt.Errorf("%d rounds measure nothing", rounds)
	}
	tmp, err := os.MkdirTemp("", "start-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	project := filepath.Join(tmp, "project")
	if err := os.CopyFS(project, os.DirFS("bench/start/project")); err != nil {
		return fmt.Errorf("start it in the root of the module: %w", err)
	}
	all := []*contestant{
		{name: "hello", pkg: "./bench/start/hello"},
		{name: "hello, with the libraries", pkg: "./bench/start/libraries"},
		{name: "cento build", pkg: "./cmd/cento", args: []string{"build"}},
	}
	for _, c := range all {
		c.path = filepath.Join(tmp, filepath.Base(c.pkg))
		if err := build(c.pkg, c.path); err != nil {
			return err
		}
	}
	env := []string{"HOME=" + filepath.Join(tmp, "home"), "PATH=" + os.Getenv("PATH")}
	const warm = 10
	for round := range rounds + warm {
		for _, c := range all {
			wall, cpu, err := once(c, project, env)
			if err != nil {
				return err
			}
			if round >= warm {
				c.wall, c.cpu = append(c.wall, wall), append(c.cpu, cpu)
			}
		}
	}
	print(all, rounds)
	return nil
}

// build builds a program as a release is built. It is then written once more,
// as whoever installs it does: the linker leaves a file behind that the system
// keeps in small pieces, and that starts a fifth slower than a copy.
func build(pkg, path string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-o", path+".linked", pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	program, err := os.ReadFile(path + ".linked")
	if err != nil {
		return err
	}
	return os.WriteFile(path, program, 0o755)
}

// once runs a program to its end and tells how long that took, by the clock and
// by the processor.
func once(c *contestant, dir string, env []string) (wall, cpu time.Duration, err error) {
	cmd := exec.Command(c.path, c.args...)
	cmd.Dir, cmd.Env = dir, env
	began := time.Now()
	err = cmd.Run()
	wall = time.Since(began)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", c.name, err)
	}
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func print(all []*contestant, rounds int) {
	fmt.Printf("%s, %s/%s, %d processors, %d runs of each in turn\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), rounds)
	fmt.Println("| program | median, ms | fastest tenth, ms | processor, median, ms |")
	fmt.Println("|---|---|---|---|")
	first := all[0]
	for _, c := range all {
		fmt.Printf("| %s |", c.name)
		for _, column := range []struct {
			own, least []time.Duration
			part       float64
		}{{c.wall, first.wall, 0.5}, {c.wall, first.wall, 0.1}, {c.cpu, first.cpu, 0.5}} {
			own, least := at(column.own, column.part), at(column.least, column.part)
			fmt.Printf(" %.2f (%.2f×) |", float64(own)/float64(time.Millisecond), float64(own)/float64(least))
		}
		fmt.Println()
	}
}

// at is the value below which that part of the values lies.
func at(values []time.Duration, part float64) time.Duration {
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare[time.Duration])
	return sorted[int(part*float64(len(sorted)))]
}
