//go:build race

package store

// raceDetector: everything takes several times as long, so the long tests do a
// part of their work.
const raceDetector = true
