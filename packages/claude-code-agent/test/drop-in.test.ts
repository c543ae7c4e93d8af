/** A program written for the official SDK, types included, runs with only its import changed. */
import { readFile } from 'node:fs/promises'
import { realCliPath, startOffline, toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { program as officialProgram } from './support/drop-in-official.ts'
import { program as ourProgram } from './support/drop-in-ours.ts'

interface Base {
  env: Record<string, string>
  cwd: string
  settingSources: []
  pathToClaudeCodeExecutable: string
}

const source = (name: string) => readFile(new URL(`./support/${name}.ts`, import.meta.url), 'utf8')
const withoutImports = (text: string) => text.slice(text.indexOf('/**'))

it('the two programs differ in their import only', async () => {
  expect(withoutImports(await source('drop-in-ours'))).toBe(withoutImports(await source('drop-in-official')))
})

it('and do the same', async () => {
  const run = async (program: (options: Base) => Promise<string[]>) => {
    const script = [toolUse('mcp__calc__add', { a: 2, b: 3 }), 'It is 5.', 'Hello to you.']
    await using offline = await startOffline(script)
    const pathToClaudeCodeExecutable = realCliPath()
    const said = await program({
      env: offline.env,
      cwd: offline.cwd,
      settingSources: [],
      pathToClaudeCodeExecutable,
    })
    expect(offline.model.problems).toEqual([])
    // The hook and the question come while messages are on their way.
    return said.sort()
  }
  const theirs = await run(officialProgram)
  expect(theirs).toEqual(
    expect.arrayContaining(['It is 5. after 2', 'Hello to you.', 'aborted', 'tool_result']),
  )
  expect(await run(ourProgram)).toEqual(theirs)
})
