// What is long is made as it comes near the screen.

// near tells of elements that it observes when they come near, and when they are far
// again, with how tall they are. What isn't shown at all is neither.
export function near(told) {
  return new IntersectionObserver((list) => {
    for (const { target, isIntersecting, boundingClientRect } of list) {
      if (!isIntersecting && !target.offsetParent) continue;
      target.near = isIntersecting;
      told(target, isIntersecting, boundingClientRect.height);
    }
  }, { rootMargin: '50%', scrollMargin: '50%' });
}
