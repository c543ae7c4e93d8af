/** What a session's process can do: its commands and its models. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, errorText } from '../api.ts'
import { onForget } from '../auth/private-state.ts'
import { text } from '../text/text.ts'
import { parseCommands } from './commands.ts'
import { readJson, writeJson } from './local-json.ts'
import { type Model, parseModels, wellKnownModels } from './models.ts'
import type { CommandList } from './use-suggestions.ts'

export interface Capabilities {
  commands: CommandList
  models: readonly Model[]
  /** Starts a process that does not run, so that its commands can be listed. */
  needCommands: () => void
}

const staleMs = 60_000

/** `sessionId` is undefined where there is no session to ask. */
export function useCapabilities(
  sessionId: string | undefined,
  isLive: boolean,
  mayStart: boolean,
): Capabilities {
  const query = useQuery({
    queryKey: ['capabilities', sessionId],
    queryFn: ({ signal }) => api.getCapabilities({ params: { id: sessionId ?? '' }, signal }),
    enabled: sessionId !== undefined && isLive,
    staleTime: staleMs,
    retry: 1,
  })
  const start = useStart(sessionId)
  const { data } = query
  const parsed = useMemo(
    () => data && { commands: parseCommands(data.commands), models: parseModels(data.models) },
    [data],
  )
  useEffect(() => {
    if (parsed && parsed.models.length > 0) rememberModels(parsed.models)
  }, [parsed])
  const commands = useMemo<CommandList>(() => {
    if (parsed) return { state: 'ready', commands: parsed.commands }
    if (start.fault !== undefined) return { state: 'unavailable', reason: start.fault }
    if (sessionId !== undefined && (isLive || start.busy)) return { state: 'starting' }
    return { state: 'unavailable', reason: text.composer.suggestions.unavailable }
  }, [parsed, start.fault, start.busy, isLive, sessionId])
  const { run } = start
  const needCommands = useCallback(() => {
    if (mayStart && !isLive) run()
  }, [mayStart, isLive, run])
  return { commands, models: parsed?.models ?? rememberedModels(), needCommands }
}

function useStart(sessionId: string | undefined) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const isBusy = useRef(false)
  const run = useCallback(() => {
    if (sessionId === undefined || isBusy.current) return
    isBusy.current = true
    setBusy(true)
    setFault(undefined)
    api
      .startSession({ params: { id: sessionId }, body: {} })
      .catch((error: unknown) => setFault(errorText(error)))
      .finally(() => {
        isBusy.current = false
        setBusy(false)
      })
  }, [sessionId])
  return { busy, fault, run }
}

/** The models that a process reported last, for when none runs. */
const key = 'dorkos.models'
let remembered: readonly Model[] | undefined

onForget(() => {
  remembered = undefined
})

function rememberedModels(): readonly Model[] {
  if (!remembered) {
    const stored = readJson(key)
    const parsed = Array.isArray(stored) ? parseModels(stored) : []
    remembered = parsed.length > 0 ? parsed : wellKnownModels
  }
  return remembered
}

function rememberModels(models: readonly Model[]): void {
  remembered = models
  writeJson(
    key,
    models.map(({ value, label, description, resolved, efforts }) => ({
      value,
      displayName: label,
      description,
      resolvedModel: resolved,
      supportedEffortLevels: efforts,
    })),
  )
}
