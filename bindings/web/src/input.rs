//! A file in memory whose reading is reported to a function of JavaScript.

use elf_check::runs::Restart;
use js_sys::Function;
use std::io::{self, Read};
use wasm_bindgen::prelude::JsValue;

/// The number of bytes that are read between two calls of the function.
const STEP: usize = 1 << 20;

/// A file in memory. The function gets the number of bytes read so far and the number of all bytes.
pub(crate) struct Input<'f> {
    bytes: &'f [u8],
    progress: Option<Progress<'f>>,
}

/// The progress that has been reported.
struct Progress<'f> {
    function: &'f Function,
    reported: usize,
}

/// One reading of the file.
struct Reading<'i, 'f> {
    bytes: &'f [u8],
    rest: &'f [u8],
    progress: Option<&'i mut Progress<'f>>,
}

impl<'f> Input<'f> {
    pub(crate) fn new(bytes: &'f [u8], progress: Option<&'f Function>) -> Input<'f> {
        Input { bytes, progress: progress.map(|function| Progress { function, reported: 0 }) }
    }
}

impl Restart for Input<'_> {
    fn restart(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(Reading { bytes: self.bytes, rest: self.bytes, progress: self.progress.as_mut() }))
    }
}

impl Read for Reading<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(STEP);
        let read = self.rest.read(&mut buffer[..most])?;
        if let Some(progress) = &mut self.progress {
            progress.report(self.bytes.len() - self.rest.len(), self.bytes.len());
        }
        Ok(read)
    }
}

impl Progress<'_> {
    /// Reports progress of at least a step. A second reading of the file starts at 0 and reports nothing.
    fn report(&mut self, done: usize, all: usize) {
        if done < self.reported + STEP && (done < all || self.reported == all) {
            return;
        }
        self.reported = done;
        let number = |count: usize| JsValue::from(u32::try_from(count).unwrap_or(u32::MAX));
        // A function that throws cannot stop the work.
        let _ = self.function.call2(&JsValue::NULL, &number(done), &number(all));
    }
}
