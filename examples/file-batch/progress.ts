import type { SessionState } from 'claude-code-agent'

const WIDTH = 20
const ended: ReadonlySet<string> = new Set<SessionState>(['completed', 'failed', 'cancelled'])

/** A bar that is redrawn in place on a terminal, and a line for each change elsewhere (a log, a pipe). */
export class Progress {
  readonly #states: Map<string, SessionState | 'waiting'>
  readonly #out = process.stdout

  constructor(names: readonly string[]) {
    this.#states = new Map(names.map((name) => [name, 'waiting']))
  }

  set(name: string, state: SessionState): void {
    if (this.#states.get(name) === state) return
    this.#states.set(name, state)
    if (this.#out.isTTY) this.#draw()
    else this.#out.write(`${this.#count()} ${name}: ${state}\n`)
  }

  /** Something worth keeping: stays above the bar. */
  note(name: string, text: string): void {
    this.#clear()
    this.#out.write(`  ${name}: ${text}\n`)
    if (this.#out.isTTY) this.#draw()
  }

  end(): void {
    if (this.#out.isTTY) this.#out.write('\n')
  }

  get #done(): number {
    return [...this.#states.values()].filter((state) => ended.has(state)).length
  }

  #count(): string {
    return `${this.#done}/${this.#states.size}`
  }

  #draw(): void {
    const filled = Math.round((WIDTH * this.#done) / Math.max(1, this.#states.size))
    const busy = [...this.#states].filter(([, state]) => state !== 'waiting' && !ended.has(state))
    const line = `[${'█'.repeat(filled).padEnd(WIDTH, '░')}] ${this.#count()} ${busy.map((entry) => entry.join(': ')).join('  ')}`
    this.#clear()
    // Cut to the terminal's width: a line that wraps could not be cleared.
    this.#out.write(line.slice(0, this.#out.columns - 1))
  }

  #clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[2K')
  }
}
