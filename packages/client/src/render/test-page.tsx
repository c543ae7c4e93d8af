/** A page to draw components on in tests. */
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'

export interface TestPage {
  box: HTMLElement
  draw(node: ReactNode): Promise<void>
  /** Presses the button that shows or says this. */
  press(name: string): Promise<void>
  /** Waits for what comes by itself, such as a module that is loaded. */
  eventually(check: () => void): Promise<void>
  remove(): Promise<void>
}

export function createTestPage(): TestPage {
  underAct(true)
  const box = document.createElement('div')
  document.body.append(box)
  const root = createRoot(box)
  return {
    box,
    draw: (node) => act(async () => root.render(node)),
    press: (name) =>
      act(async () => {
        const button = [...box.querySelectorAll('button')].find(
          (one) => one.textContent === name || one.getAttribute('aria-label') === name,
        )
        if (!button) throw new Error(`There is no button ${name}`)
        button.click()
      }),
    async eventually(check) {
      underAct(false)
      try {
        await vi.waitFor(check, { timeout: 20_000 })
      } finally {
        underAct(true)
      }
    },
    async remove() {
      await act(async () => root.unmount())
      box.remove()
    },
  }
}

function underAct(on: boolean): void {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: on })
}
