const files = (count: number) => (count === 1 ? '1 attachment' : `${count} attachments`)

/** Messages that wait for their turn. */
export const queue = {
  title: (count: number) => `${count} queued`,
  held: (count: number) => `${count} queued, paused because you stopped the agent`,
  heldHint: (count: number) =>
    count === 1
      ? 'Run it now, or it runs before your next message.'
      : 'Run them now, or they run before your next message.',
  run: (count: number) => (count === 1 ? 'Run it' : 'Run them'),
  clear: 'Clear',
  clearTitle: 'Clear the queue?',
  clearText: (count: number) =>
    count === 1
      ? 'This deletes the queued message and its text.'
      : `This deletes ${count} queued messages and their text.`,
  edit: 'Edit',
  delete: 'Delete',
  steer: 'Send now',
  up: 'Move up',
  down: 'Move down',
  editLabel: 'Edit queued message',
  kept: (count: number) => `${files(count)} kept.`,
  started: 'The agent has already started on this message, so it can’t be changed.',
  empty: 'A message can’t be empty. Delete it instead.',
}
