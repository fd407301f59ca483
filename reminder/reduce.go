package reminder

import (
	"slices"
	"strings"
)

// Reduce says which of the pending reminders a turn shows, and in which order.
// Of those with one key, and then of those whose bodies differ in white space
// alone, the one with the highest authority stays, the later of equals. They
// stand by authority, each in the order of injection.
func Reduce(pending []Reminder) []Reminder {
	live := collapse(pending, func(r *Reminder) string { return r.DedupeKey })
	live = collapse(live, func(r *Reminder) string { return strings.Join(strings.Fields(r.Body), " ") })
	slices.SortStableFunc(live, func(a, b Reminder) int { return int(a.Authority) - int(b.Authority) })
	return live
}

// collapse keeps the strongest reminder of each group; those whose group has the
// empty name stand alone.
func collapse(list []Reminder, group func(*Reminder) string) []Reminder {
	best := make(map[string]int, len(list))
	for i := range list {
		if g := group(&list[i]); g != "" {
			if j, ok := best[g]; !ok || !stronger(&list[j], &list[i]) {
				best[g] = i
			}
		}
	}
	out := make([]Reminder, 0, len(list))
	for i := range list {
		if g := group(&list[i]); g == "" || best[g] == i {
			out = append(out, list[i])
		}
	}
	return out
}

// stronger reports whether a stays where b says the same later.
func stronger(a, b *Reminder) bool { return a.Authority < b.Authority }
