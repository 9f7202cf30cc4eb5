// The positions of nodes and links in a picture of a given width and height.

/** Limits of the unit of all sizes, in pixels; the largest unit that fits is used. */
const LARGEST = 76, SMALLEST = 30;
/** Smallest unit if members of groups are labelled with their numbers only, in pixels. */
const CROWDED = 24;
const HALF_HEIGHT = 0.22;
/** Space around the picture, between nodes, and along a link for a queue, in units. */
const MARGIN = 0.2, APART = 0.15, LINK = 1.25;
/** Space for a queue beside its link, in units. */
const CLEAR = 0.36;
/** Number of nodes beyond which overlaps are accepted. */
const MANY = 150;
/** Limit of the ratio of the scales in the two directions. */
const STRETCH = 3.2;

export class Plan {
  /** `width` and `height` of the picture are in pixels. */
  constructor(layout, width, height) {
    this.layout = layout;
    this.ways = new Map();
    this.neighbours = layout.nodes.map(() => new Set());
    for (const { ends: [one, other] } of layout.links) {
      this.neighbours[one].add(other);
      this.neighbours[other].add(one);
    }
    const names = layout.nodes.map(({ name }) => name), short = layout.nodes.map((node) => node.short);
    if (!this.fits(names, 0.4, width, height, SMALLEST)) this.fits(short, 0.2, width, height, CROWDED);
  }

  /** Finds the largest unit with which everything fits, for nodes with these labels; false if none does. */
  fits(names, least, width, height, smallest) {
    this.names = names;
    this.halves = names.map((name) => Math.max(least, 0.0625 * name.length + 0.12));
    for (this.unit = LARGEST; this.unit >= smallest; this.unit *= 0.94) {
      this.spread(width / this.unit, height / this.unit);
      if (this.isFree()) return true;
    }
    return false;
  }

  /** Places the nodes in a picture of this size in units. */
  spread(width, height) {
    const { nodes } = this.layout;
    const widest = Math.max(...this.halves);
    const [left, right] = extent(nodes.map(({ x }) => x)), [top, bottom] = extent(nodes.map(({ y }) => y));
    const free = [width - 2 * (widest + MARGIN), height - 2 * (HALF_HEIGHT + MARGIN)].map((each) => Math.max(each, 0.1));
    let [across, down] = [free[0] / (right - left || 1), free[1] / (bottom - top || 1)];
    if (right > left && bottom > top) [across, down] = [Math.min(across, down * STRETCH), Math.min(down, across * STRETCH)];
    Object.assign(this, { width, height });
    this.places = nodes.map(({ x, y }) => ({
      x: width / 2 + (x - (left + right) / 2) * across,
      y: height / 2 + (y - (top + bottom) / 2) * down,
    }));
  }

  /** True if no nodes overlap, and every link has space for a queue. */
  isFree() {
    const { places, halves } = this;
    if (places.length > MANY) return false;
    const areApart = places.every((one, index) => places.every((other, rank) => rank <= index
      || Math.abs(one.x - other.x) >= halves[index] + halves[rank] + APART
      || Math.abs(one.y - other.y) >= 2 * HALF_HEIGHT + APART));
    if (!areApart) return false;
    this.ways.clear();
    return this.layout.links.every((_, link) => {
      const { start, end } = this.way(2 * link);
      return end - start >= LINK;
    });
  }

  /** Numbers of the nodes at the start and at the end of a hop. */
  ends(hop) {
    const [first, second] = this.layout.links[hop >> 1].ends;
    return hop & 1 ? [second, first] : [first, second];
  }

  /** The visible part of a hop, from the border of one node to that of the other. */
  way(hop) {
    if (!this.ways.has(hop)) this.ways.set(hop, this.wayOf(hop));
    return this.ways.get(hop);
  }

  wayOf(hop) {
    const [from, to] = this.ends(hop);
    const [one, other] = [this.places[from], this.places[to]];
    const length = Math.hypot(other.x - one.x, other.y - one.y) || 1;
    const [across, down] = [(other.x - one.x) / length, (other.y - one.y) / length];
    const start = this.border(from, across, down);
    const end = Math.max(start + 0.05, length - this.border(to, across, down));
    return { from: one, to: other, x: one.x, y: one.y, across, down, start, end, crowded: this.crowded(from, to) };
  }

  border(node, across, down) {
    return Math.min(this.halves[node] / Math.abs(across || 1e-9), HALF_HEIGHT / Math.abs(down || 1e-9));
  }

  /** Distance from a node at which the queue of a link is clear of the next link. */
  crowded(from, to) {
    const direction = (node) => Math.atan2(this.places[node].y - this.places[from].y, this.places[node].x - this.places[from].x);
    const own = direction(to);
    const gaps = [...this.neighbours[from]].filter((node) => node !== to).map((node) => {
      const gap = Math.abs(direction(node) - own);
      return Math.min(gap, 2 * Math.PI - gap);
    });
    return CLEAR / Math.max(Math.min(...gaps, Math.PI), 0.05);
  }

  /** The border of the box of a node. */
  box(node) {
    const half = this.halves[node], { x, y } = this.places[node];
    return { x: x - half, y: y - HALF_HEIGHT, width: 2 * half, height: 2 * HALF_HEIGHT };
  }
}

function extent(values) {
  return [Math.min(...values), Math.max(...values)];
}
