/** What this browser wants to be notified of. */
import { remember, remembered, useRemembered } from '../../browser/remembered.ts'
import { type AlertSettings, defaultSettings } from './alerts.ts'

const key = 'dorkos.alerts'

export function parseSettings(stored: string | undefined): AlertSettings {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    if (typeof value !== 'object' || value === null) return defaultSettings
    const found = value as Partial<Record<keyof AlertSettings, unknown>>
    const flag = (name: keyof AlertSettings) => {
      const given = found[name]
      return typeof given === 'boolean' ? given : defaultSettings[name]
    }
    return { notify: flag('notify'), finished: flag('finished'), sound: flag('sound') }
  } catch {
    return defaultSettings
  }
}

export function alertSettings(): AlertSettings {
  return parseSettings(remembered(key))
}

export function useAlertSettings(): [AlertSettings, (change: Partial<AlertSettings>) => void] {
  const [stored] = useRemembered(key)
  const settings = parseSettings(stored)
  return [settings, (change) => remember(key, JSON.stringify({ ...settings, ...change }))]
}
