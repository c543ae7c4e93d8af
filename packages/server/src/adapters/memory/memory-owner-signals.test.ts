import { ownerSignalsConformance } from '../../core/ports/owner-signals.conformance.ts'
import { systemClock } from '../system/clock.ts'
import { createMemoryOwnerSignals } from './memory-owner-signals.ts'

ownerSignalsConformance('memory', async () => {
  const signals = createMemoryOwnerSignals(systemClock)
  return { a: signals, b: signals, close: async () => undefined }
})
