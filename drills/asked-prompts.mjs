/** What a world's model was really put, by session, and how often its CLI had a reason to begin a turn by itself. */
import { closeSync, openSync, readSync } from 'node:fs'

/** As the drill words its messages: no one is a part of another, and each names its session, whatever id its CLI goes by. */
export const wordsOf = (kind, number, sessionId) => `${kind} ${number} of ${nameOf(sessionId)}`
const nameOf = (sessionId) => sessionId.slice(0, 8)
const words = /\b[a-z]+ \d+ of [0-9a-f]{8}\b/g

export class AskedPrompts {
  #sessions = new Map()

  of(sessionId) {
    const name = nameOf(sessionId)
    const known = this.#sessions.get(name) ?? { asked: [], ownTurns: 0, losses: 0 }
    this.#sessions.set(name, known)
    return known
  }

  /** Finds messages in what is new to the model. Answers with them. */
  note(newText) {
    const found = newText.match(words) ?? []
    for (const prompt of found) this.of(prompt.slice(-8)).asked.push(prompt)
    return found
  }

  mayBeginTurn(sessionId) {
    this.of(sessionId).ownTurns++
  }

  /** Its process was ended. The next may tell of background work once more, in a turn of its own. */
  processEnded(sessionId) {
    this.mayBeginTurn(sessionId)
  }

  forget(sessionId) {
    this.#sessions.delete(nameOf(sessionId))
  }
}

/** The same of fake CLIs, from the log that they write. It says by itself when a CLI that was resumed tells of lost work. */
export function followFakeLog(file) {
  const prompts = new AskedPrompts()
  const follow = createFollower(file)
  const read = () => {
    for (const { type, sessionId, prompt, isLost } of follow()) {
      if (type === 'asked') prompts.note(prompt)
      if (isLost) prompts.of(sessionId).losses++
      if (type === 'task_ended' || type === 'unannounced') prompts.mayBeginTurn(sessionId)
    }
  }
  return {
    of(sessionId) {
      read()
      return prompts.of(sessionId)
    },
    processEnded() {},
    forget: (sessionId) => prompts.forget(sessionId),
  }
}

/** Answers with the whole lines that have come since it was last asked. */
function createFollower(file) {
  const chunk = Buffer.alloc(1024 * 1024)
  let position = 0
  let rest = Buffer.alloc(0)
  return () => {
    const log = openSync(file, 'r')
    try {
      const lines = []
      for (let size = 1; size > 0; ) {
        size = readSync(log, chunk, 0, chunk.length, position)
        position += size
        const text = Buffer.concat([rest, chunk.subarray(0, size)])
        const end = text.lastIndexOf(10) + 1
        rest = text.subarray(end)
        lines.push(...text.subarray(0, end).toString().split('\n'))
      }
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    } finally {
      closeSync(log)
    }
  }
}
