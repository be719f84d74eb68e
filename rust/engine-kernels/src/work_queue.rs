//! Parts that any thread works on, in whatever order, each with places of its own.

use std::ops::Range;

use crate::spin_lock;
use crate::sync::{AtomicUsize, Mutex, Ordering};

/// Parts that are cut off one after the other, and that several threads work on.
#[derive(Debug)]
pub struct WorkQueue<C, E> {
    parts: Mutex<Numbered<C>>,
    failure: Failure<E>,
}

impl<P, C: FnMut() -> Option<(P, usize)>, E> WorkQueue<C, E> {
    /// `cut` gives the next part and how many places it takes; `None` when there are no more.
    pub fn new(cut: C) -> WorkQueue<C, E> {
        WorkQueue { parts: Mutex::new(Numbered::new(cut)), failure: Failure::default() }
    }

    /// Works on parts until there are none left. `work` gets each part with its range of places,
    /// which no other part has. Parts behind one that failed are not begun.
    pub fn work(&self, work: impl Fn(P, Range<usize>) -> Result<(), E>) {
        // A function of its own, or the lock would be held until the part is done.
        let next = || spin_lock(&self.parts).cut();
        while let Some((number, part, places)) = next()
            && !self.failure.is_before(number)
        {
            if let Err(error) = work(part, places) {
                self.failure.note(number, error);
            }
        }
    }

    /// What came of all parts, after all threads are done.
    ///
    /// # Errors
    /// That of the first part that failed, as one thread alone would have found it.
    pub fn outcome(self) -> Result<(), E> {
        self.failure.outcome()
    }
}

/// Parts that are cut off one after the other, with their numbers and places.
#[derive(Debug)]
pub(crate) struct Numbered<C> {
    cut: C,
    /// How many parts were cut.
    pub(crate) count: usize,
    /// The first place of the next part.
    next_place: usize,
}

impl<C> Numbered<C> {
    pub(crate) fn new(cut: C) -> Numbered<C> {
        Numbered { cut, count: 0, next_place: 0 }
    }

    /// The number of the next part, the part, and its places.
    pub(crate) fn cut<P>(&mut self) -> Option<(usize, P, Range<usize>)>
    where
        C: FnMut() -> Option<(P, usize)>,
    {
        let (part, place_count) = (self.cut)()?;
        let (number, first) = (self.count, self.next_place);
        (self.count, self.next_place) = (number + 1, first + place_count);
        Some((number, part, first..self.next_place))
    }
}

/// The error of the first part that failed.
#[derive(Debug)]
struct Failure<E> {
    /// Not behind the lock: it is read before each part.
    number: AtomicUsize,
    error: Mutex<Option<(usize, E)>>,
}

impl<E> Default for Failure<E> {
    fn default() -> Failure<E> {
        Failure { number: AtomicUsize::new(usize::MAX), error: Mutex::new(None) }
    }
}

impl<E> Failure<E> {
    fn is_before(&self, number: usize) -> bool {
        self.number.load(Ordering::Relaxed) < number
    }

    fn note(&self, number: usize, error: E) {
        self.number.fetch_min(number, Ordering::Relaxed);
        let mut first = spin_lock(&self.error);
        if first.as_ref().is_none_or(|(first, _)| number < *first) {
            *first = Some((number, error));
        }
    }

    fn outcome(self) -> Result<(), E> {
        let first = spin_lock(&self.error).take();
        first.map_or(Ok(()), |(_, error)| Err(error))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    const THREADS: usize = 3;
    const PARTS: usize = if cfg!(miri) { 20 } else { 1000 };

    /// Parts are their own numbers; number `n` takes `n % 3` places.
    fn counter() -> impl FnMut() -> Option<(usize, usize)> + Send {
        let mut numbers = 0..PARTS;
        move || numbers.next().map(|number| (number, number % 3))
    }

    #[test]
    fn every_part_is_worked_on_once_and_has_places_of_its_own() {
        let queue = WorkQueue::<_, ()>::new(counter());
        let done = Mutex::new((BTreeSet::new(), BTreeSet::new()));
        let work = |part: usize, places: Range<usize>| {
            assert_eq!(places.len(), part % 3);
            let mut done = done.lock().unwrap();
            assert!(done.0.insert(part), "part {part} again");
            for place in places {
                assert!(done.1.insert(place), "place {place} again");
            }
            Ok(())
        };
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| queue.work(work));
            }
        });
        assert_eq!(queue.outcome(), Ok(()));
        let (parts, places) = done.into_inner().unwrap();
        assert!(parts.into_iter().eq(0..PARTS));
        assert!(places.into_iter().eq(0..(0..PARTS).map(|part| part % 3).sum()));
    }

    #[test]
    fn the_error_is_that_of_the_first_part_that_fails() {
        let queue = WorkQueue::new(counter());
        let work = |part, _| if part < PARTS / 2 { Ok(()) } else { Err(part) };
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| queue.work(work));
            }
        });
        assert_eq!(queue.outcome(), Err(PARTS / 2));
    }

    #[test]
    fn no_part_is_begun_behind_one_that_failed() {
        let queue = WorkQueue::new(counter());
        let begun = Mutex::new(0);
        queue.work(|part, _| {
            *begun.lock().unwrap() += 1;
            if part == 4 { Err("wrong") } else { Ok(()) }
        });
        assert_eq!(queue.outcome(), Err("wrong"));
        assert_eq!(begun.into_inner().unwrap(), 5);
    }
}

/// Loom runs this in every order in which the threads can take the locks.
#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    #[test]
    fn the_error_is_that_of_the_first_part_that_fails() {
        loom::model(|| {
            let mut numbers = 0..3_usize;
            let queue = Arc::new(WorkQueue::new(move || numbers.next().map(|number| (number, 1))));
            let other = Arc::clone(&queue);
            let work = |part, _| if part == 0 { Ok(()) } else { Err(part) };
            let help = thread::spawn(move || other.work(work));
            queue.work(work);
            help.join().expect("the other thread ends, too");
            assert_eq!(spin_lock(&queue.failure.error).take(), Some((1, 1)));
        });
    }
}
