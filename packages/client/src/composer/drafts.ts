/**
 * What is being written, for each session and for a new one. Text outlives the page; attachments stay while the page is open, and after
 * a reload the number of those that are gone is shown.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { onForget } from '../auth/private-state.ts'
import type { Attachment } from './attachments.ts'
import { keysWith, readJson, writeJson } from './local-json.ts'

export interface Draft {
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Attachments that did not outlive a reload. */
  readonly lost: number
}

const prefix = 'dorkos.draft.'
const maxStoredText = 200_000
const maxStored = 50
const debounceMs = 300
const nothing: Draft = { text: '', attachments: [], lost: 0 }

const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()
const unsaved = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

export function draftOf(key: string): Draft {
  let draft = drafts.get(key)
  if (!draft) {
    draft = storedDraft(readJson(prefix + key))
    drafts.set(key, draft)
  }
  return draft
}

export function changeDraft(key: string, change: Partial<Draft>): void {
  drafts.set(key, { ...draftOf(key), ...change })
  unsaved.add(key)
  timer ??= setTimeout(saveDrafts, debounceMs)
  for (const listener of listeners) listener()
}

export function clearDraft(key: string): void {
  changeDraft(key, nothing)
  saveDrafts()
}

/** Puts a message in front of what is being written, so that neither is lost. */
export function returnToDraft(key: string, text: string, attachments: readonly Attachment[]): void {
  const draft = draftOf(key)
  changeDraft(key, {
    text: [text, draft.text].filter((part) => part.trim() !== '').join('\n\n'),
    attachments: [...attachments, ...draft.attachments],
  })
}

function onDraftChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Writes down what has changed. Called by itself a moment after a change, and when the page is left. */
export function saveDrafts(): void {
  clearTimeout(timer)
  timer = undefined
  for (const key of unsaved) {
    const { text, attachments, lost } = draftOf(key)
    const missing = attachments.length + lost
    const isEmpty = text === '' && missing === 0
    writeJson(
      prefix + key,
      isEmpty ? undefined : { text: text.slice(0, maxStoredText), attachments: missing, time: Date.now() },
    )
  }
  if (unsaved.size > 0) dropOldest()
  unsaved.clear()
}

/** Nothing of it is written down any more. */
function forgetDrafts(): void {
  clearTimeout(timer)
  timer = undefined
  unsaved.clear()
  drafts.clear()
  for (const listener of listeners) listener()
}

function storedDraft(value: unknown): Draft {
  if (typeof value !== 'object' || value === null) return nothing
  const { text, attachments } = value as Record<string, unknown>
  return {
    text: typeof text === 'string' ? text.slice(0, maxStoredText) : '',
    attachments: [],
    lost: typeof attachments === 'number' && attachments > 0 ? Math.floor(attachments) : 0,
  }
}

function dropOldest(): void {
  const keys = keysWith(prefix)
  if (keys.length <= maxStored) return
  const timeOf = (key: string) => Number((readJson(key) as { time?: unknown } | undefined)?.time ?? 0)
  for (const key of keys.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(0, keys.length - maxStored))
    writeJson(key, undefined)
}

onForget(forgetDrafts)

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', saveDrafts)
  document.addEventListener('visibilitychange', () => document.hidden && saveDrafts())
}

/** What is being written, kept over navigation and reloads. */
export function useDraft(key: string): Draft {
  return useSyncExternalStore(
    onDraftChange,
    useCallback(() => draftOf(key), [key]),
  )
}
