/** What the mode `acceptEdits` really lets run unasked: the CLI's rule, with what DorkOS says of it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { attack, type Call, decisions, refuse } from './support/hostile-agent.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
const bash = (command: string): Call => ['Bash', { command }]

it('commands that make, copy, move and delete files of the workspace, and no others', async () => {
  const { host, prompts } = used
  mkdirSync(join(host.cwd, 'build/deep'), { recursive: true })
  mkdirSync(join(host.cwd, '.git'))
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(host.cwd, name), `${name}\n`)
  writeFileSync(join(host.root, 'outside'), '')
  symlinkSync(join(host.root, 'outside'), join(host.cwd, 'link'))
  const unasked = [
    ...['mkdir made', 'touch new', 'cp a a2', 'mv b b2', 'rm c', 'rm -rf build', 'rmdir made'],
    ...['echo hi > said', 'cat a >> said', 'mkdir x && touch x/y; rm -rf x', 'timeout 5 rm said'],
  ]
  const asked = [
    ...['sed -i s/a/b/ a', 'chmod 700 a', 'ln -s a l', 'tee t < a', 'truncate -s 0 a', 'find . -delete'],
    ...['bash -c "rm d"', 'FOO=1 rm d', 'rm $(cat a)', 'npm test', 'git commit -m x'],
    ...['rm -rf .', 'rm -rf *', 'rm -rf .git', 'rm link', 'touch link', 'touch .bashrc', 'cd .. && ls'],
    ...[
      `rm ${host.root}/outside`,
      `cp a ${host.root}/a`,
      `mkdir ${host.root}/m`,
      `cat ${host.root}/outside`,
      'rm -rf ~',
    ],
  ]
  const calls = [...unasked, ...asked].map(bash)
  const outcome = await attack(host, prompts, { mode: 'acceptEdits', calls, answer: () => refuse })
  await outcome.session.close()
  expect(outcome.asked.map(({ input }) => input.command)).toEqual(asked)
  expect(outcome.results.map(({ isError }) => isError)).toEqual([
    ...unasked.map(() => false),
    ...asked.map(() => true),
  ])
  expect(await decisions(host, outcome.session.id)).toEqual([
    ...unasked.map(() => 'Bash: allow mode'),
    ...asked.map(() => 'Bash: deny person'),
  ])
}, 120_000)
