// SPDX-License-Identifier: BSD-2-Clause

// Rust without an operating system: a static PIE that prints by a table of trait
// objects, whose words somebody has to move, and ends by the finisher.
#![no_std]
#![no_main]

use core::fmt::Write;

core::arch::global_asm!(
    ".section .text.start, \"ax\"",
    ".globl _start",
    "_start: lla sp, stack_end",
    "        call begin",
    "        j .",
    ".bss",
    ".balign 16",
    ".zero 16384",
    "stack_end:",
    ".text"
);

struct Uart;

impl Write for Uart {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for byte in text.bytes() {
            unsafe { (0x1000_0000 as *mut u8).write_volatile(byte) };
        }
        Ok(())
    }
}

mod work {
    pub trait Step: Sync {
        fn apply(&self, n: u64) -> u64;
    }
    pub struct Double;
    pub struct Add(pub u64);
    impl Step for Double {
        fn apply(&self, n: u64) -> u64 {
            2 * n
        }
    }
    impl Step for Add {
        fn apply(&self, n: u64) -> u64 {
            n + self.0
        }
    }

    #[inline(never)]
    pub fn rounds(steps: &[&dyn Step], rounds: u64) -> u64 {
        let mut n = 5;
        for _ in 0..rounds {
            n = steps.iter().fold(n, |n, s| s.apply(n)) & 0xffff;
        }
        n
    }
}

static STEPS: [&dyn work::Step; 3] = [&work::Double, &work::Add(1), &work::Double];

fn end(code: u32) -> ! {
    unsafe { (0x0010_0000 as *mut u32).write_volatile(code) };
    loop {}
}

#[no_mangle]
extern "C" fn begin() -> ! {
    let _ = writeln!(Uart, "once {} often {}", work::rounds(&STEPS, 1),
                     work::rounds(&STEPS, 50000));
    end(0x5555)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    end(0x13333)
}
