import { expect, it } from 'vitest'
import type { Actor } from './actor.ts'
import type { WithoutActor } from './services.ts'

/** Takes the names of the methods that leave out who acts; for a service without any, nothing. */
function named<Service>(...names: [WithoutActor<Service>] extends [never] ? [] : [WithoutActor<Service>]) {
  return names
}

it('a method that does not take exactly who acts does not compile', () => {
  named<{ list(actor: Actor, query: string): void; count(actor: Actor): number }>()
  // @ts-expect-error nobody acts
  named<{ list(): void }>()
  // @ts-expect-error it could be anything
  named<{ list(actor: unknown): void }>()
  // @ts-expect-error a part of who acts
  named<{ list({ principal }: { principal: string }): void }>()
  // @ts-expect-error a part of who acts
  named<{ list(actor: Pick<Actor, 'principal' | 'scopes'>): void }>()
  // @ts-expect-error or nobody
  named<{ list(actor?: Actor): void }>()
  // @ts-expect-error somebody, but not first
  named<{ list(query: string, actor: Actor): void }>()
  // @ts-expect-error one of two
  named<{ get(actor: Actor): void; list(query: string): void }>()
  // @ts-expect-error no method at all
  named<{ list: Actor }>()
  expect(named<{ get(actor: Actor): void; list(query: string): void }>('list')).toEqual(['list'])
})
