/**
 * What this terminal may do. The token in the state folder can look and chat, one in `DORKOS_TOKEN` what it was made for; to do
 * more, the terminal redeems a code that a person read on the server's own terminal or on a signed-in page, or shows one that a person
 * confirms there. That right is kept in memory, and handed back at the end.
 */
import { hostname } from 'node:os'
import { ApiError, createApiClient, type Scope } from '@dorkos/shared'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import { requestPairing } from './pairing.ts'
import { oneLine, safeText } from './terminal/escape.ts'
import type { Asker } from './terminal/line-asker.ts'

export interface RightsOptions {
  url: string
  /** What the terminal has without a code. */
  token: () => string | undefined
  /** What `token` may do. */
  scopes: readonly Scope[]
  /** `token` was issued for this command alone, and is revoked when it ends. */
  isIssued: boolean
}

export interface CodePrompt {
  asker: Asker
  notify: (text: string) => void
  /** What the code is for, as in “To answer here”. */
  purpose: string
  signal?: AbortSignal
}

const maxTries = 3

export class Rights {
  readonly #options: RightsOptions
  #paired: string | undefined
  #asked = false

  constructor(options: RightsOptions) {
    this.#options = options
  }

  readonly token = (): string | undefined => this.#paired ?? this.#options.token()

  get canApprove(): boolean {
    return this.#may('approve')
  }

  get canAdminister(): boolean {
    return this.#may('admin')
  }

  /** Somebody was asked for a code and gave none: they are not asked again. */
  get wasDeclined(): boolean {
    return this.#asked && !this.canApprove
  }

  /** Throws `CliError` for a code that does not work. */
  async redeem(code: string): Promise<void> {
    const client = createApiClient({ baseUrl: this.#options.url })
    try {
      const { secret } = await client.redeemCode({ body: { code, name: ownName(), kind: 'terminal' } })
      this.#paired = secret
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const message = error.code === 'invalid_request' ? 'That isn’t a code.' : error.message
      throw new CliError(message, exitCodes.failed, error)
    }
  }

  /** Asks for a code until one works, or until what this terminal shows is confirmed elsewhere. False: neither came. */
  async askForCode({ asker, notify, purpose, signal }: CodePrompt): Promise<boolean> {
    this.#asked = true
    const pairing = await requestPairing(this.#options.url, ownName())
    const confirm = pairing ? `, or confirm ${oneLine(pairing.code, 20)} there` : ''
    notify(
      `${purpose}, this terminal needs a code: press c and Enter in the server’s terminal, or create one on a signed-in page${confirm}.\n`,
    )
    const over = new AbortController()
    const confirmed = new AbortController()
    const waiting = pairing?.whenConfirmed(over.signal).then((secret) => {
      if (secret === undefined) return
      this.#paired = secret
      confirmed.abort()
    })
    const signals = [confirmed.signal, ...(signal ? [signal] : [])]
    try {
      await this.#askUntilGiven(asker, notify, AbortSignal.any(signals))
    } finally {
      over.abort()
      await waiting
    }
    return this.#paired !== undefined
  }

  async #askUntilGiven(asker: Asker, notify: CodePrompt['notify'], signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      const code = (await asker.ask('Code (Enter to skip) > ', { signal }))?.trim()
      if (!code) return
      try {
        return await this.redeem(code)
      } catch (error) {
        if (!(error instanceof CliError)) throw error
        notify(`${safeText(error.message)}\n`)
      }
    }
  }

  /** Revokes what a code gave, or what the own server issued. What fails here ends by itself: such tokens expire. */
  async handBack(): Promise<void> {
    if (!this.#options.isIssued && this.#paired === undefined) return
    const client = createApiClient({ baseUrl: this.#options.url, token: this.token })
    await client.signOut({ body: {}, signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    this.#paired = undefined
  }

  #may(scope: Scope): boolean {
    return this.#paired !== undefined || this.#options.scopes.includes(scope)
  }
}

/** As it is listed among the tokens. */
function ownName(): string {
  return `terminal on ${hostname()} (process ${process.pid})`.slice(0, 100)
}
