import type { Approval } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { text } from '../text/card-text.ts'
import { answers, button, card, click, draw, fresh, mayDo, withCardPage } from './test-support/card-page.tsx'

withCardPage()

const t = text.approvals.always
const issue = (change: Partial<Approval> = {}): Approval =>
  fresh({
    tool: 'mcp__tracker__add',
    input: { project: 'a\u200b', title: 'one' },
    proposed_rule: {
      tool: 'mcp__tracker__add',
      match: '{"project":"a","title":"one"}',
      scope: 'workspace',
      fields: ['project', 'title'],
    },
    ...change,
  })

async function open(approval: Approval): Promise<void> {
  await draw(approval)
  await click(button('Always…'))
}

/** The choice or field whose label begins like this. */
const choice = (label: string) =>
  [...card().querySelectorAll('label')]
    .find(({ textContent }) => textContent?.startsWith(label))
    ?.querySelector('input') ?? expect.fail(`no choice ${label}`)
const labels = () => [...card().querySelectorAll('[data-panel] label')].map(({ textContent }) => textContent)
const said = () => card().querySelector('[data-panel] [role=status]')?.textContent
const confirm = () => button(t.confirm)

describe('the rule of an MCP tool', () => {
  it('is for exactly this call, for the same fields, or for the tool', async () => {
    mayDo('read', 'approve', 'admin')
    await open(issue())
    expect(labels().map((label) => label?.split(/[,.]/)[0])).toEqual([
      t.kinds.call,
      'This tool',
      'Every add call',
      'In this session',
      'In the workspace ws_00000001',
      'Everywhere',
    ])
    await click(choice('Every add call'))
    await click(choice('Everywhere'))
    expect(said()).toBe(
      `Every add call, whatever its input, will run without asking in every session in every workspace, until you revoke the rule. ${t.sameName}`,
    )
    await click(confirm())
    expect(answers()).toEqual([{ decision: 'allow', scope: 'everywhere', covers: { kind: 'tool' } }])
  })

  it('needs a field that stays the same, and says which they are', async () => {
    await open(issue())
    await click(choice(t.kinds.fields))
    expect(said()).toBe(t.noFields)
    await click(confirm())
    expect(answers()).toEqual([])
    // Nothing in a value is hidden.
    expect(choice('project').closest('label')?.textContent).toContain('U+200B')
    await click(choice('title'))
    await click(choice('project'))
    await click(choice('title'))
    await click(choice('In this session'))
    expect(said()).toBe(
      'Every add call with the same project, whatever the rest of its input, will run without asking in this session, until you revoke the rule.',
    )
    await click(confirm())
    const covers = { kind: 'fields', fields: ['project'] }
    expect(answers()).toEqual([{ decision: 'allow', scope: 'session', covers }])
  })

  it('is not for everywhere where this device could not add it', async () => {
    await open(issue())
    expect(choice('Everywhere').disabled).toBe(true)
    expect(card().textContent).toContain(t.needsAdmin)
  })

  it('holds in no workspace where there is none, and is offered for a call that is too long for one', async () => {
    const { workspace_id, ...bare } = issue({
      proposed_rule: { tool: 'mcp__tracker__add', scope: 'session', fields: ['project'] },
    })
    await open(bare)
    expect(labels().map((label) => label?.split(/[,.]/)[0])).toEqual([
      'This tool',
      'project "a[U+200B]"',
      'Every add call',
      'In this session',
      `Everywhere${t.needsAdmin}`.split('.')[0],
    ])
    expect(card().textContent).not.toContain(text.approvals.actions.allowSession)
  })
})

describe('the rule of a command', () => {
  it('is for those that begin alike where Claude Code proposes it', async () => {
    await open(
      fresh({
        proposed_rule: { tool: 'Bash', match: 'npm test x', scope: 'workspace', prefix: 'npm test *' },
      }),
    )
    await click(choice('Commands that start with “npm test”'))
    expect(card().textContent).toContain(t.hints.prefix)
    await click(confirm())
    expect(answers()).toEqual([{ decision: 'allow', scope: 'always', covers: { kind: 'prefix' } }])
  })

  it('is for the very command elsewhere', async () => {
    await open(fresh())
    expect(labels()).toHaveLength(4)
    expect(labels()[0]).toBe(t.kinds.command)
  })
})
