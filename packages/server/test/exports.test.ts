/** The package's entry as programs use it that make the injected server by themselves. */
import {
  createDorkOsToolServer,
  createGetSessionCountHandler,
  handleGetServerInfo,
  handlePing,
  type McpToolDeps,
  type TranscriptReader,
} from '@dorkos/server'
import { expect, expectTypeOf, it } from 'vitest'

it('gives the tools of a reader of transcripts and a directory', async () => {
  const transcriptReader: Pick<TranscriptReader, 'listSessions'> = { listSessions: async () => [] }
  const deps: McpToolDeps = { transcriptReader, defaultCwd: '/projects' }
  const server = createDorkOsToolServer(deps)
  expect(server.tools.map(({ name }) => name)).toEqual(['ping', 'get_server_info', 'get_session_count'])
  expect([server.type, server.name, server.instance]).toEqual(['sdk', 'dorkos', server])
  const answers = [
    await handlePing(),
    await handleGetServerInfo({ include_uptime: true }),
    await createGetSessionCountHandler(deps)(),
  ]
  for (const { content } of answers) expectTypeOf(content[0].text).toBeString()
  expect(JSON.parse(answers[2]?.content[0].text ?? '')).toEqual({ count: 0, cwd: '/projects' })
})
