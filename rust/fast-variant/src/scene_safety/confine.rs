//! The permissions and the memory limit of a process that tries an untrusted file (Linux).
#![allow(unsafe_code)]

use std::io;

/// The system call that failed.
fn checked(result: libc::c_long) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Forbids this process, with all of its threads and for good, to reach the network and to start programs.
///
/// # Errors
/// What the system says: it may have no such filters.
pub(super) fn forbid_network_and_programs() -> io::Result<()> {
    // SAFETY: the arguments are those of the manual; the others are not read.
    checked(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into())?;
    let filter = filter();
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).unwrap_or(u16::MAX),
        filter: filter.as_ptr().cast_mut(),
    };
    // SAFETY: `program` and the filter it points to live during the call, which copies both and writes to neither.
    let result = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_TSYNC,
            &raw const program,
        )
    };
    checked(result)
}

/// The program of the filter: a list of forbidden calls, all else is allowed.
fn filter() -> Vec<libc::sock_filter> {
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const EQUALS: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    const SECOND_SET: u32 = 0x4000_0000;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    // `struct seccomp_data`
    const NUMBER: u32 = 0;
    const ARCHITECTURE: u32 = 4;
    const FIRST_ARGUMENT: u32 = 16;
    const FORBIDDEN: [libc::c_long; 5] = [
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_io_uring_setup,
        libc::SYS_bpf,
    ];
    let step = |code, k, jt, jf| libc::sock_filter { code, jt, jf, k };
    let number = |call: libc::c_long| u32::try_from(call).unwrap_or(u32::MAX);
    let refuse = libc::SECCOMP_RET_ERRNO | libc::EACCES as u32;
    let mut program = vec![
        step(LOAD, ARCHITECTURE, 0, 0),
        step(EQUALS, AUDIT_ARCHITECTURE, 1, 0),
        step(RETURN, libc::SECCOMP_RET_KILL_PROCESS, 0, 0),
        step(LOAD, NUMBER, 0, 0),
        // x86-64 has a second set of numbers for the same calls.
        step(AT_LEAST, SECOND_SET, 0, 1),
        step(RETURN, refuse, 0, 0),
    ];
    for call in FORBIDDEN {
        program.push(step(EQUALS, number(call), 0, 1));
        program.push(step(RETURN, refuse, 0, 0));
    }
    program.extend([
        step(EQUALS, number(libc::SYS_socket), 0, 3),
        step(LOAD, FIRST_ARGUMENT, 0, 0),
        step(EQUALS, libc::AF_UNIX as u32, 1, 0),
        step(RETURN, refuse, 0, 0),
        step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0),
    ]);
    program
}

/// `AUDIT_ARCH_…` of the machine (linux/audit.h).
#[cfg(target_arch = "x86_64")]
const AUDIT_ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const AUDIT_ARCHITECTURE: u32 = 0xc000_00b7;

/// Limits the data of a child process to a number of bytes from now on.
///
/// # Errors
/// What the system says: the process has ended.
pub(super) fn limit_data(process: u32, bytes: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    let process = libc::pid_t::try_from(process).map_err(io::Error::other)?;
    // SAFETY: `limit` lives during the call, which does not write to it; the old limits are not asked for.
    let result = unsafe {
        libc::prlimit(process, libc::RLIMIT_DATA, &raw const limit, std::ptr::null_mut())
    };
    checked(result.into())
}
