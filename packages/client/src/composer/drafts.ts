/**
 * What is being written, for each session and for a new one. Text outlives the page, and `draft-sync.ts` has it follow the person to
 * another device; attachments stay while the page is open, and after a reload the number of those that are gone is shown.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { onForget } from '../auth/private-state.ts'
import type { Attachment } from './attachments.ts'
import { keysWith, readJson, writeJson } from './local-json.ts'

export interface MessageDraft {
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Attachments that did not outlive a reload. */
  readonly lost: number
  /** The server's, that the text was made from; 0 where it has none. */
  readonly revision: number
  /** The text is as the server has it. */
  readonly isSynced: boolean
}

const prefix = 'dorkos.draft.'
const maxStoredText = 200_000
const maxStored = 50
const debounceMs = 300
const nothing: MessageDraft = { text: '', attachments: [], lost: 0, revision: 0, isSynced: true }

const drafts = new Map<string, MessageDraft>()
const listeners = new Set<(key?: string) => void>()
const unsaved = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

export function messageDraftOf(key: string): MessageDraft {
  let draft = drafts.get(key)
  if (!draft) {
    draft = storedDraft(readJson(prefix + key))
    drafts.set(key, draft)
  }
  return draft
}

/** Somebody wrote. */
export function changeDraft(
  key: string,
  change: Partial<Pick<MessageDraft, 'text' | 'attachments' | 'lost'>>,
): void {
  const { text, isSynced } = messageDraftOf(key)
  setDraft(key, { isSynced: isSynced && (change.text ?? text) === text, ...change })
}

/** As it is now, whoever wrote it. */
export function setDraft(key: string, change: Partial<MessageDraft>): void {
  drafts.set(key, { ...messageDraftOf(key), ...change })
  unsaved.add(key)
  timer ??= setTimeout(saveDrafts, debounceMs)
  for (const listener of listeners) listener(key)
}

export function clearDraft(key: string): void {
  changeDraft(key, { text: '', attachments: [], lost: 0 })
  saveDrafts()
}

/** Puts a message in front of what is being written, so that neither is lost. */
export function returnToDraft(key: string, text: string, attachments: readonly Attachment[]): void {
  const draft = messageDraftOf(key)
  changeDraft(key, {
    text: [text, draft.text].filter((part) => part.trim() !== '').join('\n\n'),
    attachments: [...attachments, ...draft.attachments],
  })
}

/** Every one of which something is known here. */
export function draftKeys(): string[] {
  const stored = keysWith(prefix).map((key) => key.slice(prefix.length))
  return [...new Set([...drafts.keys(), ...stored])]
}

/** With the key of the one that changed; without, all did. */
export function onDraftChange(listener: (key?: string) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Writes down what has changed. Called by itself a moment after a change, and when the page is left. */
export function saveDrafts(): void {
  clearTimeout(timer)
  timer = undefined
  for (const key of unsaved) {
    const { text, attachments, lost, revision, isSynced } = messageDraftOf(key)
    const missing = attachments.length + lost
    // One that was sent is kept until the server knows that it is gone.
    const isEmpty = text === '' && missing === 0 && (isSynced || revision === 0)
    writeJson(
      prefix + key,
      isEmpty
        ? undefined
        : { text: text.slice(0, maxStoredText), attachments: missing, time: Date.now(), revision, isSynced },
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

function storedDraft(value: unknown): MessageDraft {
  if (typeof value !== 'object' || value === null) return nothing
  const { text, attachments, revision, isSynced } = value as Record<string, unknown>
  return {
    text: typeof text === 'string' ? text.slice(0, maxStoredText) : '',
    attachments: [],
    lost: typeof attachments === 'number' && attachments > 0 ? Math.floor(attachments) : 0,
    revision: typeof revision === 'number' ? revision : 0,
    isSynced: isSynced === true,
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
export function useDraft(key: string): MessageDraft {
  return useSyncExternalStore(
    onDraftChange,
    useCallback(() => messageDraftOf(key), [key]),
  )
}
