// Package sdktest holds the bodies of package wire to the types of the providers'
// official libraries. It is a module of its own, so that no program needs them.
package sdktest
