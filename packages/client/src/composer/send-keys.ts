/** Which keys send a message, as this browser's user likes it. */
import { useSyncExternalStore } from 'react'
import { readJson, writeJson } from './local-json.ts'

const key = 'dorkos.send-with-command'
const listeners = new Set<() => void>()
let withCommand: boolean | undefined

export function sendsWithCommand(): boolean {
  withCommand ??= readJson(key) === true
  return withCommand
}

export function setSendsWithCommand(value: boolean): void {
  withCommand = value
  writeJson(key, value || undefined)
  for (const listener of listeners) listener()
}

export function useSendsWithCommand(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, sendsWithCommand)
}

const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)
/** What the key beside the space bar is called here. */
export const commandKeyName = isMac ? '⌘' : 'Ctrl'

/** Fingers have no Shift+Enter. */
export function isTouch(): boolean {
  return globalThis.matchMedia?.('(pointer: coarse)').matches ?? false
}
