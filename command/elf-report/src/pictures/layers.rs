//! Layered graphs: places for the boxes of a graph whose edges lead from left to right, as far as they can.
//!
//! It is the way of Sugiyama: layers by the longest path; edges over several layers cut at places of their
//! own; the order within layers by the mean place of neighbours; and places that are nearest to that mean,
//! found at once for a layer by pooling what would overlap. Circles are cut where they must be.

/// The most places that edges over several layers are cut at; beyond that they are drawn straight.
const CUTS: usize = 20_000;
/// The number of times that orders and places are mended in either direction.
const SWEEPS: usize = 8;

/// A graph to be laid out: the heights of its boxes, gaps included, and its edges by their numbers, each of
/// which is less than the number of boxes.
#[derive(Debug)]
pub(crate) struct Layered<'g> {
    pub(crate) heights: &'g [f64],
    pub(crate) edges: &'g [(usize, usize)],
}

/// The places of boxes and edges.
#[derive(Debug)]
pub(crate) struct LayeredPlaces {
    /// The layer and the upper end of each box, and of each cut behind them.
    pub(crate) boxes: Vec<(usize, f64)>,
    /// The cuts of each edge, by their numbers among the boxes, from left to right.
    pub(crate) cuts: Vec<Vec<usize>>,
}

impl Layered<'_> {
    /// Finds the places.
    pub(crate) fn places(&self) -> LayeredPlaces {
        let layers = self.layers();
        let mut all = layers.clone();
        let mut heights = self.heights.to_vec();
        let mut short: Vec<(usize, usize)> = Vec::new();
        let mut cuts = Vec::with_capacity(self.edges.len());
        for &(from, to) in self.edges {
            let (left, right) = if layers[from] <= layers[to] { (from, to) } else { (to, from) };
            let between = layers[left] + 1..layers[right];
            let has_room = all.len() - layers.len() + between.len() <= CUTS;
            let mut last = left;
            let mut of_edge = Vec::new();
            for layer in between.take_while(|_| has_room) {
                let cut = all.len();
                all.push(layer);
                heights.push(CUT_HEIGHT);
                short.push((last, cut));
                of_edge.push(cut);
                last = cut;
            }
            short.push((last, right));
            cuts.push(of_edge);
        }
        let tops = Ordering::new(&all, &heights, &short).tops();
        LayeredPlaces { boxes: all.into_iter().zip(tops).collect(), cuts }
    }

    /// The layer of each box: one more than that of the last that leads to it. Where only a circle is left,
    /// its first box goes on.
    fn layers(&self) -> Vec<usize> {
        let count = self.heights.len();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut waiting = vec![0_usize; count];
        for &(from, to) in self.edges {
            next[from].push(to);
            waiting[to] += 1;
        }
        let mut layers = vec![0; count];
        let mut is_done = vec![false; count];
        let mut ready: Vec<usize> = (0..count).filter(|&at| waiting[at] == 0).collect();
        let mut first = 0;
        loop {
            let at = match ready.pop() {
                Some(at) => at,
                None => match (first..count).find(|&at| !is_done[at]) {
                    Some(at) => {
                        first = at;
                        at
                    }
                    None => break,
                },
            };
            if std::mem::replace(&mut is_done[at], true) {
                continue;
            }
            for &to in &next[at] {
                if is_done[to] {
                    continue;
                }
                layers[to] = layers[to].max(layers[at] + 1);
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    ready.push(to);
                }
            }
        }
        self.pull(&mut layers);
        layers
    }

    /// Pulls boxes that nothing leads to next to the first that they lead to.
    fn pull(&self, layers: &mut [usize]) {
        let mut is_led_to = vec![false; layers.len()];
        let mut nearest: Vec<Option<usize>> = vec![None; layers.len()];
        for &(from, to) in self.edges {
            let layer = layers[to];
            nearest[from] = Some(nearest[from].map_or(layer, |nearest| nearest.min(layer)));
            is_led_to[to] = true;
        }
        for ((layer, nearest), is_led_to) in layers.iter_mut().zip(nearest).zip(is_led_to) {
            if let Some(nearest) = nearest.filter(|_| !is_led_to) {
                *layer = nearest.saturating_sub(1);
            }
        }
    }
}

/// The room that an edge takes in a layer that it passes.
const CUT_HEIGHT: f64 = 8.0;

/// Boxes and cuts in their layers, of which each edge joins two neighbouring ones.
struct Ordering<'o> {
    layers: Vec<Vec<usize>>,
    heights: &'o [f64],
    /// The neighbours of each on the left, and on the right.
    neighbours: [Vec<Vec<usize>>; 2],
    tops: Vec<f64>,
}

impl Ordering<'_> {
    fn new<'o>(all: &[usize], heights: &'o [f64], edges: &[(usize, usize)]) -> Ordering<'o> {
        let mut neighbours = [vec![Vec::new(); all.len()], vec![Vec::new(); all.len()]];
        let [left, right] = &mut neighbours;
        for &(from, to) in edges {
            left[to].push(from);
            right[from].push(to);
        }
        let count = all.iter().max().map_or(0, |most| most + 1);
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
        // What hangs together stands together from the beginning: a walk from each first box down.
        let mut is_met = vec![false; all.len()];
        let mut firsts: Vec<usize> = (0..all.len()).rev().collect();
        firsts.sort_by_key(|&at| left[at].is_empty());
        while let Some(at) = firsts.pop() {
            if std::mem::replace(&mut is_met[at], true) {
                continue;
            }
            layers[all[at]].push(at);
            firsts.extend(right[at].iter().rev());
        }
        Ordering { layers, heights, neighbours, tops: vec![0.0; all.len()] }
    }

    fn middle(&self, at: usize) -> f64 {
        self.tops[at] + self.heights[at] / 2.0
    }

    /// The mean of the middles of the neighbours on a side, or the own middle where there are none.
    fn wish(&self, at: usize, side: usize) -> f64 {
        let neighbours = &self.neighbours[side][at];
        match neighbours.len() {
            0 => self.middle(at),
            count => neighbours.iter().map(|&one| self.middle(one)).sum::<f64>() / count as f64,
        }
    }

    /// The upper ends, the least at 0.
    fn tops(mut self) -> Vec<f64> {
        for layer in 0..self.layers.len() {
            self.place(layer, 0);
        }
        for sweep in 0..SWEEPS {
            let is_ordering = sweep < SWEEPS / 2;
            for layer in 0..self.layers.len() {
                self.mend(layer, 0, is_ordering);
            }
            // Those on the left come last, so that they stand amid what they lead to.
            for layer in (0..self.layers.len()).rev() {
                self.mend(layer, 1, is_ordering);
            }
        }
        let least = self.tops.iter().copied().fold(f64::INFINITY, f64::min);
        self.tops.iter_mut().for_each(|top| *top -= least);
        self.tops
    }

    /// Puts a layer in the order of what its boxes wish, if that is asked, and places it.
    fn mend(&mut self, layer: usize, side: usize, is_ordering: bool) {
        if is_ordering {
            let mut wishes: Vec<(f64, usize)> =
                self.layers[layer].iter().map(|&at| (self.wish(at, side), at)).collect();
            wishes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            self.layers[layer] = wishes.into_iter().map(|(_, at)| at).collect();
        }
        self.place(layer, side);
    }

    /// Places the boxes of a layer, in their order, as near as can be to what they wish: those that would
    /// overlap are pooled, and share the mean.
    fn place(&mut self, layer: usize, side: usize) {
        let boxes = &self.layers[layer];
        let mut pools: Vec<Pool> = Vec::new();
        let mut before = 0.0;
        for (number, &at) in boxes.iter().enumerate() {
            let wish = self.wish(at, side) - self.heights[at] / 2.0 - before;
            let mut pool = Pool { sum: wish, count: 1.0, first: number };
            while let Some(last) = pools.pop_if(|last| last.mean() >= pool.mean()) {
                pool = Pool { sum: last.sum + pool.sum, count: last.count + pool.count, first: last.first };
            }
            pools.push(pool);
            before += self.heights[at];
        }
        let mut before = 0.0;
        for (number, pool) in pools.iter().enumerate() {
            let end = pools.get(number + 1).map_or(boxes.len(), |next| next.first);
            for &at in &boxes[pool.first..end] {
                self.tops[at] = pool.mean() + before;
                before += self.heights[at];
            }
        }
    }
}

/// Neighbouring boxes of a layer that touch each other.
struct Pool {
    /// The sum of the places that the boxes wish, each less the heights of the boxes before it.
    sum: f64,
    /// The number of boxes.
    count: f64,
    /// The number of the first box in the layer.
    first: usize,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.sum / self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_type_stands_right_of_all_its_supertypes() {
        // 0 above 1 and 2, both above 3; 4 beside 1 above 3; 0 above 3 at once.
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (4, 3), (0, 3)];
        let places = Layered { heights: &[10.0; 5], edges: &edges }.places();
        let layers: Vec<usize> = places.boxes.iter().map(|one| one.0).collect();
        assert_eq!(layers, [0, 1, 1, 2, 1, 1]);
        assert_eq!(places.cuts[5], [5]);
    }

    proptest! {
        #[test]
        fn boxes_of_a_layer_are_apart_whatever_the_edges(
            heights in proptest::collection::vec(1_u8..40, 1..30),
            edges in proptest::collection::vec((0_usize..30, 0_usize..30), 0..60),
        ) {
            let heights: Vec<f64> = heights.into_iter().map(f64::from).collect();
            let edges: Vec<(usize, usize)> =
                edges.into_iter().map(|(a, b)| (a % heights.len(), b % heights.len())).collect();
            let places = Layered { heights: &heights, edges: &edges }.places();
            for (at, (layer, top)) in places.boxes.iter().enumerate().take(heights.len()) {
                for (other, (other_layer, other_top)) in places.boxes.iter().enumerate().take(at) {
                    let is_apart = top + heights[at] <= other_top + 1e-6 || other_top + heights[other] <= top + 1e-6;
                    prop_assert!(layer != other_layer || is_apart);
                }
            }
        }
    }
}
