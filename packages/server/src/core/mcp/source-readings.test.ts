import { describe, expect, it } from 'vitest'
import type { McpSources } from '../ports/mcp-sources.ts'
import type { SourceReading } from './found-server.ts'
import { SourceReadings } from './source-readings.ts'

function sources() {
  const reads: (string | undefined)[] = []
  const watches = new Map<SourceReading, { changed(): void; ended: boolean }>()
  const made: McpSources = {
    async read(path) {
      reads.push(path)
      return { servers: [], faults: [], policy: { disabledProject: [], denied: [] }, files: [String(path)] }
    },
    watch(reading, _since, changed) {
      const watch = { changed, ended: false }
      watches.set(reading, watch)
      return () => {
        watch.ended = true
      }
    },
  }
  const open = () => [...watches.values()].filter(({ ended }) => !ended)
  return { made, reads, watches, open }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('readings of files', () => {
  it('are kept until a file changes, and then read anew once', async () => {
    const { made, reads, watches } = sources()
    const changes: (string | undefined)[] = []
    const readings = new SourceReadings(made, { now: () => 0, onChange: (path) => changes.push(path) })
    const first = await readings.of('/a')
    expect(await readings.of('/a')).toBe(first)
    await settled()
    watches.get(first)?.changed()
    expect(changes).toEqual(['/a'])
    expect(watches.get(first)?.ended).toBe(true)
    expect(await readings.of('/a')).not.toBe(first)
    expect(reads).toEqual(['/a', '/a'])
  })

  it('are watched for some workspaces at a time, the last that were asked for', async () => {
    const { made, open, reads } = sources()
    const readings = new SourceReadings(made, { now: () => 0, onChange: () => {} })
    for (let number = 0; number < 40; number++) await readings.of(`/w${number}`)
    await settled()
    expect(open()).toHaveLength(30)
    await readings.of('/w39')
    expect(reads).toHaveLength(40)
    readings.close()
    expect(open()).toHaveLength(0)
  })

  it('are not watched when they come after the end', async () => {
    const { made, open } = sources()
    const readings = new SourceReadings(made, { now: () => 0, onChange: () => {} })
    const reading = readings.of(undefined)
    readings.close()
    await reading
    await settled()
    expect(open()).toHaveLength(0)
  })
})
