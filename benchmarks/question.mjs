/**
 * A question that a benchmark answers. Its subjects (ours, the peer, a bare floor) do the same work; each run of one has
 * a Node process to itself, so what this module's users import at the top is loaded there too: keep it to nothing.
 *
 * @typedef {Record<string, number>} Sample What one run of a subject measured.
 *
 * @typedef {object} Prepared
 * @property {Record<string, unknown>} input JSON for every run of a subject.
 * @property {() => Promise<void>} dispose
 *
 * @typedef {object} Target
 * @property {number} [most] The ratio (or, without a peer, our value) must not be above it.
 * @property {number} [least] It must not be below it.
 *
 * @typedef {object} Metric
 * @property {string} metric
 * @property {string} unit
 * @property {string} ours `subject.value`: which number of which subject.
 * @property {string} [peer]
 * @property {string} [floor]
 * @property {Target} [target] None: the number is there to be seen.
 *
 * @typedef {object} Question
 * @property {string} name
 * @property {number} rounds How often every subject runs.
 * @property {boolean} [oneCore] A run and what it starts share one core, where the system can do that: two processes that
 *   wait for each other in turn are otherwise measured by what it costs to wake a sleeping core.
 * @property {(options: { page?: string | undefined }) => Promise<Prepared>} prepare Runs once, in the process of the command. `page`: the
 *   root of the checkout that `--page` names.
 * @property {Record<string, (input: any) => Promise<Sample>>} subjects Run in processes of their own.
 * @property {Metric[]} metrics
 */

/** @param {Metric} metric @returns {string[]} The subjects that a metric needs. */
export function subjectsOf({ ours, peer, floor }) {
  return [ours, peer, floor].flatMap((path) => (path === undefined ? [] : [path.split('.')[0] ?? '']))
}
