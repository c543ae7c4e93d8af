/** How the CLI reaches the model: with which credential, by which paths, and when before anybody has asked it to. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Rig } from '../rig.ts'
import { writeScheduledTask } from '../scheduled-task.ts'

interface Between {
  url: string
  /** The method and path of each request, without its query. */
  seen: string[]
  close(): void
}

/** A server that notes what the CLI asks for, and has the scripted model answer. */
async function between(rig: Rig): Promise<Between> {
  const seen: string[] = []
  const server = createServer((asked, answer) => {
    const { method = '', url = '', headers } = asked
    seen.push(`${method} ${url.replace(/\?.*/, '')}`)
    const { host } = new URL(rig.model.url)
    const passed = request(rig.model.url + url, { method, headers: { ...headers, host } }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, seen, close }
}

export const modelCallCases: ContractCase[] = [
  {
    id: 'model-calls/credentials',
    title:
      'The owner’s settings win over the environment; token and key each have their header, and what `apiKeyHelper` prints is in both',
    reliedOnBy: ['packages/server/src/credentials/find-model-source.ts'],
    expected: {
      ofHelper: { key: 'printed', token: 'Bearer printed' },
      ofSettings: { key: 'key of the file', token: 'Bearer token-of-the-file', header: 'of the file' },
    },
    async observe(rig) {
      const apiKeyHelper = await rig.marker('helper', 'printed')
      const sent = async (settings: object, env: Record<string, string | undefined>) => {
        await rig.write('.claude/settings.json', settings)
        await (await rig.start({ sources: 'user', env })).turn('go')
        const { 'x-api-key': key, authorization: token, 'x-of': header } = rig.asked.at(-1)?.headers ?? {}
        return { key, token, header }
      }
      const ofFile = {
        ANTHROPIC_API_KEY: 'key of the file',
        ANTHROPIC_AUTH_TOKEN: 'token-of-the-file',
        ANTHROPIC_CUSTOM_HEADERS: 'X-Of: of the file',
      }
      const ofEnvironment = {
        ANTHROPIC_API_KEY: 'another-key',
        ANTHROPIC_AUTH_TOKEN: 'another-token',
        ANTHROPIC_CUSTOM_HEADERS: 'X-Of: another',
      }
      return {
        ofHelper: await sent({ apiKeyHelper }, { ANTHROPIC_API_KEY: undefined }),
        ofSettings: await sent({ apiKeyHelper, env: ofFile }, ofEnvironment),
      }
    },
  },
  {
    id: 'model-calls/paths',
    title:
      'A CLI that keeps to what is essential asks an API for messages and for counts of tokens, and for nothing else',
    reliedOnBy: ['packages/server/src/model-gateway/routes.ts'],
    expected: { paths: ['POST /v1/messages', 'POST /v1/messages/count_tokens'] },
    async observe(rig) {
      const { url, seen, close } = await between(rig)
      try {
        const env = {
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_API_KEY: undefined,
          ANTHROPIC_AUTH_TOKEN: 'ours',
          CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: '1',
        }
        const cli = await rig.start({ env })
        await rig.write('project/long.txt', 'a line of words\n'.repeat(9_000))
        const search = toolUse('WebSearch', { query: 'words' })
        rig.script(search, toolUse('Read', { file_path: `${rig.cwd}/long.txt` }))
        await cli.turn('go')
        await cli.ask('set_model', { model: 'claude-of-another-name' })
        await cli.ask('get_context_usage')
        await cli.turn('/compact')
        await cli.end()
        return { paths: [...new Set(seen)].sort() }
      } finally {
        close()
      }
    },
  },
  {
    id: 'model-calls/before-initialize',
    title: 'A schedule’s prompt reaches the model of a CLI that has not been sent `initialize`, nor any hook',
    reliedOnBy: ['packages/server/src/compose/model-gateway.ts'],
    expected: { asked: true, answered: 0 },
    async observe(rig) {
      await writeScheduledTask(rig, 'BY ITSELF')
      const cli = await rig.start({ initialize: false })
      const asked = await rig.poll(() => rig.asked.some(({ newText }) => newText.includes('BY ITSELF')))
      return { asked, answered: cli.all({ type: 'control_response' }).length }
    },
  },
]
