import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { queryClient } from '../queries/query-client.ts'
import { text } from '../text/page-text.ts'
import { toast } from '../ui/toast.tsx'
import { type ConfigEntry, faultOf, keyName } from './config-keys.ts'

interface ConfigChange {
  busy: boolean
  fault: string | undefined
  setFault: (fault: string | undefined) => void
  /** null takes the key out of the file. False when the server refused it. */
  change: (value: unknown) => Promise<boolean>
}

/** Writes one key. What the server has against it stands beside its field. */
export function useConfigChange({ path, restart }: ConfigEntry): ConfigChange {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const change = async (value: unknown) => {
    setBusy(true)
    setFault(undefined)
    try {
      queryClient.setQueryData(['config'], await api.changeConfig({ body: { set: { [path]: value } } }))
      const t = text.settings
      toast.ok(restart ? t.savedRestart(keyName(path)) : t.saved(keyName(path)))
      return true
    } catch (error) {
      setFault(faultOf(error, path, errorText(error)))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, setFault, change }
}
