/**
 * What must hold between what a session published and what its model was really asked. `asked` has each prompt as often as the model was put
 * it; the model's answer repeats its words, so that the turn in which it was asked shows. `ownTurns`: how many turns the CLI had a reason of its
 * own for, at most. Answers with what does not hold, in words.
 */
export function checkAsked({ events, turns, asked, ownTurns }) {
  const answers = answersOf(events)
  const faults = turns.flatMap((turn) => [...checkMessage(turn, turns, answers, asked)])
  const background = events.filter(({ type, cause }) => type === 'turn_start' && cause === 'background')
  if (background.length > ownTurns)
    faults.push(`${background.length} turns are told as the CLI's own, which had a reason for ${ownTurns}`)
  return faults
}

/** Each turn's text. */
function answersOf(events) {
  const answers = new Map()
  let open
  for (const { type, turn_id, text } of events) {
    if (type === 'turn_start') open = turn_id
    if (type === 'text_delta') answers.set(open, (answers.get(open) ?? '') + text)
    if (type === 'turn_end' && turn_id === open) open = undefined
  }
  return answers
}

/** One that a person stopped, or whose process was ended, may have been asked or not; it is not told as completed. */
function* checkMessage({ id, cause, content, outcome, joined_turn }, turns, answers, asked) {
  if (cause === 'background' || outcome === 'withdrawn') return
  const own = joined_turn ?? id
  if (turns.find((turn) => turn.id === own)?.outcome !== 'completed') return
  const times = asked.filter((prompt) => prompt === content).length
  if (times !== 1) yield `${id} (${content}) is told as completed, and the model was asked it ${times} times`
  const places = [...answers].flatMap(([turn, text]) => (text.includes(content) ? [turn] : []))
  if (places.join() !== own)
    yield `${id} (${content}) was asked in ${places.join(' and ') || 'no turn'}, not in ${own}`
}
