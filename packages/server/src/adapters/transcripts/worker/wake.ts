/** A loop sleeps on it until there is something to do. A call that comes before the sleep is not lost. */
export class Wake {
  #called = false
  #resolve: (() => void) | undefined

  call(): void {
    this.#called = true
    this.#resolve?.()
  }

  async sleep(): Promise<void> {
    if (!this.#called)
      await new Promise<void>((resolve) => {
        this.#resolve = resolve
      })
    this.#called = false
    this.#resolve = undefined
  }
}
