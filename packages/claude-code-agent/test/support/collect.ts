import type { Session, SessionMessage, SessionState } from '../../src/index.ts'

export async function collect(messages: AsyncIterable<SessionMessage>): Promise<SessionMessage[]> {
  const collected: SessionMessage[] = []
  for await (const message of messages) collected.push(message)
  return collected
}

/** Every state from now on, the present one first. */
export function recordStates(session: Session): SessionState[] {
  const states: SessionState[] = [session.getState().state]
  session.on('stateChange', ({ to }) => states.push(to))
  return states
}

/** Resolves when the session is in this state. */
export function untilState(session: Session, wanted: SessionState): Promise<void> {
  return new Promise((resolve) => {
    if (session.getState().state === wanted) return resolve()
    const stop = session.on('stateChange', ({ to }) => {
      if (to !== wanted) return
      stop()
      resolve()
    })
  })
}

/** Resolves with the outcome of the next turn that ends. */
export function nextTurn(session: Session): Promise<string> {
  return new Promise((resolve) => {
    const stop = session.on('turnEnd', ({ outcome }) => {
      stop()
      resolve(outcome)
    })
  })
}

export const textOf = (messages: SessionMessage[]): string =>
  messages.map((message) => (message.type === 'assistant' ? message.content : '')).join('')
