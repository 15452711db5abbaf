//! Aligns two lists of substructures of one type. Finds the substructures that are in both lists, in one list only, or
//! moved.

use hashbrown::{HashMap, HashSet};

/// The alignment of a substructure in two lists. The numbers are indices into the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alignment {
    /// The substructure is in both lists.
    Both(usize, usize),
    /// The substructure is in both lists, but its order among the others is different.
    Moved(usize, usize),
    /// The substructure is in the first list only.
    One(usize),
    /// The substructure is in the second list only.
    Two(usize),
}

/// The maximum size of the table for finding a longest common subsequence.
const TABLE: usize = 1 << 18;

/// The maximum length of lists whose substructures are compared with each other by likeness.
const CANDIDATES: usize = 24;

/// A function that returns the likeness of the substructures at two indices. The substructures are not equal.
pub(super) type Likeness<'l> = dyn Fn(usize, usize) -> u32 + 'l;

/// The indices of both lists between two successive pairs of the common subsequence.
struct Gap {
    ones: Vec<usize>,
    twos: Vec<usize>,
}

pub(super) fn align_lists(ones: &[u64], twos: &[u64], likeness: &Likeness<'_>) -> Vec<Alignment> {
    let mut steps = Vec::with_capacity(ones.len().max(twos.len()));
    let common = common_subsequence(ones, twos);
    let mut gaps = find_gaps(&common, ones.len(), twos.len());
    steps.extend(common.into_iter().map(|(one, two)| Alignment::Both(one, two)));
    align_moved(ones, twos, &mut gaps, &mut steps);
    for gap in gaps {
        align_unequal(&gap.ones, &gap.twos, likeness, &mut steps);
    }
    steps
}

fn find_gaps(common: &[(usize, usize)], len_of_ones: usize, len_of_twos: usize) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let (mut one, mut two) = (0, 0);
    for &(next_one, next_two) in common.iter().chain([&(len_of_ones, len_of_twos)]) {
        if one < next_one || two < next_two {
            gaps.push(Gap { ones: (one..next_one).collect(), twos: (two..next_two).collect() });
        }
        (one, two) = (next_one + 1, next_two + 1);
    }
    gaps
}

/// Finds substructures that are missing in one gap and new in another gap. Removes them from the gaps.
fn align_moved(ones: &[u64], twos: &[u64], gaps: &mut [Gap], steps: &mut Vec<Alignment>) {
    let mut new: HashMap<u64, Vec<usize>> = HashMap::new();
    for &two in gaps.iter().flat_map(|gap| &gap.twos).rev() {
        new.entry(twos[two]).or_default().push(two);
    }
    let mut moved = vec![false; twos.len()];
    for gap in &mut *gaps {
        gap.ones.retain(|&one| {
            let Some(two) = new.get_mut(&ones[one]).and_then(Vec::pop) else { return true };
            steps.push(Alignment::Moved(one, two));
            moved[two] = true;
            false
        });
    }
    for gap in gaps {
        gap.twos.retain(|&two| !moved[two]);
    }
}

/// Aligns the substructures of a gap, beginning with the most similar pairs. No two of these substructures are equal.
fn align_unequal(ones: &[usize], twos: &[usize], likeness: &Likeness<'_>, steps: &mut Vec<Alignment>) {
    let few = ones.len() <= CANDIDATES && twos.len() <= CANDIDATES;
    if ones.len() == twos.len() && ones.len() < 2 || !few {
        let both = ones.len().min(twos.len());
        steps.extend(ones.iter().zip(twos).map(|(&one, &two)| Alignment::Both(one, two)));
        steps.extend(ones.iter().skip(both).map(|&one| Alignment::One(one)));
        steps.extend(twos.iter().skip(both).map(|&two| Alignment::Two(two)));
        return;
    }
    let mut pairs = Vec::with_capacity(ones.len() * twos.len());
    for (first, &one) in ones.iter().enumerate() {
        for (second, &two) in twos.iter().enumerate() {
            pairs.push((u32::MAX - likeness(one, two), first.abs_diff(second), first, second));
        }
    }
    pairs.sort_unstable();
    let (mut used_one, mut used_two) = (vec![false; ones.len()], vec![false; twos.len()]);
    for (_, _, first, second) in pairs {
        if !used_one[first] && !used_two[second] {
            (used_one[first], used_two[second]) = (true, true);
            steps.push(Alignment::Both(ones[first], twos[second]));
        }
    }
    steps.extend(ones.iter().zip(used_one).filter(|(_, used)| !used).map(|(&one, _)| Alignment::One(one)));
    steps.extend(twos.iter().zip(used_two).filter(|(_, used)| !used).map(|(&two, _)| Alignment::Two(two)));
}

/// Returns the index pairs of a long common subsequence. The subsequence is a longest one, unless both lists are very
/// long.
fn common_subsequence(ones: &[u64], twos: &[u64]) -> Vec<(usize, usize)> {
    let start = ones.iter().zip(twos).take_while(|(one, two)| one == two).count();
    let [left, right] = [&ones[start..], &twos[start..]];
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(one, two)| one == two).count();
    let mut common: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    let [left, right] = [left, right].map(|of| &of[..of.len() - end]);
    let mut between = |from: (usize, usize), to: (usize, usize)| {
        let [left, right] = [&left[from.0..to.0], &right[from.1..to.1]];
        if left.len().saturating_mul(right.len()) <= TABLE {
            let offset = (start + from.0, start + from.1);
            common.extend(
                longest_common(left, right).into_iter().map(|(one, two)| (offset.0 + one, offset.1 + two)),
            );
        }
    };
    if left.len().saturating_mul(right.len()) <= TABLE {
        between((0, 0), (left.len(), right.len()));
    } else {
        let mut from = (0, 0);
        for at in longest_common_of_unique(left, right) {
            between(from, at);
            between(at, (at.0 + 1, at.1 + 1));
            from = (at.0 + 1, at.1 + 1);
        }
        between(from, (left.len(), right.len()));
    }
    let (one, two) = (ones.len() - end, twos.len() - end);
    common.extend((0..end).map(|at| (one + at, two + at)));
    common
}

/// Returns the index pairs of a longest common subsequence. The lists must be short, because the function uses dynamic
/// programming.
fn longest_common(ones: &[u64], twos: &[u64]) -> Vec<(usize, usize)> {
    let width = twos.len() + 1;
    let mut table = vec![0_u32; (ones.len() + 1) * width];
    let at = |table: &[u32], one: usize, two: usize| table[one * width + two];
    for (one, first) in ones.iter().enumerate().rev() {
        for (two, second) in twos.iter().enumerate().rev() {
            let best = match first == second {
                true => at(&table, one + 1, two + 1) + 1,
                false => at(&table, one + 1, two).max(at(&table, one, two + 1)),
            };
            table[one * width + two] = best;
        }
    }
    let mut common = Vec::new();
    let (mut one, mut two) = (0, 0);
    while let (Some(first), Some(second)) = (ones.get(one), twos.get(two)) {
        if first == second {
            common.push((one, two));
            (one, two) = (one + 1, two + 1);
        } else if at(&table, one + 1, two) >= at(&table, one, two + 1) {
            one += 1;
        } else {
            two += 1;
        }
    }
    common
}

/// Returns the index pairs of a longest common subsequence of the hashes that occur once in each list.
fn longest_common_of_unique(ones: &[u64], twos: &[u64]) -> Vec<(usize, usize)> {
    let mut places: HashMap<u64, [Option<usize>; 2]> = HashMap::new();
    let mut repeated: HashSet<u64> = HashSet::new();
    for (side, list) in [ones, twos].into_iter().enumerate() {
        for (at, &hash) in list.iter().enumerate() {
            if places.entry(hash).or_default()[side].replace(at).is_some() {
                repeated.insert(hash);
            }
        }
    }
    let once = ones.iter().enumerate().filter(|(_, hash)| !repeated.contains(*hash));
    let pairs: Vec<(usize, usize)> = once.filter_map(|(one, hash)| Some((one, places[hash][1]?))).collect();
    // This is patience sorting. `lasts` contains the last pair for each length, and each pair refers to the pair before
    // it.
    let mut lasts: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, &(_, two)) in pairs.iter().enumerate() {
        let length = lasts.partition_point(|&last| pairs[last].1 < two);
        before.push(length.checked_sub(1).map(|length| lasts[length]));
        if length == lasts.len() {
            lasts.push(number);
        } else {
            lasts[length] = number;
        }
    }
    let mut rising = Vec::with_capacity(lasts.len());
    let mut next = lasts.last().copied();
    while let Some(number) = next {
        rising.push(pairs[number]);
        next = before[number];
    }
    rising.reverse();
    rising
}

#[cfg(test)]
mod tests {
    use super::{Alignment, align_lists};

    fn steps(ones: &[u64], twos: &[u64]) -> Vec<Alignment> {
        let mut steps = align_lists(ones, twos, &|_, _| 0);
        steps.retain(|step| !matches!(step, Alignment::Both(one, two) if ones[*one] == twos[*two]));
        steps
    }

    #[test]
    fn missing_new_and_moved_items_are_found() {
        assert_eq!(steps(&[1, 2, 3], &[1, 2, 3]), []);
        assert_eq!(steps(&[1, 2, 3], &[1, 3]), [Alignment::One(1)]);
        assert_eq!(steps(&[1, 3], &[1, 2, 3]), [Alignment::Two(1)]);
        assert_eq!(steps(&[1, 2, 3], &[1, 4, 3]), [Alignment::Both(1, 1)]);
        assert_eq!(steps(&[1, 2, 3], &[2, 3, 1]), [Alignment::Moved(0, 2)]);
        assert_eq!(steps(&[1, 1, 1], &[1]).len(), 2);
    }

    #[test]
    fn long_lists_are_aligned_without_a_table() {
        let ones: Vec<u64> = (0..200_000).collect();
        let mut twos = ones.clone();
        twos.remove(150_000);
        twos.insert(7, 1_000_000);
        twos.swap(50_000, 50_001);
        let found = steps(&ones, &twos);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.contains(&Alignment::One(150_000)) && found.contains(&Alignment::Two(7)));
        let reversed: Vec<u64> = ones.iter().rev().copied().collect();
        assert_eq!(steps(&ones, &reversed).len(), 199_999);
        assert_eq!(steps(&vec![1; 300_000], &vec![2; 200_000]).len(), 300_000);
    }
}
