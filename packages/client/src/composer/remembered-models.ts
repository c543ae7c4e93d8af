/** The models that a process told of last, for when none runs. */
import { onForget } from '../auth/private-state.ts'
import { readJson, writeJson } from './local-json.ts'
import { type Model, parseModels, wellKnownModels } from './models.ts'

const key = 'dorkos.models'
let remembered: readonly Model[] | undefined

onForget(() => {
  remembered = undefined
})

export function rememberedModels(): readonly Model[] {
  if (!remembered) {
    const stored = readJson(key)
    const parsed = Array.isArray(stored) ? parseModels(stored) : []
    remembered = parsed.length > 0 ? parsed : wellKnownModels
  }
  return remembered
}

export function rememberModels(models: readonly Model[]): void {
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
