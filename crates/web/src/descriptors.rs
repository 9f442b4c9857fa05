//! File descriptors of the process: each connection takes one.

use crate::ServeError;

/// Descriptors for journals, the listener, threads and programs.
const OTHERS: u64 = 256;

/// Raises the limit of open files so that a number of connections fits.
///
/// # Errors
/// [`ServeError::Descriptors`] if the system's hard limit is lower.
pub fn reserve(connections: usize) -> Result<(), ServeError> {
    let needed = (connections as u64).saturating_add(OTHERS);
    #[cfg(unix)]
    {
        let permitted = rlimit::increase_nofile_limit(needed).map_err(ServeError::Runtime)?;
        if permitted < needed {
            return Err(ServeError::Descriptors { needed, permitted });
        }
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_the_hard_limit_is_refused() {
        let (_, hard) = rlimit::Resource::NOFILE.get().unwrap();
        reserve(1).unwrap();
        let error = reserve(usize::try_from(hard).unwrap())
            .unwrap_err()
            .to_string();
        let needed = hard + OTHERS;
        assert_eq!(
            error,
            format!("{needed} open files are needed, and the system permits {hard}")
        );
    }
}
