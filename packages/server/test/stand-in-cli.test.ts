import { expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { startHost } from './support/start-host.ts'

it('the benchmarks’ stand-in for the CLI is one that the server works with', async () => {
  const { writeStreamCli } = await import(
    new URL('../../../benchmarks/server/stream-cli.mjs', import.meta.url).href
  )
  const cli = await writeStreamCli({ count: 3 })
  const host = await startHost([], { config: { cliPath: cli.path } })
  const session = await Conversation.open(host)
  expect(await session.say('go')).toMatchObject({ outcome: 'completed' })
  expect(session.watch.of('text_delta').length).toBeGreaterThan(0)
  await session.close()
  await host.close()
  await cli.dispose()
})
