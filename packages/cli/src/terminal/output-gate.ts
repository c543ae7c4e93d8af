/** Holds output back while a person is asked: what comes meanwhile is written after the answer, in order. */
export class OutputGate {
  readonly #sink: (stream: 'say' | 'note', text: string) => void
  #held: { stream: 'say' | 'note'; text: string }[] = []
  #holders = 0

  constructor(sink: (stream: 'say' | 'note', text: string) => void) {
    this.#sink = sink
  }

  get isHeld(): boolean {
    return this.#holders > 0
  }

  write(stream: 'say' | 'note', text: string): void {
    if (this.#holders > 0) this.#held.push({ stream, text })
    else this.#sink(stream, text)
  }

  /** Written at once, also while others are held back: what belongs to the question itself. */
  writeNow(text: string): void {
    this.#sink('note', text)
  }

  hold(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#holders > 0) return
    const held = this.#held
    this.#held = []
    for (const { stream, text } of held) this.#sink(stream, text)
  }
}
