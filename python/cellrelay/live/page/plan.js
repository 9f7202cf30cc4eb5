// Where nodes, and the ways between them, are drawn in a place of some width and height.

/** Pixels for one unit, in which all sizes are: as large as there is room for. */
const LARGEST = 76, SMALLEST = 30;
/** The same where members of groups are told by their numbers alone. */
const CROWDED = 24;
const HALF_HEIGHT = 0.22;
/** Between the border of the place and the nodes; between nodes; and along a link, for a queue. */
const MARGIN = 0.2, APART = 0.15, LINK = 1.25;
/** What a queue needs beside its link. */
const CLEAR = 0.36;
/** Beyond so many nodes nobody looks whether they overlap. */
const MANY = 150;
/** A layout is stretched in one direction at most by so much more than in the other. */
const STRETCH = 3.2;

export class Plan {
  /** `width` and `height` of the place are in pixels. */
  constructor(scene, width, height) {
    this.scene = scene;
    this.ways = new Map();
    this.neighbours = scene.nodes.map(() => new Set());
    for (const { ends: [one, other] } of scene.links) {
      this.neighbours[one].add(other);
      this.neighbours[other].add(one);
    }
    const names = scene.nodes.map(({ name }) => name);
    const numbers = names.map((name) => name.match(/\[(\d+)\]$/)?.[1] ?? name);
    if (!this.fits(names, 0.4, width, height, SMALLEST)) this.fits(numbers, 0.2, width, height, CROWDED);
  }

  /** Finds the largest unit that leaves room for everything, with nodes called by these names. */
  fits(names, least, width, height, smallest) {
    this.names = names;
    this.halves = names.map((name) => Math.max(least, 0.0625 * name.length + 0.12));
    for (this.unit = LARGEST; this.unit >= smallest; this.unit *= 0.94) {
      this.spread(width / this.unit, height / this.unit);
      if (this.isRoomy()) return true;
    }
    return false;
  }

  /** Spreads the nodes over a place of some units. */
  spread(width, height) {
    const { nodes } = this.scene;
    const widest = Math.max(...this.halves);
    const [left, right] = extent(nodes.map(({ x }) => x)), [top, bottom] = extent(nodes.map(({ y }) => y));
    const room = [width - 2 * (widest + MARGIN), height - 2 * (HALF_HEIGHT + MARGIN)].map((each) => Math.max(each, 0.1));
    let [across, down] = [room[0] / (right - left || 1), room[1] / (bottom - top || 1)];
    if (right > left && bottom > top) [across, down] = [Math.min(across, down * STRETCH), Math.min(down, across * STRETCH)];
    Object.assign(this, { width, height });
    this.places = nodes.map(({ x, y }) => ({
      x: width / 2 + (x - (left + right) / 2) * across,
      y: height / 2 + (y - (top + bottom) / 2) * down,
    }));
  }

  /** Whether nodes keep apart, and queues find a place along links. */
  isRoomy() {
    const { places, halves } = this;
    if (places.length > MANY) return false;
    const isFree = places.every((one, index) => places.every((other, rank) => rank <= index
      || Math.abs(one.x - other.x) >= halves[index] + halves[rank] + APART
      || Math.abs(one.y - other.y) >= 2 * HALF_HEIGHT + APART));
    if (!isFree) return false;
    this.ways.clear();
    return this.scene.links.every((_, link) => {
      const { start, end } = this.way(2 * link);
      return end - start >= LINK;
    });
  }

  /** The numbers of the nodes that a hop leads from and to. */
  ends(hop) {
    const [first, second] = this.scene.links[hop >> 1].ends;
    return hop & 1 ? [second, first] : [first, second];
  }

  /** The part of a hop that can be seen: from the border of one node to that of the other. */
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

  /** How far from a node the queue of a link has to stand, that it keeps clear of the next link. */
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
