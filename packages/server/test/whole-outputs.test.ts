/** What events have no room for, and what the CLI itself keeps in files of its own, is there whole: by itself and in the export. */
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EventOf, StreamEvent } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { mainWorkspace, put, server } from './support/mcp-servers.ts'
import { noisePicture } from './support/noise-picture.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()

/** Runs a command that keeps in `printed` what it prints. */
const printing = (command: string, id: string) => toolUse('Bash', { command: `${command} | tee printed` }, id)
const printed = (): Buffer => readFileSync(join(used.host.cwd, 'printed'))
/** 75,000 bytes in 25,000 characters: too many for an event, and not for the CLI. */
const wide = `head -c 25000 /dev/zero | sed 's/\\x00/€/g'`
/** More than the CLI gives to the model; with what would end a fence, or a string. */
const long = String.raw`seq 1 200000 | sed 's/7$/7 "\\ \`\`\`\` €/'`

async function ran(...steps: ReturnType<typeof toolUse>[]): Promise<Conversation> {
  const session = await used.start([...steps, 'Done.'], { permission_mode: 'bypassPermissions' })
  await session.endOf(1)
  await written(session)
  return session
}

/** The CLI writes a moment later than it speaks; at its end all is written. */
async function written(session: Conversation): Promise<void> {
  await used.host.client.stopSession({ params: session.params, body: {} })
}

const params = (session: Conversation, toolCallId: string) => ({ ...session.params, toolCallId })

async function download(session: Conversation, toolCallId: string): Promise<Buffer> {
  const answer = await used.host.client.downloadToolOutput({ params: params(session, toolCallId) })
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /)
  return Buffer.from(await answer.arrayBuffer())
}

/** All pages, of a size that falls into characters. */
async function paged(session: Conversation, toolCallId: string, limit: number): Promise<string> {
  let text = ''
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const query = { offset, limit }
    const page = await used.host.client.getToolOutput({ params: params(session, toolCallId), query })
    expect(page.missing).toBeUndefined()
    text += page.text
    offset = page.next_offset
  }
  return text
}

async function exported(session: Conversation): Promise<{ events: StreamEvent[]; markdown: string }> {
  const read = async (format: 'json' | 'markdown') => {
    const answer = await used.host.client.exportSession({ params: session.params, query: { format } })
    return answer.text()
  }
  return { events: JSON.parse(await read('json')).events, markdown: await read('markdown') }
}

const resultOf = (events: readonly StreamEvent[], toolCallId: string): EventOf<'tool_result'> | undefined =>
  events.find(
    (event): event is EventOf<'tool_result'> =>
      event.type === 'tool_result' && event.tool_call_id === toolCallId,
  )

/** The CLI's files of this kind. */
function kept(name: RegExp): string[] {
  const { root } = used.host
  const files = readdirSync(root, { recursive: true }) as string[]
  return files.filter((file) => name.test(file)).map((file) => join(root, file))
}

describe('what a command printed', () => {
  it.each([
    ['too long for an event', wide],
    ['too long for the CLI', long],
  ])('is whole where it is %s', async (what, command) => {
    const id = `toolu_${what.replaceAll(' ', '')}`
    const session = await ran(printing(command, id))
    const live = resultOf(session.watch.events, id)
    expect(live?.omitted_bytes).toBeGreaterThan(1000)
    const { events } = await used.host.client.getHistory({ params: session.params })
    expect(resultOf(events, id)?.omitted_bytes).toBe(live?.omitted_bytes)

    const output = printed()
    expect(output.length).toBeGreaterThan(70_000)
    expect((await download(session, id)).equals(output)).toBe(true)
    expect(await paged(session, id, 100_001)).toBe(output.toString())
    const file = await exported(session)
    expect(resultOf(file.events, id)?.content).toEqual([{ type: 'text', text: output.toString() }])
    expect(resultOf(file.events, id)?.omitted_bytes).toBeUndefined()
    expect(file.markdown).toContain(`\n${output.toString().trimEnd()}\n\`\`\``)
  })

  it('is whole where a subagent ran it', async () => {
    used.prompts.on('print much', printing(long, 'toolu_ofsubagent'), 'printed')
    const about = { description: 'd', subagent_type: 'general-purpose', run_in_background: false }
    const session = await ran(toolUse('Agent', { ...about, prompt: 'print much' }))
    expect((await download(session, 'toolu_ofsubagent')).equals(printed())).toBe(true)
    const { events } = await exported(session)
    expect(resultOf(events, 'toolu_ofsubagent')?.content).toEqual([
      { type: 'text', text: printed().toString() },
    ])
  })

  it('is whole in a fork, whose transcript names files of its source', async () => {
    const session = await ran(printing(long, 'toolu_forked'))
    const output = printed()
    const fork = await used.host.client.forkSession({ params: session.params, body: {} })
    const conversation = used.follow(fork.id)
    await conversation.say(used.prompts.on('go on in the fork', 'gone on'))
    await written(conversation)
    expect((await download(conversation, 'toolu_forked')).equals(output)).toBe(true)
  })

  it('is said to be gone where the CLI’s file is', async () => {
    const session = await ran(printing(long, 'toolu_gone'))
    for (const file of kept(new RegExp(`${session.id}/tool-results/`))) rmSync(file)
    const { client } = used.host
    await expect(download(session, 'toolu_gone')).rejects.toMatchObject({ code: 'gone' })
    const page = await client.getToolOutput({ params: params(session, 'toolu_gone') })
    expect(page.missing).toMatch(/no longer exists/)
    expect(page.text).toContain('\n100\n')
    const { events, markdown } = await exported(session)
    expect(resultOf(events, 'toolu_gone')?.content.at(-1)).toEqual({ type: 'missing', text: page.missing })
    expect(markdown).toContain('which no longer exists.')
    await expect(download(session, 'toolu_never')).rejects.toMatchObject({ code: 'not_found' })
  })
})

/** The CLI makes the larger ones smaller for the model; even so an event has no room for the last. */
const pictures = [400, 500, 600].map(noisePicture)

describe('what an MCP server gave', () => {
  const file = () => join(used.host.root, 'given.json')

  async function given(content: unknown[], id: string): Promise<Conversation> {
    const { host } = used
    put(file(), { content })
    await mainWorkspace(host)
    const entry = server({ tools: ['given'], result: file() })
    await host.client.addMcpServers({ body: { name: 'gives', entry } }).catch(() => undefined)
    return ran(toolUse('mcp__gives__given', {}, id))
  }

  it.each([
    ['in the transcript and a list', 60_000],
    ['in a file alone', 300_000],
  ])('is whole where the CLI keeps it %s', async (_where, length) => {
    const text = Array.from({ length: length / 10 }, (_, index) => `${index}"\\`.padEnd(9, '.')).join('\n')
    const id = `toolu_text${length}`
    const session = await given([{ type: 'text', text }], id)
    expect(resultOf(session.watch.events, id)?.omitted_bytes).toBeGreaterThan(length - 5000)
    expect((await download(session, id)).equals(Buffer.from(text))).toBe(true)
    const { events } = await exported(session)
    expect(resultOf(events, id)?.content).toEqual([{ type: 'text', text }])
  })

  it('has its pictures as it gave them', async () => {
    const image = (picture: Buffer) => ({
      type: 'image',
      mimeType: 'image/png',
      data: picture.toString('base64'),
    })
    const session = await given([{ type: 'text', text: 'Look:' }, ...pictures.map(image)], 'toolu_pictures')
    const live = resultOf(session.watch.events, 'toolu_pictures')
    expect(live?.content.some(({ omitted_bytes }) => omitted_bytes !== undefined)).toBe(true)
    const { client } = used.host
    const page = await client.getToolOutput({ params: params(session, 'toolu_pictures') })
    expect(page.text).toBe('Look:')
    expect(page.pictures.map(({ bytes }) => bytes)).toEqual(pictures.map(({ length }) => length))
    for (const [index, picture] of pictures.entries()) {
      const answer = await client.getToolPicture({ params: { ...params(session, 'toolu_pictures'), index } })
      expect(answer.headers.get('content-type')).toBe('image/png')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true)
    }
    const { events, markdown } = await exported(session)
    const data = resultOf(events, 'toolu_pictures')?.content.map(
      ({ source }) => (source as { data: string })?.data,
    )
    expect(data).toEqual([undefined, ...pictures.map((picture) => picture.toString('base64'))])
    for (const picture of pictures) expect(markdown.includes(picture.toString('base64'))).toBe(true)
    const fourth = client.getToolPicture({ params: { ...params(session, 'toolu_pictures'), index: 3 } })
    await expect(fourth).rejects.toMatchObject({ code: 'not_found' })
  })
})

it('has the pictures of a message, which events leave out', async () => {
  const { client } = used.host
  const images = pictures.map((picture) => ({
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: picture.toString('base64') },
  }))
  const text = used.prompts.on('look at these', 'Seen.')
  const session = await used.start([], { content: [{ type: 'text', text }, ...images] })
  const { turn_id: messageId } = await session.endOf(1)
  await written(session)
  const { events } = await client.getHistory({ params: session.params })
  const said = events.find((event) => event.type === 'user_message')
  expect(JSON.stringify(said)).toContain('"omitted"')
  for (const [index, picture] of pictures.entries()) {
    const answer = await client.getMessagePicture({ params: { ...session.params, messageId, index } })
    expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true)
  }
  // As the model was shown them, where the CLI made them smaller.
  const file = await exported(session)
  expect(file.markdown.match(/!\[picture\]\(data:image\/(jpeg|png);base64,[^)]{9}/g)).toHaveLength(3)
  expect(JSON.stringify(file.events)).not.toContain('"omitted"')
})

it('gives nothing but files of the session, whatever its transcript and folder say', async () => {
  const { host } = used
  const secret = join(host.root, 'secret.txt')
  writeFileSync(secret, 'the secret')
  const other = await ran(printing(`echo the secret of another; ${long}`, 'toolu_other'))
  const session = await ran(printing(long, 'toolu_hostile'))
  const [own = ''] = kept(new RegExp(`${session.id}/tool-results/`))
  const [others = ''] = kept(new RegExp(`${other.id}/tool-results/`))
  const [transcript = ''] = kept(new RegExp(`${session.id}\\.jsonl$`))
  const words = readFileSync(transcript, 'utf8')
  for (const path of [others, secret, `${dirname(own)}/../../../../../secret.txt`, '/etc/passwd']) {
    writeFileSync(transcript, words.replaceAll(own, path))
    const page = await host.client.getToolOutput({ params: params(session, 'toolu_hostile') })
    expect(page.text).toMatch(/^<persisted-output>/)
    const { markdown } = await exported(session)
    for (const text of [page.text, markdown]) expect(text).not.toMatch(/the secret|root:/)
  }
  writeFileSync(transcript, words)
  rmSync(own)
  symlinkSync(secret, own)
  await expect(download(session, 'toolu_hostile')).rejects.toMatchObject({ code: 'gone' })
  expect((await exported(session)).markdown).not.toContain('the secret')
})
