package app

import "testing"

// Variations hold so many, and let go of the one that wasn't asked for longest.
func TestVariations(t *testing.T) {
	var v Variations[int]
	key := func(i int) VariationKey { return VariationKey{byte(i)} }
	for i := range mostVariations {
		if kept, left := v.Of(key(i)); *kept != 0 || left != nil {
			t.Fatalf("%d: %d, %v", i, *kept, left)
		} else {
			*kept = i + 1
		}
	}
	if first, left := v.Of(key(0)); *first != 1 || left != nil {
		t.Errorf("the first is %d, and %v left", *first, left)
	}
	if fresh, left := v.Of(key(100)); *fresh != 0 || left == nil || *left != 2 {
		t.Errorf("a new one is %d, and %v left for it", *fresh, left)
	}
	if all := v.All(); len(all) != mostVariations || *all[0] != 3 || *all[len(all)-2] != 1 || *all[len(all)-1] != 0 {
		t.Errorf("%d are kept, %v", len(all), all)
	}
}
