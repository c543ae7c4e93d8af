/**
 * What the server says to people: a reason of the table with its parameters. The English sentence is made of them, and so is that of any other
 * language; programs go by the reason.
 */
import { render } from './render.ts'
import type { Said } from './said.ts'
import { type Reason, type Words, words } from './words.ts'

/** Only `say` makes one: nobody passes a sentence of their own. */
export class Saying implements Said {
  readonly reason: Reason
  readonly params?: Record<string, unknown>
  /** In English. */
  readonly message: string

  private constructor(reason: Reason, params: Record<string, unknown> | undefined) {
    this.reason = reason
    if (params !== undefined) this.params = params
    this.message = render(words, this) ?? reason
  }

  /** @internal */
  static of(reason: Reason, params: Record<string, unknown> | undefined): Saying {
    return new Saying(reason, params)
  }
}

type ParamsOf<R extends Reason> = Words[R] extends (params: infer P) => string ? Given<P> : undefined

/** A text may be a sentence of the table itself. */
type Given<P> = {
  [K in keyof P]: string extends P[K]
    ? P[K] | Saying
    : readonly string[] extends P[K]
      ? readonly (string | Saying)[]
      : P[K]
}

export function say<R extends Reason>(
  reason: R,
  ...[params]: ParamsOf<R> extends undefined ? [] : [params: ParamsOf<R>]
): Saying {
  return Saying.of(reason, params === undefined ? undefined : plainParams(params))
}

/** The same again, of what came from another thread or process. Undefined for a reason that is not in the table. */
export function sayAgain({ reason, params }: Said): Saying | undefined {
  return Object.hasOwn(words, reason) ? Saying.of(reason as Reason, params) : undefined
}

/** As it travels. */
export function toSaid({ reason, params }: Said): Said {
  return params === undefined ? { reason } : { reason, params }
}

function plainParams(params: object): Record<string, unknown> {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    return value instanceof Saying ? toSaid(value) : value
  }
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, plain(value)]])),
  )
}
