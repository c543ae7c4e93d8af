/** Numbers that look random and are the same for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    /** From `low` up to, and not including, `high`. */
    between: (low, high) => low + Math.floor(next() * (high - low)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)],
    /** Its own sequence, so that what one part draws does not shift another's. */
    branch: () => createRandom(Math.floor(next() * 4294967296)),
  }
}
