//! The order of siblings that are added one by one, each at an index.

/// Puts siblings in order: each is inserted at its index among those before it, or after them if it has no index or there
/// are fewer. `SceneState::instantiate` does so (scene/resources/packed_scene.cpp, Godot 4.6.3), one after the other; here
/// it takes no longer for many at the front.
///
/// ```
/// use godot_project::in_sibling_order;
///
/// let added = vec![(None, "A"), (None, "B"), (Some(0), "C"), (Some(1), "D"), (Some(9), "E")];
/// assert_eq!(in_sibling_order(added), ["C", "D", "A", "B", "E"]);
/// ```
pub fn in_sibling_order<T>(added: Vec<(Option<usize>, T)>) -> Vec<T> {
    let is_behind =
        |(at, (index, _)): (usize, &(Option<usize>, T))| index.is_none_or(|index| index >= at);
    if added.iter().enumerate().all(is_behind) {
        return added.into_iter().map(|(_, sibling)| sibling).collect();
    }
    // The last one is where its index says. Each one before it has the place that its index counts among those still free.
    let mut free = FreePlaces::new(added.len());
    let mut order: Vec<Option<T>> = added.iter().map(|_| None).collect();
    for (at, (index, sibling)) in added.into_iter().enumerate().rev() {
        order[free.take(index.map_or(at, |index| index.min(at)))] = Some(sibling);
    }
    order.into_iter().flatten().collect()
}

/// A Fenwick tree: each entry counts the free places of a range that ends with it.
struct FreePlaces(Vec<usize>);

impl FreePlaces {
    fn new(count: usize) -> Self {
        Self((0..=count).map(|entry| entry & entry.wrapping_neg()).collect())
    }

    /// Takes the free place before which there are `before` others.
    fn take(&mut self, mut before: usize) -> usize {
        let mut place = 0;
        let mut step = self.0.len().next_power_of_two();
        while step > 0 {
            match self.0.get(place + step) {
                Some(free) if *free <= before => {
                    before -= free;
                    place += step;
                }
                // The place is in this range.
                Some(free) => self.0[place + step] = free - 1,
                None => {}
            }
            step /= 2;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::in_sibling_order;

    #[test]
    fn as_one_after_the_other() {
        let mut random = fastrand::Rng::with_seed(7);
        for count in (0..40).chain([100, 1000]) {
            let added: Vec<(Option<usize>, usize)> = (0..count)
                .map(|sibling| (random.bool().then(|| random.usize(..=count)), sibling))
                .collect();
            let mut expected = Vec::new();
            for (index, sibling) in &added {
                let at = index.unwrap_or(usize::MAX).min(expected.len());
                expected.insert(at, *sibling);
            }
            assert_eq!(in_sibling_order(added.clone()), expected, "{added:?}");
        }
    }
}
