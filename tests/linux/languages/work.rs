// SPDX-License-Identifier: BSD-2-Clause

// Work in a function of Rust whose name is known: of a trait, in a module.
mod work {
    pub trait Count {
        fn count(&mut self, rounds: usize) -> usize;
    }

    pub struct Sieve {
        pub composite: Vec<bool>,
    }

    impl Count for Sieve {
        #[inline(never)]
        fn count(&mut self, rounds: usize) -> usize {
            let mut found = 0;
            for _ in 0..rounds {
                found = 0;
                self.composite.fill(false);
                for i in 2..self.composite.len() {
                    if self.composite[i] {
                        continue;
                    }
                    found += 1;
                    let mut k = 2 * i;
                    while k < self.composite.len() {
                        self.composite[k] = true;
                        k += i;
                    }
                }
            }
            found
        }
    }
}

use work::Count;

fn main() {
    let rounds = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut s = work::Sieve { composite: vec![false; 10000] };
    println!("primes {}", s.count(rounds));
}
