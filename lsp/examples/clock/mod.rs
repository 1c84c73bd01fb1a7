//! The clock of the examples that measure: wall time says nothing on a busy machine.

/// Processor time of this thread in milliseconds.
pub fn cpu() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}
