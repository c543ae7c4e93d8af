import type { PermissionSuggestion } from 'claude-code-agent'
import { describe, expect, it } from 'vitest'
import { CommandRules, proposedCommandRule } from './command-rules.ts'
import { FlagSettings } from './flag-settings.ts'

/** A CLI that takes what it is given, or does not. */
function bound() {
  const applied: unknown[] = []
  const flags = new FlagSettings()
  const cli = { applied, flags, rules: new CommandRules(flags), isBroken: false }
  flags.bind({
    async applyFlagSettings(settings) {
      applied.push(settings)
      if (cli.isBroken) throw new Error('cut')
    },
  })
  return cli
}
const allowing = (...allow: string[]) => ({ permissions: { allow } })

describe('the rules that the CLI has', () => {
  it('are sent when they change, and only then', async () => {
    const { applied, rules } = bound()
    for (const wanted of [[], ['a *'], ['a *'], ['a *', 'b *'], []])
      expect(await rules.give(wanted)).toBe(true)
    expect(applied).toEqual([allowing('Bash(a *)'), allowing('Bash(a *)', 'Bash(b *)'), allowing()])
  })

  it('are sent one after the other, also where calls come at once', async () => {
    const { applied, rules } = bound()
    await Promise.all([rules.give(['a *']), rules.give([]), rules.give(['a *']), rules.give(['a *'])])
    expect(applied).toEqual([allowing('Bash(a *)'), allowing(), allowing('Bash(a *)')])
  })

  it('are not known once they could not be sent, until they could', async () => {
    const cli = bound()
    await cli.rules.give(['a *'])
    cli.isBroken = true
    expect(await cli.rules.give([])).toBe(false)
    expect(await cli.rules.give(['a *'])).toBe(false)
    cli.isBroken = false
    expect(await cli.rules.give(['a *'])).toBe(true)
    expect(cli.applied).toHaveLength(4)
    expect(await new CommandRules(new FlagSettings()).give(['a *'])).toBe(false)
  })

  it('are not sent any more once settings files have changed: the CLI would take those over with them', async () => {
    const { applied, rules, flags } = bound()
    await rules.give(['a *'])
    flags.close()
    expect(await rules.give(['a *', 'b *'])).toBe(false)
    expect(await rules.give(['a *'])).toBe(true)
    expect(applied).toHaveLength(1)
  })
})

describe('a proposal of the CLI', () => {
  const add = (...contents: string[]): PermissionSuggestion => ({
    type: 'addRules',
    rules: contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent })),
    behavior: 'allow',
    destination: 'localSettings',
  })
  const mode: PermissionSuggestion = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }

  it.each<[string, string, PermissionSuggestion[], string | undefined]>([
    ['one rule', 'Bash', [add('npm test *')], 'npm test *'],
    ['of another tool', 'Monitor', [add('npm test *')], undefined],
    ['two rules', 'Bash', [add('npm test *', 'rm *')], undefined],
    ['a rule and a mode', 'Bash', [add('touch a *'), mode], undefined],
    ['a mode', 'Bash', [mode], undefined],
    ['a denial', 'Bash', [{ ...add('npm *'), behavior: 'deny' } as PermissionSuggestion], undefined],
    ['nothing', 'Bash', [], undefined],
  ])('%s', (_, tool, suggestions, rule) => {
    expect(proposedCommandRule(tool, suggestions)).toBe(rule)
  })

  it('for another tool is none', () => {
    const read = { ...add(), rules: [{ toolName: 'Read', ruleContent: '//tmp/**' }] } as PermissionSuggestion
    expect(proposedCommandRule('Bash', [read])).toBeUndefined()
  })
})
