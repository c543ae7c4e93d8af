/** What a new owner should know about the server, as a list of checks with what to do. */

import type { Status, Workspace } from '@dorkos/shared'
import { text } from '../text/later-text.ts'
import { serverWords } from '../text/server-words.ts'

export interface Check {
  readonly key: 'cli' | 'model' | 'sandbox' | 'workspace'
  readonly state: 'ok' | 'attention' | 'missing'
  readonly title: string
  readonly detail: string
  /** Where to do something about it. */
  readonly link?: { readonly path: string; readonly label: string }
}

const words = text.shell.onboarding

export function onboardingChecks(status: Status, workspaces: readonly Workspace[]): Check[] {
  return [cliCheck(status), modelCheck(status), sandboxCheck(status), workspaceCheck(workspaces)]
}

function cliCheck({ cli }: Status): Check {
  const { title } = words.cli
  if (cli.fault !== undefined) return { key: 'cli', state: 'missing', title, detail: cli.fault }
  if (cli.path === undefined) return { key: 'cli', state: 'missing', title, detail: words.cli.missing }
  return { key: 'cli', state: 'ok', title, detail: words.cli.ok(cli.version) }
}

function modelCheck({ model }: Status): Check {
  const { title } = words.model
  if (model.mode === 'demo') return { key: 'model', state: 'attention', title, detail: words.model.demo }
  return { key: 'model', state: 'ok', title, detail: words.model.sources[model.source] }
}

function sandboxCheck({ sandbox }: Status): Check {
  const { title } = words.sandbox
  if (sandbox.enabled) return { key: 'sandbox', state: 'ok', title, detail: words.sandbox.ok }
  return {
    key: 'sandbox',
    state: 'missing',
    title,
    detail: words.sandbox.missing(
      sandbox.reason === undefined ? undefined : serverWords(sandbox.said, sandbox.reason),
    ),
  }
}

function workspaceCheck(workspaces: readonly Workspace[]): Check {
  const { title } = words.workspace
  const main = workspaces.find((workspace) => workspace.main) ?? workspaces[0]
  if (!main) {
    const link = { path: '/workspaces', label: words.workspace.open }
    return { key: 'workspace', state: 'missing', title, detail: words.workspace.missing, link }
  }
  if (main.trusted) return { key: 'workspace', state: 'ok', title, detail: words.workspace.ok(main.name) }
  const link = { path: `/workspaces/${main.id}`, label: words.workspace.review }
  // It may bring nothing at all: only a change needs somebody to look.
  if (main.trust === 'changed')
    return { key: 'workspace', state: 'attention', title, detail: words.workspace.changed(main.name), link }
  return { key: 'workspace', state: 'ok', title, detail: words.workspace.untrusted(main.name), link }
}
