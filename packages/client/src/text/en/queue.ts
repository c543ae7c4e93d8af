const files = (count: number) => (count === 1 ? '1 attachment stays' : `${count} attachments stay`)
const waits = (count: number) => (count === 1 ? '1 message waits' : `${count} messages wait`)

/** Messages that wait for their turn. */
export const queue = {
  title: waits,
  held: (count: number) => `${waits(count)}: you stopped the agent`,
  heldHint: (count: number) =>
    count === 1
      ? 'It runs when you say so, or before the next message that you send.'
      : 'They run when you say so, or before the next message that you send.',
  run: (count: number) => (count === 1 ? 'Run it' : 'Run them'),
  clear: 'Clear',
  clearTitle: 'Clear the queue?',
  clearText: (count: number) =>
    count === 1
      ? 'The message that waits is taken back, and its text is gone.'
      : `The ${count} messages that wait are taken back, and their text is gone.`,
  edit: 'Edit',
  delete: 'Delete',
  steer: 'Send now',
  up: 'Move up',
  down: 'Move down',
  editLabel: 'Edit the waiting message',
  kept: (count: number) => `${files(count)} with it.`,
  started: 'This message is already being worked on, so it cannot be changed any more.',
  empty: 'A message cannot be empty. Delete it instead.',
}
