// Package cache tells what requests cost in the prompt cache of their provider, and
// what broke it: it sets requests beside each other in the order in which they were
// sent, each in the order in which the provider reads it. It sends nothing and asks no
// provider.
//
//	a := cache.New(cache.Options{Reduce: pack.Reduce})
//	for _, s := range steps {
//		_, err := a.Add(s)
//	}
//	report := a.Report()
//
// Of each request it says how far its beginning is that of the one before, which
// marks of the cache are found again, how many tokens are read, written and paid in
// full, and of the first byte that differs whose it is and what changed it. Prices
// are those of the model. What the provider does is predicted by its published rules;
// a counter that estimates makes all counts estimates, and the report says so.
//
// A hint is what would have kept the beginning. It was tried: both requests were made
// again with the change, and more of the second one was found in the cache.
//
// One request is kept, the one before; of all others, digests of their beginnings.
//
// It sends nothing and asks no provider: of a request that isn't in the row, and of what
// a provider gave up early, only the usage that a step was billed can show.
package cache
