// Package tests asks of the core, and of the whole module, what a host could ask: the
// conformance cases, the laws as properties, hostile input, the same bytes elsewhere, and
// the structure: who imports whom, who asks the world, which names and codes there are. It
// needs nothing private, and holds no test of one package below the core: those stand
// beside their package.
package tests
