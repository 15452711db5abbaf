//! Layered graphs: computes positions for the boxes of a graph so that its edges lead from left to right where
//! possible.
//!
//! This is the method of Sugiyama. Each box gets the layer of its longest path. An edge over several layers is divided
//! at points ("cuts") that have their own position in each layer. Boxes in a layer are sorted by the mean position of
//! their neighbours, and are placed as near to that mean as possible; boxes that would overlap share the distance.
//! Cycles are broken where necessary.

/// The maximum number of cuts. If there are more, long edges are drawn as straight lines.
const CUTS: usize = 20_000;
/// The number of passes that improve order and positions, in each direction.
const SWEEPS: usize = 8;

/// A graph to lay out: the heights of its boxes including gaps, and its edges as pairs of box indices.
#[derive(Debug)]
pub(crate) struct Layered<'g> {
    pub(crate) heights: &'g [f64],
    pub(crate) edges: &'g [(usize, usize)],
}

/// The positions of boxes and edges.
#[derive(Debug)]
pub(crate) struct LayeredPlaces {
    /// The layer and top of each box. The cuts follow the boxes.
    pub(crate) boxes: Vec<(usize, f64)>,
    /// The cuts of each edge from left to right, as indices into `boxes`.
    pub(crate) cuts: Vec<Vec<usize>>,
}

impl Layered<'_> {
    /// Computes the positions.
    pub(crate) fn compute_places(&self) -> LayeredPlaces {
        let layers = self.assign_layers();
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
        let tops = Ordering::new(&all, &heights, &short).compute_tops();
        LayeredPlaces { boxes: all.into_iter().zip(tops).collect(), cuts }
    }

    /// Returns the layer of each box: one more than the highest layer of a box with an edge to it. If only cycles are
    /// left, the first box of a cycle is processed next.
    fn assign_layers(&self) -> Vec<usize> {
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
        self.pull_to_successors(&mut layers);
        layers
    }

    /// Moves boxes without incoming edges next to the first box that they have an edge to.
    fn pull_to_successors(&self, layers: &mut [usize]) {
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

/// The height of an edge in a layer that it crosses.
const CUT_HEIGHT: f64 = 8.0;

/// Boxes and cuts in their layers. Each edge joins adjacent layers.
struct Ordering<'o> {
    layers: Vec<Vec<usize>>,
    heights: &'o [f64],
    /// The neighbours of each box or cut, on the left and on the right.
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
        // Start with connected boxes next to each other: walk the graph from each box of the first layer.
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

    /// Returns the mean of the centers of the neighbours on a side. Without neighbours, the box's own center.
    fn desired_middle(&self, at: usize, side: usize) -> f64 {
        let neighbours = &self.neighbours[side][at];
        match neighbours.len() {
            0 => self.middle(at),
            count => neighbours.iter().map(|&one| self.middle(one)).sum::<f64>() / count as f64,
        }
    }

    /// Computes the tops. The smallest is 0.
    fn compute_tops(mut self) -> Vec<f64> {
        for layer in 0..self.layers.len() {
            self.place_layer(layer, 0);
        }
        for sweep in 0..SWEEPS {
            let is_ordering = sweep < SWEEPS / 2;
            for layer in 0..self.layers.len() {
                self.improve_layer(layer, 0, is_ordering);
            }
            // Process the left side last, so that boxes are centered between the boxes that they have edges to.
            for layer in (0..self.layers.len()).rev() {
                self.improve_layer(layer, 1, is_ordering);
            }
        }
        let least = self.tops.iter().copied().fold(f64::INFINITY, f64::min);
        self.tops.iter_mut().for_each(|top| *top -= least);
        self.tops
    }

    /// Places the boxes of a layer. If `is_ordering`, sorts them by their desired position first.
    fn improve_layer(&mut self, layer: usize, side: usize, is_ordering: bool) {
        if is_ordering {
            let mut wishes: Vec<(f64, usize)> =
                self.layers[layer].iter().map(|&at| (self.desired_middle(at, side), at)).collect();
            wishes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            self.layers[layer] = wishes.into_iter().map(|(_, at)| at).collect();
        }
        self.place_layer(layer, side);
    }

    /// Places the boxes of a layer in their order, as near to their desired positions as possible. Boxes that would
    /// overlap are pooled and placed around the mean of their desired positions.
    fn place_layer(&mut self, layer: usize, side: usize) {
        let boxes = &self.layers[layer];
        let mut pools: Vec<Pool> = Vec::new();
        let mut before = 0.0;
        for (number, &at) in boxes.iter().enumerate() {
            let wish = self.desired_middle(at, side) - self.heights[at] / 2.0 - before;
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

/// Adjacent boxes of a layer that touch each other.
struct Pool {
    /// The sum of the desired positions of the boxes, each minus the heights of the boxes before it.
    sum: f64,
    /// The number of boxes.
    count: f64,
    /// The index of the first box in the layer.
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
        let places = Layered { heights: &[10.0; 5], edges: &edges }.compute_places();
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
            let places = Layered { heights: &heights, edges: &edges }.compute_places();
            for (at, (layer, top)) in places.boxes.iter().enumerate().take(heights.len()) {
                for (other, (other_layer, other_top)) in places.boxes.iter().enumerate().take(at) {
                    let is_apart = top + heights[at] <= other_top + 1e-6 || other_top + heights[other] <= top + 1e-6;
                    prop_assert!(layer != other_layer || is_apart);
                }
            }
        }
    }
}
