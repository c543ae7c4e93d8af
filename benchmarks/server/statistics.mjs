/** @param {number[]} values @param {number} share From 0 to 1. */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])
}

/** @param {number} ms @returns {Promise<void>} */
export function rest(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
