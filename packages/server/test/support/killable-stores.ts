/** What servers share, as one of them has it that can be cut off from all of it at once: as by a kill, or by a network that is gone. */
import type { SharedStores } from '../../src/compose/compose-input.ts'
import type { BusSubscription, EventBus } from '../../src/core/ports/event-bus.ts'
import type { OwnerSignals } from '../../src/core/ports/owner-signals.ts'

export interface KillableStores extends SharedStores {
  /** From now on nothing is stored, heard, asked or answered. */
  cut(): void
  /** All works again, but that nobody who asks finds it any more. */
  mend(): void
}

export function killableStores({ coordination, records, bus, signals }: SharedStores): KillableStores {
  const line = { isCut: false, stopAnswering: new Set<() => void>() }
  return {
    coordination: failing(coordination, line),
    records: failing(records, line),
    bus: silenced(bus, line),
    signals: unanswered(signals, line),
    cut() {
      line.isCut = true
      for (const stop of line.stopAnswering) stop()
    },
    mend() {
      line.isCut = false
    },
  }
}

interface Line {
  isCut: boolean
  stopAnswering: Set<() => void>
}

function failing<T extends object>(ports: T, line: Line): T {
  return new Proxy(ports, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name)
      if (typeof own === 'object' && own !== null) return failing(own, line)
      if (typeof own !== 'function') return own
      return async (...args: unknown[]) => {
        if (line.isCut) throw new Error('cut off')
        return own.apply(target, args)
      }
    },
  })
}

function silenced(bus: EventBus, line: Line): EventBus {
  const unless =
    <Args extends unknown[]>(work: (...args: Args) => void) =>
    (...args: Args) => {
      if (!line.isCut) work(...args)
    }
  return {
    publish: unless((events) => bus.publish(events)),
    publishServer: unless((event, principal) => bus.publishServer(event, principal)),
    subscribe: (ids, { events, missed }): BusSubscription =>
      bus.subscribe(ids, { events: unless(events), missed: unless(missed) }),
    subscribeServer: ({ event, missed }): BusSubscription =>
      bus.subscribeServer({ event: unless(event), missed: unless(missed) }),
  }
}

function unanswered(signals: OwnerSignals, line: Line): OwnerSignals {
  return {
    async ask(...asked) {
      if (line.isCut) throw new Error('cut off')
      return signals.ask(...asked)
    },
    async serve(...served) {
      const stop = await signals.serve(...served)
      line.stopAnswering.add(stop)
      return stop
    },
  }
}
