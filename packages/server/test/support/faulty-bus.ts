/** A bus on whose way events get lost, doubled, delayed and out of order, and whose subscriptions take their time. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BusSubscription, EventBus } from '../../src/core/ports/event-bus.ts'

export const faults = ['none', 'lost', 'twice', 'late'] as const
export type Fault = (typeof faults)[number]

export interface FaultyBus extends EventBus {
  /** What becomes of the next deliveries, one after the other; when there are none left, all arrive. */
  plan: Fault[]
  /** What is published meanwhile is lost; every listener is notified afterwards. */
  interrupt(work: () => Promise<void> | void): Promise<void>
}

export function createFaultyBus(inner: EventBus, readyAfterTurns = 0): FaultyBus {
  const open = new Set<Way>()
  let isDown = false

  function way(missed: () => void): Way {
    return {
      missed,
      isReady: readyAfterTurns === 0,
      deliver(arrive) {
        // Who is not ready hears nothing, and is not notified of that.
        if (isDown || !this.isReady) return
        const fault = bus.plan.shift() ?? 'none'
        if (fault === 'lost') later(() => open.has(this) && missed())
        else if (fault === 'late') later(() => open.has(this) && arrive())
        else arrive()
        if (fault === 'twice') arrive()
      },
    }
  }

  function opened(own: Way, { ready, close }: BusSubscription): BusSubscription {
    open.add(own)
    return {
      ready: (async () => {
        await ready
        for (let turn = 0; turn < readyAfterTurns; turn++) await nextTurn()
        own.isReady = true
      })(),
      close() {
        open.delete(own)
        close()
      },
    }
  }

  const bus: FaultyBus = {
    plan: [],
    publish: (events) => inner.publish(events),
    publishServer: (event, principal) => inner.publishServer(event, principal),
    subscribe(sessionIds, { events, missed }) {
      const own = way(missed)
      const listener = {
        missed,
        events: (list: Parameters<typeof events>[0]) => own.deliver(() => events(list)),
      }
      return opened(own, inner.subscribe(sessionIds, listener))
    },
    subscribeServer({ event, missed }) {
      const own = way(missed)
      const listener = {
        missed,
        event: (...published: Parameters<typeof event>) => own.deliver(() => event(...published)),
      }
      return opened(own, inner.subscribeServer(listener))
    },
    async interrupt(work) {
      isDown = true
      await work()
      isDown = false
      for (const { missed } of [...open]) missed()
    },
  }
  return bus
}

/** From the bus to one listener. */
interface Way {
  isReady: boolean
  missed: () => void
  deliver(arrive: () => void): void
}

function later(run: () => void): void {
  void nextTurn().then(nextTurn).then(run)
}
