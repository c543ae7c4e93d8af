/** Transcripts: where they are, what is in them, and what becomes of a conversation that is resumed. */
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { toolUse } from '@dorkos/testkit'
import { cutOffTurn } from '../busy-turns.ts'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { subagent } from '../host-answers.ts'
import type { Rig } from '../rig.ts'
import { projectFolder, transcriptOf } from '../transcript-files.ts'

const folderName = ['packages/claude-code-agent/src/transcripts/project-folder.ts']
const chain = ['packages/claude-code-agent/src/transcripts/message-chain.ts']

/** A conversation of one turn that has ended. */
async function conversation(rig: Rig, id: string, said = 'first'): Promise<string> {
  const cli = await rig.start({ args: [`--session-id=${id}`] })
  const uuid = cli.say(said)
  await cli.state('idle')
  await cli.end()
  return uuid
}

const userTexts = (rig: Rig): string[] =>
  (rig.asked.at(-1)?.messages ?? [])
    .filter((message) => message.role === 'user')
    .flatMap((message) =>
      typeof message.content === 'string'
        ? [message.content]
        : message.content.map((part) => String(part.text)),
    )
    .filter((text) => ['first', 'second', 'third'].includes(text))

export const transcriptCases: ContractCase[] = [
  {
    id: 'transcripts/place',
    title:
      'The transcript is `projects/<folder>/<session id>.jsonl`, the folder’s name made of the directory’s',
    reliedOnBy: folderName,
    expected: { there: true, long: true },
    async observe(rig) {
      const id = randomUUID()
      await conversation(rig, id)
      const deep = `project/${'long-name-of-a-folder/'.repeat(12)}`
      await rig.write(`${deep}x`, '')
      const cli = await rig.start({
        cwd: `${rig.home}/${deep.slice(0, -1)}`,
        args: [`--session-id=${randomUUID()}`],
      })
      await cli.turn('go')
      await cli.end()
      const folders = await readdir(`${rig.configDir}/projects`)
      return {
        there: rig.has(`${projectFolder(rig)}/${id}.jsonl`),
        long: folders.some((name) => /^.{200}-[0-9a-z]+$/.test(name)),
      }
    },
  },
  {
    id: 'transcripts/entries',
    title: 'Messages are entries linked by `parentUuid`; the person’s has the id that the host gave',
    reliedOnBy: [...chain, 'packages/server/src/adapters/claude/find-message-ids.ts'],
    expected: { ownId: true, linked: true, fields: [] },
    async observe(rig) {
      const id = randomUUID()
      const uuid = await conversation(rig, id)
      const all = await transcriptOf(rig, id)
      const said = all.find((entry) => entry.type === 'user')
      const answer = all.find((entry) => entry.type === 'assistant')
      const ids = new Set(all.map((entry) => entry.uuid))
      const fields = ['parentUuid', 'isSidechain', 'timestamp', 'cwd', 'sessionId', 'version', 'message']
      return {
        ownId: said?.uuid === uuid,
        linked: ids.has(answer?.parentUuid),
        fields: fields.filter((name) => said?.[name] === undefined || answer?.[name] === undefined),
      }
    },
  },
  {
    id: 'transcripts/field-order',
    title: 'Lines of messages begin with `parentUuid`, `isSidechain`; so most are known by their first bytes',
    reliedOnBy: [
      'packages/claude-code-agent/src/transcripts/spoken-entry.ts',
      'packages/claude-code-agent/src/transcripts/transcript-facts.ts',
    ],
    expected: { first: ['parentUuid', 'isSidechain'], typeOfOthersFirst: true },
    async observe(rig) {
      const id = randomUUID()
      await conversation(rig, id)
      const all = await transcriptOf(rig, id)
      const spoken = all.filter((entry) => ['user', 'assistant'].includes(entry.type))
      const others = all.filter((entry) => entry.uuid === undefined)
      return {
        first: [...new Set(spoken.flatMap((entry) => Object.keys(entry).slice(0, 2)))],
        typeOfOthersFirst: others.every((entry) => Object.keys(entry)[0] === 'type'),
      }
    },
  },
  {
    id: 'transcripts/resume',
    title: 'A resumed session keeps its id and its history; a fork has both, under a new id',
    reliedOnBy: ['packages/claude-code-agent/src/launch/create-session.ts'],
    expected: {
      sameId: true,
      resumed: ['first', 'second'],
      forkId: true,
      forked: ['first', 'second', 'third'],
    },
    async observe(rig) {
      const [id, forkId] = [randomUUID(), randomUUID()]
      await conversation(rig, id)
      const resumed = await rig.start({ args: [`--resume=${id}`] })
      await resumed.turn('second')
      const texts = userTexts(rig)
      await resumed.end()
      const fork = await rig.start({ args: [`--resume=${id}`, '--fork-session', `--session-id=${forkId}`] })
      await fork.turn('third')
      return {
        sameId: resumed.all({ subtype: 'init' })[0].session_id === id,
        resumed: texts,
        forkId: fork.all({ subtype: 'init' })[0].session_id === forkId,
        forked: userTexts(rig),
      }
    },
  },
  {
    id: 'transcripts/resume-at',
    title: '`--resume-session-at` leaves out what came after that message',
    reliedOnBy: ['packages/claude-code-agent/src/launch/arguments.ts'],
    expected: { texts: ['first', 'third'] },
    async observe(rig) {
      const id = randomUUID()
      await conversation(rig, id)
      const answer = (await transcriptOf(rig, id)).findLast((entry) => entry.type === 'assistant')
      const more = await rig.start({ args: [`--resume=${id}`] })
      await more.turn('second')
      await more.end()
      const cli = await rig.start({
        args: [
          `--resume=${id}`,
          `--resume-session-at=${answer?.uuid}`,
          '--fork-session',
          `--session-id=${randomUUID()}`,
        ],
      })
      await cli.turn('third')
      return { texts: userTexts(rig) }
    },
  },
  {
    id: 'transcripts/cut-off-call',
    title:
      'With `CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS` a call that a crash cut off is shown on resume, its outcome unknown',
    reliedOnBy: ['packages/claude-code-agent/src/launch/undocumented-variables.ts'],
    security: true,
    expected: { calls: 1, outcomeUnknown: true },
    async observe(rig) {
      const { id } = await cutOffTurn(rig)
      const env = { CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1' }
      const cli = await rig.start({ args: [`--resume=${id}`], env })
      await cli.turn('go on')
      const messages = JSON.stringify(rig.asked.at(-1)?.messages)
      return {
        calls: messages.split('"type":"tool_use"').length - 1,
        outcomeUnknown: /outcome is unknown/.test(messages),
      }
    },
  },
  {
    id: 'transcripts/branch',
    title:
      'With `--resume-session-at` and no fork a session goes on from the parent of a message, in the same file; the parent may be no message',
    reliedOnBy: ['packages/server/src/core/sessions/resend.ts'],
    expected: { sameParent: true, heard: ['first', 'other'] },
    async observe(rig) {
      const id = randomUUID()
      const first = await rig.start({ args: [`--session-id=${id}`] })
      await first.turn('first')
      await first.turn('second')
      await first.end()
      const isSaid = (words: string) => (entry: Frame) =>
        JSON.stringify(entry.message)?.includes(`"${words}"`)
      const left = (await transcriptOf(rig, id)).find(isSaid('second'))
      const again = await rig.start({ args: [`--resume=${id}`, `--resume-session-at=${left?.parentUuid}`] })
      await again.turn('other')
      await again.end()
      const taken = (await transcriptOf(rig, id)).find(isSaid('other'))
      const messages = JSON.stringify(rig.asked.at(-1)?.messages)
      return {
        sameParent: taken !== undefined && taken.parentUuid === left?.parentUuid,
        heard: ['first', 'second', 'other'].filter((words) => messages.includes(`"${words}"`)),
      }
    },
  },
  {
    id: 'transcripts/title',
    title: '`rename_session` writes a `custom-title` entry',
    reliedOnBy: ['packages/claude-code-agent/src/transcripts/session-info.ts'],
    expected: { title: 'A title' },
    async observe(rig) {
      const id = randomUUID()
      const cli = await rig.start({ args: [`--session-id=${id}`] })
      await cli.turn('first')
      await cli.ask('rename_session', { title: 'A title' })
      await cli.end()
      const entry = (await transcriptOf(rig, id)).findLast((one) => one.type === 'custom-title')
      return { title: entry?.customTitle }
    },
  },
  {
    id: 'transcripts/clear',
    title: '`/clear` gives the session another id inside the same process',
    reliedOnBy: ['packages/claude-code-agent/src/session/session-core.ts'],
    expected: { ids: 2, firstIsOurs: true },
    async observe(rig) {
      const id = randomUUID()
      const cli = await rig.start({ args: [`--session-id=${id}`] })
      await cli.turn('first')
      await cli.turn('/clear')
      await cli.turn('second')
      const ids = [...new Set(cli.all({ subtype: 'init' }).map((frame) => frame.session_id))]
      return { ids: ids.length, firstIsOurs: ids[0] === id }
    },
  },
  {
    id: 'transcripts/own-words',
    title:
      'What the CLI itself writes is known by how it begins: a command and what it printed stand between tags, a summary begins with its sentence',
    reliedOnBy: ['packages/client/src/conversation/synthetic.ts'],
    expected: {
      command: ['/compact', 'briefly'],
      printed: ['Total cost:', 'Compacted'],
      summary: true,
    },
    async observe(rig) {
      const cli = await rig.start()
      await cli.turn('first')
      await cli.turn('/cost')
      const { session_id } = await cli.turn('/compact briefly')
      await cli.end()
      const words = (await transcriptOf(rig, session_id))
        .map(({ message, content }) => message?.content ?? content)
        .filter((text) => typeof text === 'string')
      const last = words.findLast((text) => text.startsWith('<command-name>')) ?? ''
      const between = (tag: string, text: string): string | undefined =>
        new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim()
      return {
        command: [between('command-name', last), between('command-args', last)],
        printed: words.flatMap(
          (text) => between('local-command-stdout', text)?.match(/^[A-Z][\w ]+\w:?/) ?? [],
        ),
        summary: words.some((text) =>
          /^This session is being continued from a previous conversation/.test(text),
        ),
      }
    },
  },
  {
    id: 'transcripts/subagents',
    title: 'A subagent has a file of its own in `<session id>/subagents/agent-<agent id>.jsonl`',
    reliedOnBy: ['packages/server/src/adapters/transcripts/subagent-tail.ts'],
    expected: { files: 1, named: true },
    async observe(rig) {
      const id = randomUUID()
      const cli = await rig.start({ args: [`--session-id=${id}`] })
      rig.script(subagent('general-purpose'), 'the subagent is done')
      await cli.turn('go')
      const files = await readdir(`${rig.home}/${projectFolder(rig)}/${id}/subagents`)
      const transcripts = files.filter((name) => name.endsWith('.jsonl'))
      return { files: transcripts.length, named: /^agent-[0-9a-z]+\.jsonl$/.test(transcripts[0] ?? '') }
    },
  },
  {
    id: 'transcripts/running',
    title:
      'A running CLI has `sessions/<pid>.json` with its session id, start and domain; it goes with its end',
    reliedOnBy: ['packages/server/src/adapters/claude/running-clis.ts'],
    expected: { sessionId: true, pid: true, domain: true, start: true, afterEnd: false },
    async observe(rig) {
      const id = randomUUID()
      const cli = await rig.start({ args: [`--session-id=${id}`] })
      await cli.turn('go')
      const file = `.claude/sessions/${cli.process.pid}.json`
      await rig.poll(() => rig.has(file))
      const entry = JSON.parse(await rig.read(file))
      await cli.end()
      return {
        sessionId: entry.sessionId === id,
        pid: entry.pid === cli.process.pid,
        domain: typeof entry.pidDomain === 'string',
        start: entry.procStart !== undefined,
        afterEnd: rig.has(file),
      }
    },
  },
  {
    id: 'transcripts/checkpoints',
    title:
      'With `CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING` files go back to a message; without it they cannot',
    reliedOnBy: ['packages/claude-code-agent/src/launch/undocumented-variables.ts'],
    expected: { without: false, dryRun: true, content: 'old' },
    async observe(rig) {
      const write = async (value: string | undefined): Promise<[Frame, string]> => {
        await rig.write('project/a.txt', 'old')
        const cli = await rig.start({ env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: value } })
        const file = { file_path: `${rig.cwd}/a.txt` }
        rig.script(toolUse('Read', file), toolUse('Write', { ...file, content: 'new' }))
        const uuid = cli.say('go')
        await cli.state('idle')
        const dry = await cli.ask('rewind_files', { user_message_id: uuid, dry_run: true })
        await cli.ask('rewind_files', { user_message_id: uuid })
        return [dry.response?.canRewind ?? false, await rig.read('project/a.txt')]
      }
      const [without] = await write(undefined)
      const [dryRun, content] = await write('true')
      return { without, dryRun, content }
    },
  },
]
