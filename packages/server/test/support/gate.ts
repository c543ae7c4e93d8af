/** Holds something until it is opened: a model's answer, most of all. */
export class Gate {
  open: () => void = () => {}
  readonly opened: Promise<void>

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve
    })
  }
}
