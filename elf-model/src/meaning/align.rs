//! Substructures of one type side by side, in order: which is which, which is new, which stands elsewhere.

use hashbrown::HashMap;

/// The alignment of a substructure of two lists. Numbers are places in the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alignment {
    /// The substructure stands in both lists.
    Both(usize, usize),
    /// The substructure stands in both lists, but the others are in another order around it.
    Moved(usize, usize),
    /// The substructure stands in the first list only.
    One(usize),
    /// The substructure stands in the second list only.
    Two(usize),
}

/// The most cells of the table in which the longest common part of two lists is looked for.
const TABLE: usize = 1 << 18;

/// The most substructures of each list that are compared with each other, where their pairs are not clear.
const CANDIDATES: usize = 24;

/// Says how alike two places are that do not agree.
pub(super) type Likeness<'l> = dyn Fn(usize, usize) -> u32 + 'l;

/// Lays two lists of classes side by side.
pub(super) fn align(ones: &[u32], twos: &[u32], likeness: &Likeness<'_>) -> Vec<Alignment> {
    let mut steps = Vec::with_capacity(ones.len().max(twos.len()));
    let common = common(ones, twos);
    let mut gaps = Vec::new();
    let (mut one, mut two) = (0, 0);
    for &(next_one, next_two) in common.iter().chain([&(ones.len(), twos.len())]) {
        if one < next_one || two < next_two {
            gaps.push(((one..next_one).collect::<Vec<_>>(), (two..next_two).collect::<Vec<_>>()));
        }
        (one, two) = (next_one + 1, next_two + 1);
    }
    steps.extend(common.into_iter().map(|(one, two)| Alignment::Both(one, two)));
    // What is missing in one place and new in another has moved.
    let mut new: HashMap<u32, Vec<usize>> = HashMap::new();
    for &two in gaps.iter().flat_map(|(_, twos)| twos).rev() {
        new.entry(twos.get(two).copied().unwrap_or_default()).or_default().push(two);
    }
    let mut moved = vec![false; twos.len()];
    for (gap, _) in &mut gaps {
        gap.retain(|&one| {
            let class = ones.get(one).copied().unwrap_or_default();
            let Some(two) = new.get_mut(&class).and_then(Vec::pop) else { return true };
            steps.push(Alignment::Moved(one, two));
            if let Some(entry) = moved.get_mut(two) {
                *entry = true;
            }
            false
        });
    }
    for (ones, mut twos) in gaps {
        twos.retain(|&two| !moved.get(two).copied().unwrap_or_default());
        fill(&ones, &twos, likeness, &mut steps);
    }
    steps
}

/// Lays side by side what is left between two places that agree.
fn fill(ones: &[usize], twos: &[usize], likeness: &Likeness<'_>, steps: &mut Vec<Alignment>) {
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
        if let (Some(one @ false), Some(two @ false)) = (used_one.get_mut(first), used_two.get_mut(second)) {
            (*one, *two) = (true, true);
            if let (Some(&one), Some(&two)) = (ones.get(first), twos.get(second)) {
                steps.push(Alignment::Both(one, two));
            }
        }
    }
    steps.extend(ones.iter().zip(used_one).filter(|(_, used)| !used).map(|(&one, _)| Alignment::One(one)));
    steps.extend(twos.iter().zip(used_two).filter(|(_, used)| !used).map(|(&two, _)| Alignment::Two(two)));
}

/// Places of a long common part of both lists, the longest where they are not too long for that.
fn common(ones: &[u32], twos: &[u32]) -> Vec<(usize, usize)> {
    let start = ones.iter().zip(twos).take_while(|(one, two)| one == two).count();
    let [left, right] = [ones, twos].map(|of| of.get(start..).unwrap_or_default());
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(one, two)| one == two).count();
    let mut common: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    let [left, right] = [left, right].map(|of| of.get(..of.len() - end).unwrap_or_default());
    let mut between = |from: (usize, usize), to: (usize, usize)| {
        let [left, right] = [left.get(from.0..to.0), right.get(from.1..to.1)].map(Option::unwrap_or_default);
        if left.len().saturating_mul(right.len()) <= TABLE {
            let offset = (start + from.0, start + from.1);
            common
                .extend(longest(left, right).into_iter().map(|(one, two)| (offset.0 + one, offset.1 + two)));
        }
    };
    if left.len().saturating_mul(right.len()) <= TABLE {
        between((0, 0), (left.len(), right.len()));
    } else {
        let mut from = (0, 0);
        for at in rising(left, right) {
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

/// The longest common part of two short lists, by the usual table.
fn longest(ones: &[u32], twos: &[u32]) -> Vec<(usize, usize)> {
    let width = twos.len() + 1;
    let mut table = vec![0_u32; (ones.len() + 1) * width];
    let at =
        |table: &[u32], one: usize, two: usize| table.get(one * width + two).copied().unwrap_or_default();
    for (one, first) in ones.iter().enumerate().rev() {
        for (two, second) in twos.iter().enumerate().rev() {
            let best = match first == second {
                true => at(&table, one + 1, two + 1) + 1,
                false => at(&table, one + 1, two).max(at(&table, one, two + 1)),
            };
            if let Some(entry) = table.get_mut(one * width + two) {
                *entry = best;
            }
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

/// The places of what stands once in each of two long lists, as many as are in one order in both.
fn rising(ones: &[u32], twos: &[u32]) -> Vec<(usize, usize)> {
    let mut places: HashMap<u32, [Option<usize>; 2]> = HashMap::new();
    let mut repeated: HashMap<u32, bool> = HashMap::new();
    for (side, list) in [ones, twos].into_iter().enumerate() {
        for (at, &class) in list.iter().enumerate() {
            if let Some(place) = places.entry(class).or_default().get_mut(side)
                && place.replace(at).is_some()
            {
                repeated.insert(class, true);
            }
        }
    }
    let once = ones.iter().enumerate().filter(|(_, class)| !repeated.contains_key(*class));
    let pairs: Vec<(usize, usize)> =
        once.filter_map(|(one, class)| Some((one, places.get(class).and_then(|of| of[1])?))).collect();
    // Patience sorting: the last pair of each length, and for each pair the one before it.
    let mut lasts: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let two = |number: usize| pairs.get(number).map(|&(_, two)| two);
    for (number, pair) in pairs.iter().enumerate() {
        let length = lasts.partition_point(|&last| two(last) < Some(pair.1));
        before.push(length.checked_sub(1).and_then(|length| lasts.get(length).copied()));
        match lasts.get_mut(length) {
            Some(last) => *last = number,
            None => lasts.push(number),
        }
    }
    let mut rising = Vec::with_capacity(lasts.len());
    let mut next = lasts.last().copied();
    while let Some(number) = next {
        rising.extend(pairs.get(number).copied());
        next = before.get(number).copied().flatten();
    }
    rising.reverse();
    rising
}

#[cfg(test)]
mod tests {
    use super::{Alignment, align};

    fn steps(ones: &[u32], twos: &[u32]) -> Vec<Alignment> {
        let mut steps = align(ones, twos, &|_, _| 0);
        steps.retain(|step| !matches!(step, Alignment::Both(one, two) if ones[*one] == twos[*two]));
        steps
    }

    #[test]
    fn what_is_missing_new_or_elsewhere_is_found() {
        assert_eq!(steps(&[1, 2, 3], &[1, 2, 3]), []);
        assert_eq!(steps(&[1, 2, 3], &[1, 3]), [Alignment::One(1)]);
        assert_eq!(steps(&[1, 3], &[1, 2, 3]), [Alignment::Two(1)]);
        assert_eq!(steps(&[1, 2, 3], &[1, 4, 3]), [Alignment::Both(1, 1)]);
        assert_eq!(steps(&[1, 2, 3], &[2, 3, 1]), [Alignment::Moved(0, 2)]);
        assert_eq!(steps(&[1, 1, 1], &[1]).len(), 2);
    }

    #[test]
    fn long_lists_take_no_table() {
        let ones: Vec<u32> = (0..200_000).collect();
        let mut twos = ones.clone();
        twos.remove(150_000);
        twos.insert(7, 1_000_000);
        twos.swap(50_000, 50_001);
        let found = steps(&ones, &twos);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.contains(&Alignment::One(150_000)) && found.contains(&Alignment::Two(7)));
        let reversed: Vec<u32> = ones.iter().rev().copied().collect();
        assert_eq!(steps(&ones, &reversed).len(), 199_999);
        assert_eq!(steps(&vec![1; 300_000], &vec![2; 200_000]).len(), 300_000);
    }
}
