// serde_json with the types of k8s-openapi on the Pod of tests/data: one line "name nanoseconds" each, the best of
// several runs. (Rust's Kubernetes types have no protobuf form.)
use k8s_openapi::api::core::v1::Pod;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn time(calls: u32, f: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed()
}

/// Runs `f` for about a fifth of a second, seven times, and prints the least time of one call.
fn best(name: &str, mut f: impl FnMut()) {
    f();
    let mut calls = 1;
    while time(calls, &mut f) < Duration::from_millis(200) {
        calls *= 2;
    }
    let least = (0..7).map(|_| time(calls, &mut f)).min().unwrap();
    println!("{name} {:.0}", least.as_nanos() as f64 / f64::from(calls));
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: codec POD.json [json]");
    let text = std::fs::read(path).expect("the Pod's file");
    let pod: Pod = serde_json::from_slice(&text).expect("a Pod");
    if std::env::args().nth(2).is_some() {
        // Decoded and encoded again: proof that everybody does the same work.
        serde_json::to_writer(std::io::stdout(), &pod).expect("standard output");
        return;
    }
    best("json_decode_pod", || {
        black_box(serde_json::from_slice::<Pod>(black_box(&text)).unwrap());
    });
    best("json_encode_pod", || {
        black_box(serde_json::to_vec(black_box(&pod)).unwrap());
    });
    best("copy_pod", || {
        black_box(black_box(&pod).clone());
    });
}
