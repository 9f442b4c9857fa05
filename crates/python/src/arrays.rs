//! NumPy arrays that Rust writes and Python reads.

use numpy::{Element, IxDyn, PyArrayDyn, PyArrayMethods, PyReadwriteArray};
use pyo3::prelude::*;

/// Array whose memory a game or a batch writes in place. Python gets a read-only view of the same
/// memory, always the same object.
pub(crate) struct SharedArray<T> {
    array: Py<PyArrayDyn<T>>,
    view: Py<PyAny>,
}

impl<T: Element> SharedArray<T> {
    /// Creates an array of zeros.
    pub(crate) fn new(py: Python<'_>, shape: &[usize]) -> PyResult<Self> {
        let array = PyArrayDyn::<T>::zeros(py, shape, false);
        let view = array.call_method0("view")?;
        view.call_method1("setflags", (false,))?;
        Ok(Self {
            array: array.unbind(),
            view: view.unbind(),
        })
    }

    /// Returns the view for Python.
    pub(crate) fn view(&self, py: Python<'_>) -> Py<PyAny> {
        self.view.clone_ref(py)
    }

    /// Borrows the memory for writing.
    pub(crate) fn lock<'py>(&self, py: Python<'py>) -> PyResult<PyReadwriteArray<'py, T, IxDyn>> {
        Ok(self.array.bind(py).try_readwrite()?)
    }
}

/// Returns the memory of an array that [`SharedArray::lock`] borrowed.
pub(crate) fn slice<'a, T: Element>(array: &'a mut PyReadwriteArray<'_, T, IxDyn>) -> &'a mut [T] {
    array.as_slice_mut().expect("the array is contiguous")
}

/// Array of a game, created and written when Python reads it.
pub(crate) struct LazyArray<T> {
    shared: Option<SharedArray<T>>,
    /// Version of the game that the array shows.
    version: u64,
}

impl<T> Default for LazyArray<T> {
    fn default() -> Self {
        Self {
            shared: None,
            version: 0,
        }
    }
}

impl<T: Element> LazyArray<T> {
    /// Returns the view for Python after `write` has brought it to this version of the game.
    pub(crate) fn view(
        &mut self,
        py: Python<'_>,
        version: u64,
        shape: &[usize],
        write: impl FnOnce(&mut [T]),
    ) -> PyResult<Py<PyAny>> {
        let is_new = self.shared.is_none();
        let shared = match self.shared.take() {
            Some(shared) => shared,
            None => SharedArray::new(py, shape)?,
        };
        let shared = self.shared.insert(shared);
        if is_new || self.version != version {
            write(slice(&mut shared.lock(py)?));
            self.version = version;
        }
        Ok(shared.view(py))
    }
}
