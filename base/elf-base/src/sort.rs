//! Sorting by numbers.

/// Sorts by a number, stably: of those that have the same, the first stays first.
///
/// The sorts of the standard library are compiled anew for each type and each key, which takes the compiler a
/// tenth of a second and a program ten thousand octets; of this one only the swaps are. It takes sixteen
/// octets for each item while it sorts, and asks for each number once; of sixteen items or fewer it takes no
/// memory and asks more often, so the number should be at hand.
///
/// ```
/// use elf_base::sort_by_number;
///
/// let mut years = [("Max", 1900), ("Ada", 1815), ("Eva", 1900)];
/// sort_by_number(&mut years, |(_, year)| *year);
/// assert_eq!(years.map(|(name, _)| name), ["Ada", "Max", "Eva"]);
/// ```
pub fn sort_by_number<T>(items: &mut [T], mut number: impl FnMut(&T) -> u64) {
    if items.len() > FEW {
        let mut order: Vec<(u64, usize)> = items.iter().map(number).zip(0..).collect();
        if sort_numbers(&mut order) {
            for (at, (_, from)) in order.into_iter().enumerate() {
                items.swap(at, from);
            }
        }
        return;
    }
    let mut last = 1;
    while last < items.len() {
        let mut at = last;
        while let Some([before, here]) = items.get_mut(at.wrapping_sub(1)..=at)
            && number(before) > number(here)
        {
            std::mem::swap(before, here);
            at -= 1;
        }
        last += 1;
    }
}

/// Two numbers as one, of which the first counts first: for [`sort_by_number`].
///
/// ```
/// use elf_base::number_pair;
///
/// assert!(number_pair(1, u32::MAX) < number_pair(2, 0) && number_pair(2, 0) < number_pair(2, 1));
/// ```
#[inline]
pub const fn number_pair(first: u32, second: u32) -> u64 {
    (first as u64) << u32::BITS | second as u64
}

/// The number of items that are put at their places one by one.
const FEW: usize = 16;

/// Sorts numbers with their indices, and makes of these what is to be swapped with each place in turn;
/// returns whether anything is.
fn sort_numbers(order: &mut [(u64, usize)]) -> bool {
    if order.is_sorted() {
        return false;
    }
    order.sort_unstable();
    for at in 0..order.len() {
        // What stood at a place before this one has been swapped away; to where, the order of that place
        // says. Each swap moves one item, so all these walks together have as many steps as there are swaps.
        let mut from = order.get(at).map_or(at, |&(_, from)| from);
        while from < at {
            from = order.get(from).map_or(at, |&(_, from)| from);
        }
        if let Some(entry) = order.get_mut(at) {
            entry.1 = from;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut seed = 7_u64;
        for count in (0..40).chain([63, 1000]) {
            for keys in [1, 3, 100_000] {
                let mut random = || {
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    seed >> 33
                };
                let mut items: Vec<(u64, usize)> = (0..count).map(|at| (random() % keys, at)).collect();
                let mut expected = items.clone();
                expected.sort_by_key(|item| item.0);
                sort_by_number(&mut items, |item| item.0);
                assert_eq!(items, expected, "{count} of {keys}");
                sort_by_number(&mut items, |item| !item.0);
                expected.sort_by_key(|item| std::cmp::Reverse(item.0));
                assert_eq!(items, expected, "{count} of {keys}, the greatest first");
            }
        }
    }
}
