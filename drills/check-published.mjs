/**
 * What must hold of a session that came to rest: its events say what its stored turns say, every message under its own turn,
 * those that waited in the order in which they were stored, and every question to a person has one end. Answers with what does not, in words.
 */
export function checkPublished({ events, turns, accepted }) {
  const faults = [...checkEvents(events, new Map(turns.map((turn) => [turn.id, turn])))]
  for (const turn of turns) faults.push(...checkTurn(turn, events, turns))
  for (const { id, content } of accepted)
    if (turns.find((turn) => turn.id === id)?.content !== content)
      faults.push(`the message ${id} is not in the store`)
  return [...faults, ...checkOrder(events, turns, accepted), ...checkQuestions(events)]
}

function* checkEvents(events, stored) {
  let open
  const said = new Set()
  for (const event of events) {
    if (event.type === 'turn_start') {
      if (open) yield `${event.turn_id} began in ${open}`
      open = event.turn_id
    }
    // Others are the CLI's own.
    if (event.type === 'user_message' && event.turn_id !== undefined) {
      const { message_id, turn_id } = event
      const { id, joined_turn } = stored.get(message_id) ?? {}
      if (turn_id !== open) yield `${message_id} was published in ${turn_id} while ${open} ran`
      if (turn_id !== (joined_turn ?? id))
        yield `${message_id} was published in ${turn_id}, which is not its turn`
      if (said.has(message_id)) yield `${message_id} was published twice`
      said.add(message_id)
    }
    if (event.type === 'turn_end' && event.turn_id === open) open = undefined
    // Put right, stuck, stopped: nothing that was done here is a reason to warn.
    if (event.type === 'notice' && event.level === 'warning') yield `${event.code}: ${event.message}`
  }
  if (open) yield `the end of ${open} was never published`
}

function* checkTurn({ id, cause, state, outcome, reason, started_at, joined_turn }, events, turns) {
  if (state !== 'ended') return yield `${id} is ${state}`
  if (outcome === 'withdrawn') {
    // People take messages back; the CLI has no reason to.
    if (reason?.includes('left this message out')) yield `${id}: ${reason}`
    return
  }
  if (outcome === 'joined') {
    const into = turns.find((turn) => turn.id === joined_turn)?.outcome
    if (!into || into === 'joined') yield `${id} joined a turn that is not there`
  } else if (started_at) {
    const published = events.filter(({ type, turn_id }) => type === 'turn_end' && turn_id === id)
    if (published.length !== 1 || published[0].outcome !== outcome)
      yield `the turn ${id} ended ${outcome} and was published ${published.map((end) => end.outcome)}`
  }
  const isSaid = events.some(({ type, message_id }) => type === 'user_message' && message_id === id)
  if (!isSaid && cause !== 'background') yield `the message of ${id} (${outcome}) was never published`
}

/** By content: one that was given back unread runs under another id, in its old place. */
function* checkOrder(events, turns, accepted) {
  const queued = new Set(
    accepted.filter(({ delivery }) => delivery === 'queue').map(({ content }) => content),
  )
  const ofQueue = (list) => list.map(({ content }) => content).filter((content) => queued.has(content))
  const published = ofQueue(events.filter(({ type }) => type === 'user_message'))
  const stored = [...new Set(ofQueue(turns.toReversed()))].filter((content) => published.includes(content))
  if (published.join() !== stored.join()) yield `stored as ${stored.join()}, and ran as ${published.join()}`
}

function* checkQuestions(events) {
  const open = new Set()
  for (const { type, approval, approval_id } of events) {
    if (type === 'approval_required') open.add(approval.id)
    if (type === 'approval_resolved' && !open.delete(approval_id))
      yield `${approval_id} was answered, and is not open`
  }
  for (const id of open) yield `${id} was asked, and is still open`
}
