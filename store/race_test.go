//go:build race

package store_test

// raceDetector: everything takes several times as long, so the long tests do a
// part of their work.
const raceDetector = true
