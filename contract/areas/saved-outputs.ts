/** Outputs that are too long for the model: where the CLI keeps them, and how the transcript says so. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { subagent } from '../host-answers.ts'
import type { Rig } from '../rig.ts'
import { projectFolder } from '../transcript-files.ts'

const notes = [
  'packages/server/src/core/event-map/saved-output.ts',
  'packages/server/src/adapters/transcripts/result-files.ts',
]
const whole = [...notes, 'packages/server/src/core/outputs/whole-result.ts']

interface Kept {
  /** Of the first call that returned something to the session, or to its subagent. */
  result: Frame
  /** Its words, with the folder of kept files as `<kept>`. */
  words: string
  /** By name. */
  files: Map<string, Buffer>
}

/** One turn with these steps, and what is kept of it. */
async function kept(rig: Rig, steps: Parameters<Rig['script']>, answer?: Frame): Promise<Kept> {
  const id = randomUUID()
  const servers = answer === undefined ? {} : { gives: (message: Frame) => givingServer(message, answer) }
  const cli = await rig.start({ args: [`--session-id=${id}`], servers })
  rig.script(...steps)
  await cli.turn('go')
  await cli.end()
  const folder = `${rig.home}/${projectFolder(rig)}/${id}/tool-results`
  const names = await readdir(folder).catch(() => [])
  const read = names.map(
    async (name): Promise<[string, Buffer]> => [name, await readFile(`${folder}/${name}`)],
  )
  const lines = await transcriptLines(folder.replace(/\/tool-results$/, ''))
  const result = lines.findLast((line) =>
    JSON.stringify(line.message?.content ?? '').includes('"tool_result"'),
  )
  const content = result?.message.content[0].content
  const words = typeof content === 'string' ? content : content?.map((block: Frame) => block.text).join('\n')
  return {
    result,
    words: String(words).replaceAll(folder, '<kept>'),
    files: new Map(await Promise.all(read)),
  }
}

/** A subagent's, where there is one, else the session's. */
async function transcriptLines(base: string): Promise<Frame[]> {
  const names = await readdir(`${base}/subagents`).catch(() => [])
  const agent = names.find((name) => name.endsWith('.jsonl'))
  const text = await readFile(agent ? `${base}/subagents/${agent}` : `${base}.jsonl`, 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function givingServer(message: Frame, answer: Frame): unknown {
  if (message.method === 'initialize')
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'gives', version: '1' },
    }
  if (message.method === 'tools/list') return { tools: [{ name: 'give', inputSchema: { type: 'object' } }] }
  return message.method === 'tools/call' ? answer : {}
}

const give = toolUse('mcp__gives__give', {}, 'toolu_given')
const printed = (bytes: number) => toolUse('Bash', { command: `seq 1 9999999 | head -c ${bytes}` })
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Each file by what its name ends with, and its size. */
const sizes = ({ files }: Kept) =>
  [...files].map(([name, { length }]) => [name.replace(/^.*\./, '.'), length]).toSorted()

export const savedOutputCases: ContractCase[] = [
  {
    id: 'saved-outputs/command',
    title:
      'More than 30,000 characters of a command go to `<session id>/tool-results/<task>.txt`; the result names the file and its size',
    reliedOnBy: notes,
    expected: {
      head: '<persisted-output> | Output too large (39.1KB). Full output saved to: <kept>/*.txt',
      files: [['.txt', 40_000]],
      path: true,
      size: 40_000,
    },
    async observe(rig) {
      const seen = await kept(rig, [printed(40_000)])
      const { persistedOutputPath: path, persistedOutputSize: size } = seen.result.toolUseResult
      return {
        head: seen.words
          .split('\n')
          .slice(0, 2)
          .join(' | ')
          .replace(/\/\w+\.txt$/, '/*.txt'),
        files: sizes(seen),
        path: seen.files.has(path.split('/').at(-1)),
        size,
      }
    },
  },
  {
    id: 'saved-outputs/limit',
    title: 'Of a command’s output no more than 64 MiB are kept, and the result says so',
    reliedOnBy: notes,
    expected: {
      head: 'Output exceeded the 64MB persist limit; only the first 64MB were saved to: <kept>/*.txt',
      files: [['.txt', 64 * 1024 * 1024]],
      size: 67_200_000,
    },
    async observe(rig) {
      const seen = await kept(rig, [printed(67_200_000)])
      return {
        head: seen.words.split('\n')[1]?.replace(/\/\w+\.txt$/, '/*.txt'),
        files: sizes(seen),
        size: seen.result.toolUseResult.persistedOutputSize,
      }
    },
  },
  {
    id: 'saved-outputs/failed-command',
    title: 'Of a command that fails the middle is cut out and kept nowhere; the result says how much',
    reliedOnBy: whole,
    expected: { files: [], says: true },
    async observe(rig) {
      const seen = await kept(rig, [toolUse('Bash', { command: 'seq 1 9999; exit 3' })])
      return { files: sizes(seen), says: /\n\.\.\. \[\d+ characters truncated\] \.\.\.\n/.test(seen.words) }
    },
  },
  {
    id: 'saved-outputs/subagent',
    title: 'What a subagent’s command printed is kept in the folder of the session; only the words name it',
    reliedOnBy: notes,
    expected: { named: true, files: [['.txt', 40_000]], detail: false },
    async observe(rig) {
      const seen = await kept(rig, [subagent('general-purpose'), printed(40_000), 'the subagent is done'])
      const [name = ''] = seen.files.keys()
      return {
        named: seen.words.includes(`Full output saved to: <kept>/${name}\n`),
        files: sizes(seen),
        detail: seen.result.toolUseResult !== undefined,
      }
    },
  },
  {
    id: 'saved-outputs/mcp-blocks',
    title: 'A long result of an MCP server goes to `<call id>.json`, as a list of its blocks',
    reliedOnBy: whole,
    expected: {
      head: 'Output too large (58.6KB). Full output saved to: <kept>/toolu_given.json',
      blocks: true,
    },
    async observe(rig) {
      const content = [{ type: 'text', text: 'x'.repeat(60_000) }]
      const seen = await kept(rig, [give], { content })
      const file = seen.files.get('toolu_given.json')
      return {
        head: seen.words.split('\n')[1],
        blocks: file !== undefined && JSON.stringify(JSON.parse(file.toString())) === JSON.stringify(content),
      }
    },
  },
  {
    id: 'saved-outputs/mcp-text',
    title: 'A result of an MCP server of more than 25,000 tokens goes to a file as it is',
    reliedOnBy: whole,
    expected: {
      head: 'Error: result (200,000 characters across 1 line) exceeds maximum allowed tokens. Output has been saved to <kept>/*.txt.',
      files: [['.txt', 200_000]],
    },
    async observe(rig) {
      const seen = await kept(rig, [give], { content: [{ type: 'text', text: 'x'.repeat(200_000) }] })
      return { head: seen.words.split('\n')[0]?.replace(/\/[\w-]+\.txt\.$/, '/*.txt.'), files: sizes(seen) }
    },
  },
  {
    id: 'saved-outputs/mcp-picture',
    title: 'A picture of an MCP server is kept as it came; a text after it names the file',
    reliedOnBy: whole,
    expected: { blocks: ['image', 'text'], named: true, same: true },
    async observe(rig) {
      const content = [{ type: 'image', mimeType: 'image/png', data: png }]
      const { result, words, files } = await kept(rig, [give], { content })
      const [[name, bytes] = ['', Buffer.alloc(0)]] = files
      return {
        blocks: result.message.content[0].content.map((block: Frame) => block.type),
        named: words.endsWith(`[Image: source: <kept>/${name}]`),
        same: bytes.toString('base64') === png,
      }
    },
  },
  {
    id: 'saved-outputs/fork',
    title: 'A fork’s transcript names the kept files of its source, which are not copied',
    reliedOnBy: ['packages/server/src/core/outputs/session-outputs.ts'],
    expected: { namesSource: true, ownFiles: false },
    async observe(rig) {
      const [id, forkId] = [randomUUID(), randomUUID()]
      const cli = await rig.start({ args: [`--session-id=${id}`] })
      rig.script(printed(40_000))
      await cli.turn('go')
      await cli.end()
      const fork = await rig.start({ args: [`--resume=${id}`, '--fork-session', `--session-id=${forkId}`] })
      await fork.turn('second')
      await fork.end()
      const project = projectFolder(rig)
      return {
        namesSource: (await rig.read(`${project}/${forkId}.jsonl`)).includes(`/${id}/tool-results/`),
        ownFiles: rig.has(`${project}/${forkId}/tool-results`),
      }
    },
  },
]
