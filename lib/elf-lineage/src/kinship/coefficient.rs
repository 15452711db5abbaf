//! Computes Wright's coefficient of relationship, counting all paths.
//!
//! The shared gene fraction of two people is the sum of `a(X) · b(X) · d(X)` over their common
//! ancestors X. `a(X)` and `b(X)` are the shares of the two people's genes that come from X, summed
//! over all paths. `d(X)` is the part of the genes of X that does not follow from the genes of X's
//! parents. This part depends on the inbreeding of X's parents: the coefficient of inbreeding of a
//! person is half of the fraction that the person's own parents share. This is the method of
//! Henderson and Quaas for pedigrees of livestock. Its time grows with the number of people times
//! the number of couples, not with the number of paths. Wright's coefficient of relationship
//! divides the sum by `√((1 + F) · (1 + G))`, where F and G are the coefficients of inbreeding of
//! the two people.

use super::pedigree::Pedigree;
use crate::bonds::Bond;
use std::collections::HashMap;

/// Returns the coefficient of relationship by birth of the two people of a pedigree. It is the gene
/// fraction that the two share, divided by the square root of a product. The factors are the
/// fractions that each person shares with themselves, which exceed one for inbred people.
pub(super) fn relationship_coefficient(pedigree: &Pedigree) -> f64 {
    let parents: Vec<[Option<usize>; 2]> =
        (0..pedigree.len()).map(|at| parents_by_birth(pedigree, at)).collect();
    let [one, other] = pedigree.pair;
    let shared = shared_gene_fraction([one, other], &parents);
    if shared == 0.0 {
        return 0.0;
    }
    let own = |person: usize| 1.0 + inbreeding(person, &parents);
    shared / (own(one) * own(other)).sqrt()
}

/// Returns the coefficient of inbreeding of a person, which is half of the gene fraction that the
/// parents share.
fn inbreeding(person: usize, parents: &[[Option<usize>; 2]]) -> f64 {
    match parents[person] {
        [Some(father), Some(mother)] => shared_gene_fraction([father, mother], parents) / 2.0,
        [Some(_), None] | [None, _] => 0.0,
    }
}

/// Returns the gene fraction that two people share. The module documentation gives the formula.
fn shared_gene_fraction(pair: [usize; 2], parents: &[[Option<usize>; 2]]) -> f64 {
    let shares = pair.map(|person| gene_shares_from(person, parents));
    let is_common: Vec<bool> =
        std::iter::zip(&shares[0], &shares[1]).map(|(a, b)| *a > 0.0 && *b > 0.0).collect();
    let own = independent_shares(parents, &is_common);
    let terms =
        (0..parents.len()).filter(|&at| is_common[at]).map(|at| shares[0][at] * shares[1][at] * own[at]);
    // An empty sum of floats is negative zero.
    terms.sum::<f64>() + 0.0
}

fn parents_by_birth(pedigree: &Pedigree, at: usize) -> [Option<usize>; 2] {
    let mut parents =
        pedigree.parents(at).iter().filter(|edge| edge.bond == Bond::Birth).map(|edge| edge.parent);
    [parents.next(), parents.next()]
}

/// Returns, for each person of a pedigree, the share of `person`'s genes that come from this
/// person.
fn gene_shares_from(person: usize, parents: &[[Option<usize>; 2]]) -> Vec<f64> {
    let mut shares = vec![0.0; parents.len()];
    shares[person] = 1.0;
    for at in person..parents.len() {
        let half = shares[at] / 2.0;
        if half > 0.0 {
            parents[at].into_iter().flatten().for_each(|parent| shares[parent] += half);
        }
    }
    shares
}

/// Returns, for each common ancestor, the part of the genes that does not follow from the genes of
/// the parents. Every ancestor of a common ancestor is a common ancestor, too.
fn independent_shares(parents: &[[Option<usize>; 2]], is_common: &[bool]) -> Vec<f64> {
    let count = parents.len();
    let (mut own, mut inbreeding) = (vec![0.0; count], vec![0.0; count]);
    let mut known: HashMap<(usize, usize), f64> = HashMap::new();
    let mut couples = CoupleSweep { parents, shares: [vec![0.0; count], vec![0.0; count]] };
    for at in (0..count).rev().filter(|&at| is_common[at]) {
        own[at] = match parents[at] {
            [Some(father), Some(mother)] => {
                let (first, second) = (father.min(mother), father.max(mother));
                let related = known
                    .entry((first, second))
                    .or_insert_with(|| couples.find_shared_fraction(first, second, &own));
                inbreeding[at] = *related / 2.0;
                0.5 - (inbreeding[father] + inbreeding[mother]) / 4.0
            }
            [Some(parent), None] | [None, Some(parent)] => 0.75 - inbreeding[parent] / 4.0,
            [None, None] => 1.0,
        };
    }
    own
}

/// Computes the gene fractions that couples share. The lists are reused for all couples.
struct CoupleSweep<'p> {
    parents: &'p [[Option<usize>; 2]],
    /// The shares of both people. All of them are zero between two computations.
    shares: [Vec<f64>; 2],
}

impl CoupleSweep<'_> {
    /// Returns the gene fraction that two people share. `one` must not be after `other` in the pedigree, and `own`
    /// are the independent shares of their ancestors.
    fn find_shared_fraction(&mut self, one: usize, other: usize, own: &[f64]) -> f64 {
        let [first, second] = &mut self.shares;
        (first[one], second[other]) = (1.0, 1.0);
        // The number of ancestors that were reached and not visited yet.
        let mut open = if one == other { 1 } else { 2 };
        let (mut sum, mut at) = (0.0, one);
        while open > 0 {
            let [a, b] = [&mut *first, &mut *second].map(|shares| std::mem::take(&mut shares[at]));
            if a > 0.0 || b > 0.0 {
                open -= 1;
                sum += a * b * own[at];
                for parent in self.parents[at].into_iter().flatten() {
                    open += usize::from(first[parent] == 0.0 && second[parent] == 0.0);
                    first[parent] += a / 2.0;
                    second[parent] += b / 2.0;
                    // Shares that are too small for a float are ignored.
                    open -= usize::from(first[parent] == 0.0 && second[parent] == 0.0);
                }
            }
            at += 1;
        }
        sum
    }
}
