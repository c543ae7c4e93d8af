/** What the page for a new session knows and does. */
import type { PermissionMode, Workspace } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api, errorText } from '../api.ts'
import { useSessions } from '../live/use-live.ts'
import { text } from '../text/text.ts'
import { workspaceCommands } from './commands.ts'
import { clearDraft, useDraft } from './drafts.ts'
import { toContent, type Written } from './message-content.ts'
import { newKey } from './new-key.ts'
import {
  type Choices,
  parseBudget,
  rememberChoices,
  rememberedChoices,
  toPreparedBody,
  toSessionBody,
} from './new-session-choices.ts'
import { isPermissionMode } from './permission-modes.ts'
import { useReadyProcess } from './use-ready-process.ts'
import type { CommandList } from './use-suggestions.ts'

/** What the configuration gives to a session that does not say otherwise. */
export interface Defaults {
  readonly model: string | undefined
  readonly mode: PermissionMode
  /** 0: no limit. */
  readonly budgetUsd: number
}

export function useDefaults(): Defaults {
  const { data } = useQuery({ queryKey: ['config'], queryFn: ({ signal }) => api.getConfig({ signal }) })
  const configured = (path: string) => data?.keys.find((key) => key.path === path)?.value
  const model = configured('sessions.model')
  const mode = configured('sessions.permissionMode')
  const budget = configured('sessions.budgetUsd')
  return {
    model: typeof model === 'string' && model !== '' ? model : undefined,
    mode: isPermissionMode(mode) ? mode : 'default',
    budgetUsd: typeof budget === 'number' ? budget : 10,
  }
}

/** What a session with this profile has where nothing else is chosen. */
export function useProfileDefaults(
  name: string | undefined,
  workspaceId: string | undefined,
  defaults: Defaults,
): Defaults {
  const { data } = useQuery({
    queryKey: ['profiles', 'one', name, '', workspaceId ?? ''],
    queryFn: ({ signal }) =>
      api.getProfile({
        params: { name: name ?? '' },
        query: workspaceId === undefined ? {} : { workspace_id: workspaceId },
        signal,
      }),
    enabled: name !== undefined,
  })
  if (name === undefined || !data?.profile) return defaults
  const { model, permissions, limits } = data.profile
  return {
    model: model ?? defaults.model,
    mode: permissions.mode ?? defaults.mode,
    budgetUsd: limits.budget_usd ?? defaults.budgetUsd,
  }
}

/** The choices, begun with those of last time and what the address asks for. */
export function useChoices(): [Choices, (change: Partial<Choices>) => void] {
  const search = new URLSearchParams(useSearch())
  const asked = search.get('workspace') ?? undefined
  const profile = search.get('profile') ?? undefined
  const [choices, setChoices] = useState<Choices>(() => {
    const remembered = rememberedChoices()
    const workspaceId = asked ?? remembered.workspaceId
    if (profile === undefined) return { ...remembered, workspaceId }
    return { ...remembered, workspaceId, profile, mode: undefined, model: undefined, effort: undefined }
  })
  return [choices, useCallback((change) => setChoices((before) => ({ ...before, ...change })), [])]
}

/** One that is not there any more is not chosen. */
export function chosenWorkspace(
  workspaces: readonly Workspace[],
  id: string | undefined,
): Workspace | undefined {
  return workspaces.find((one) => one.id === id) ?? workspaces.find(({ main }) => main) ?? workspaces[0]
}

const commandsStaleMs = 10_000

/** Commands of the workspace while no process of it reports them. */
export function useWorkspaceCommands(workspaceId: string | undefined): CommandList {
  const { data, error } = useQuery({
    queryKey: ['workspaces', workspaceId, 'commands'],
    queryFn: ({ signal }) => api.listWorkspaceCommands({ params: { id: workspaceId ?? '' }, signal }),
    enabled: workspaceId !== undefined,
    staleTime: commandsStaleMs,
  })
  return useMemo<CommandList>(() => {
    const words = text.composer.suggestions
    if (!data)
      return { state: 'unavailable', reason: error ? words.notListed(errorText(error)) : words.listing }
    const commands = workspaceCommands(data)
    if (commands.length === 0 && !data.has_builtin)
      return { state: 'unavailable', reason: words.noneOfWorkspace }
    return { state: 'ready', commands }
  }, [data, error])
}

/** A process that runs in the workspace can report its commands; any other at least its models. */
export function useProcessToAsk(
  workspaceId: string | undefined,
): { id: string; sameWorkspace: boolean } | undefined {
  const running = useSessions().filter(({ live }) => live)
  const near = running.find(({ workspace_id }) => workspace_id === workspaceId)
  const one = near ?? running[0]
  return one && { id: one.id, sameWorkspace: near !== undefined }
}

/** A process is made ready for a session like this. */
export function useReadyForNew(choices: Choices | undefined): void {
  const body = choices && toPreparedBody(choices)
  const what = body && JSON.stringify(body)
  useReadyProcess(what, async () => body && api.prepareNewSession({ body }))
  const isWriting = useDraft('new').text.trim() !== ''
  useEffect(() => {
    if (what === undefined || !isWriting) return
    // Nothing depends on the answer.
    api.prepareNewSession({ body: { ...JSON.parse(what), writing: true } }).catch(() => undefined)
  }, [what, isWriting])
}

export interface StartSession {
  busy: boolean
  fault: string | undefined
  start: (written: Written | undefined, choices: Choices) => Promise<void>
}

/** The same request keeps its key until it is answered, so that trying again cannot start two sessions. */
export function useStartSession(): StartSession {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [, navigate] = useLocation()
  const asked = useRef({ body: '', key: '' })
  const start = async (written: Written | undefined, choices: Choices) => {
    if (busy || parseBudget(choices.budget) === 'fault') return
    const body = toSessionBody(choices, written && toContent(written.text, written.attachments))
    const json = JSON.stringify(body)
    if (asked.current.body !== json) asked.current = { body: json, key: newKey() }
    setBusy(true)
    setFault(undefined)
    try {
      const { session } = await api.createSession({ body, idempotencyKey: asked.current.key })
      asked.current = { body: '', key: '' }
      rememberChoices(choices)
      if (written) clearDraft('new')
      navigate(`/sessions/${session.id}`)
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, start }
}
