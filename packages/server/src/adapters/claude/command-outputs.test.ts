import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CommandOutputs, findOutput, readOutput } from './command-outputs.ts'

const root = mkdtempSync(join(tmpdir(), 'dorkos-outputs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const secret = join(root, 'secret')
writeFileSync(secret, 'a key')

const uid = process.getuid?.() ?? 0
const names = { session: 'session-1', task: 'b1' }
let made = 0
/** A folder for temporary files with an output in it. */
function folderWith(output?: string) {
  const tmp = join(root, `tmp-${++made}`)
  const own = join(tmp, `claude-${uid}`)
  const tasks = join(own, '-a-project', names.session, 'tasks')
  mkdirSync(tasks, { recursive: true })
  const file = join(tasks, `${names.task}.output`)
  if (output !== undefined) writeFileSync(file, output)
  return { own, tasks, file }
}

async function outputIn(own: string): Promise<string | undefined> {
  const file = await findOutput(own, uid, names)
  return file === undefined ? undefined : readOutput(file, uid)
}

describe('the output of a command', () => {
  it('is its last whole lines', async () => {
    expect(await outputIn(folderWith('line 1\nline').own)).toBe('line 1\nline')
    const many = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n')
    const read = (await outputIn(folderWith(many).own)) ?? ''
    expect(read).toMatch(/^…\nline \d+\n/)
    expect(read.endsWith('line 4999')).toBe(true)
    expect(read.length).toBeLessThanOrEqual(4002)
    const wide = (await outputIn(folderWith('€'.repeat(5000)).own)) ?? ''
    expect(wide).toMatch(/^…\n€+$/)
  })

  it('is not there where nothing is', async () => {
    expect(await outputIn(folderWith().own)).toBeUndefined()
    await expect(outputIn(join(root, 'nowhere'))).rejects.toThrow()
  })

  it.each<[string, (at: ReturnType<typeof folderWith>) => void]>([
    ['a link', ({ file }) => symlinkSync(secret, file)],
    ['another name of a file', ({ file }) => linkSync(secret, file)],
    ['a pipe', ({ file }) => execFileSync('mkfifo', [file])],
    ['a folder', ({ file }) => mkdirSync(file)],
    [
      'behind a link',
      ({ tasks, file }) => {
        writeFileSync(file, 'a key')
        renameSync(tasks, `${tasks}-moved`)
        symlinkSync(`${tasks}-moved`, tasks)
      },
    ],
    [
      'behind a link to another place for such files',
      ({ own, file }) => {
        writeFileSync(file, 'a key')
        renameSync(own, `${own}-moved`)
        symlinkSync(`${own}-moved`, own)
      },
    ],
  ])('is not read from %s', async (_name, prepare) => {
    const at = folderWith()
    prepare(at)
    expect(await outputIn(at.own)).toBeUndefined()
  })

  it('is found behind what somebody laid before it', async () => {
    const at = folderWith('the real one')
    const decoy = join(at.own, '-a-decoy', names.session, 'tasks')
    mkdirSync(decoy, { recursive: true })
    symlinkSync(secret, join(decoy, `${names.task}.output`))
    expect(await outputIn(at.own)).toBe('the real one')
  })
})

describe('a task', () => {
  const started = {
    type: 'system',
    subtype: 'task_started',
    task_type: 'local_bash',
    task_id: names.task,
    session_id: names.session,
    tool_use_id: 't1',
  }

  it('is read in pages, by whoever asks, in the background as well', async () => {
    const { own, file } = folderWith('line 1\nline 2 €')
    const outputs = new CommandOutputs({ uid, folder: own, onOutput: () => {} })
    const all = { text: 'line 1\nline 2 €', offset: 0, nextOffset: 17, bytes: 17 }
    expect(await outputs.read(names.task, { limit: 100 })).toBeUndefined()
    outputs.see({ ...started, is_backgrounded: true })
    expect(await outputs.read(names.task, { limit: 100 })).toEqual(all)
    expect(await outputs.read(names.task, { offset: 0, limit: 100 })).toEqual(all)
    // The last of it, from a whole line on; from an offset, whole characters.
    expect(await outputs.read(names.task, { limit: 12 })).toEqual({ ...all, text: 'line 2 €', offset: 7 })
    const cut = { text: 'line 2 ', offset: 7, nextOffset: 14, bytes: 17 }
    expect(await outputs.read(names.task, { offset: 7, limit: 8 })).toEqual(cut)
    expect(await outputs.read(names.task, { offset: 17, limit: 8 })).toEqual({ ...all, text: '', offset: 17 })
    appendFileSync(file, Buffer.from([0x21, 0xe2, 0x82]))
    const half = { text: '!', offset: 17, nextOffset: 18, bytes: 20 }
    expect(await outputs.read(names.task, { offset: 17, limit: 8 })).toEqual(half)
    // One that is shorter by now is another.
    writeFileSync(file, 'anew')
    const anew = { text: 'anew', offset: 0, nextOffset: 4, bytes: 4 }
    expect(await outputs.read(names.task, { offset: 18, limit: 8 })).toEqual(anew)
    rmSync(file)
    symlinkSync(secret, file)
    expect(await outputs.read(names.task, { limit: 100 })).toBeUndefined()
  })

  it('is looked at when it is a command in the foreground with a plain name', async () => {
    const { own, tasks } = folderWith('printed')
    writeFileSync(join(tasks, '..', 'up.output'), 'outside')
    const reported: string[] = []
    const { promise, resolve } = deferred()
    const outputs = new CommandOutputs({
      uid,
      folder: own,
      onOutput: (call, output) => {
        reported.push(`${call} ${output}`)
        if (reported.length === 2) resolve()
      },
    })
    const wrong = [
      { task_type: 'local_agent' },
      { is_backgrounded: true },
      { task_id: '../up' },
      { session_id: `../-a-project/${names.session}` },
    ]
    for (const [at, change] of wrong.entries())
      outputs.see({ ...started, tool_use_id: `wrong ${at}`, ...change })
    outputs.see({ ...started, tool_use_id: 7 })
    outputs.see({ ...started, tool_use_id: 'ended' })
    outputs.end('ended')
    outputs.see(started)
    outputs.see({ ...started, tool_use_id: 'last' })
    await promise
    outputs.close()
    expect(reported.toSorted()).toEqual(['last printed', 't1 printed'])
  })
})

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
