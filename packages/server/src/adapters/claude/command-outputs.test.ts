import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
  return { tmp, own, tasks, file }
}

async function outputIn(tmp: string): Promise<string | undefined> {
  const file = await findOutput(tmp, uid, names)
  return file === undefined ? undefined : readOutput(file, uid)
}

describe('the output of a command', () => {
  it('is its last whole lines', async () => {
    expect(await outputIn(folderWith('line 1\nline').tmp)).toBe('line 1\nline')
    const many = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n')
    const read = (await outputIn(folderWith(many).tmp)) ?? ''
    expect(read).toMatch(/^…\nline \d+\n/)
    expect(read.endsWith('line 4999')).toBe(true)
    expect(read.length).toBeLessThanOrEqual(4002)
    const wide = (await outputIn(folderWith('€'.repeat(5000)).tmp)) ?? ''
    expect(wide).toMatch(/^…\n€+$/)
  })

  it('is not there where nothing is', async () => {
    expect(await outputIn(folderWith().tmp)).toBeUndefined()
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
    expect(await outputIn(at.tmp)).toBeUndefined()
  })

  it('is found behind what somebody laid before it', async () => {
    const at = folderWith('the real one')
    const decoy = join(at.own, '-a-decoy', names.session, 'tasks')
    mkdirSync(decoy, { recursive: true })
    symlinkSync(secret, join(decoy, `${names.task}.output`))
    expect(await outputIn(at.tmp)).toBe('the real one')
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

  it('is looked at when it is a command in the foreground with a plain name', async () => {
    const { tmp, tasks } = folderWith('printed')
    writeFileSync(join(tasks, '..', 'up.output'), 'outside')
    const reported: string[] = []
    const { promise, resolve } = deferred()
    const outputs = new CommandOutputs({
      uid,
      tmpDir: tmp,
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
