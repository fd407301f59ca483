// Times the reducer of harn-vm on the workloads, for bench/seed/run.sh. The
// reducer itself is put before this text by that script.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

struct Counting;
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        System.dealloc(at, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn names(field: &str) -> Vec<String> {
    field.split('\x1f').filter(|s| !s.is_empty()).map(str::to_string).collect()
}

// Prints, per workload: name, nanoseconds per assembly (median of nine), its
// allocations, bytes of the prompt.
fn main() {
    let dir = std::env::args().nth(1).expect("a folder with workloads");
    for name in ["W1", "W2", "W3"] {
        let text = std::fs::read_to_string(format!("{dir}/{name}.flat")).expect("a workload");
        let mut lines = text.lines();
        let ctx = AssembleCtx {
            tool_names: names(lines.next().unwrap()).into_iter().collect(),
            caps: names(lines.next().unwrap()).into_iter().collect(),
        };
        let fragments: Vec<PromptFragment> = lines
            .map(|line| {
                let f: Vec<&str> = line.split('\x1e').collect();
                let bucket = if f[2] == "after" { FragmentBucket::After } else { FragmentBucket::Before };
                PromptFragment::new(f[0], f[1], bucket, f[5])
                    .requiring_tools(names(f[3]))
                    .requiring_caps(names(f[4]))
            })
            .collect();
        let bytes = assemble(&fragments, &ctx).system.expect("a prompt").len();
        let mut times = Vec::new();
        let mut allocations = 0;
        for _ in 0..9 {
            let (before, start, mut rounds) = (ALLOCATIONS.load(Ordering::Relaxed), Instant::now(), 0u64);
            while start.elapsed().as_millis() < 120 {
                black_box(assemble(black_box(&fragments), &ctx));
                rounds += 1;
            }
            times.push(start.elapsed().as_nanos() as f64 / rounds as f64);
            allocations = (ALLOCATIONS.load(Ordering::Relaxed) - before) / rounds;
        }
        times.sort_by(f64::total_cmp);
        println!("{name} {:.0} {allocations} {bytes}", times[4]);
    }
}
