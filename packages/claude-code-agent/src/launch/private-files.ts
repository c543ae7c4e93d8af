/**
 * Keeps secrets off the command line, which every user of the machine can read: what may hold one is handed to the CLI
 * in a file that is removed once it has started. The CLI reads these files at its start and never again (2.1.317 and 2.1.325).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files in a folder of their own that only this user can enter; it is made when the first one is written. */
export class PrivateFiles {
  #folder: string | undefined

  /** Returns the path. */
  write(name: string, content: string): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'claude-code-agent-'))
    const path = join(this.#folder, name)
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
    return path
  }

  /** Where they are; undefined while there is none. */
  get folder(): string | undefined {
    return this.#folder
  }

  /** May be called twice. */
  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
  }
}
