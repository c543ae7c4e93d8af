import { createFaultyBus } from '../../../test/support/faulty-bus.ts'
import { eventBusConformance } from '../../core/ports/event-bus.conformance.ts'
import { createMemoryEventBus } from './memory-event-bus.ts'

eventBusConformance('memory', async () => {
  const bus = createMemoryEventBus()
  return { here: bus, there: bus, close: async () => undefined }
})

// What other suites rely on where a bus must fail.
eventBusConformance(
  'memory, over a way that can break',
  async () => {
    const here = createMemoryEventBus()
    const there = createFaultyBus(here, 3)
    return { here, there, interrupt: there.interrupt, close: async () => undefined }
  },
  true,
)
