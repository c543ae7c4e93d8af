/** Models as the CLI lists them, and what each of them can be asked for. */
import { type Effort, effortLevels } from '@dorkos/shared'

export interface Model {
  /** What `changeSession` takes. `default` stands for no choice. */
  readonly value: string
  readonly label: string
  readonly description: string
  /** What a process reports when it runs this one. */
  readonly resolved: string | undefined
  /** Empty: it has no levels. */
  readonly efforts: readonly Effort[]
}

export const defaultModel = 'default'

/** Before any process has reported its models: the names that the CLI always takes. */
export const wellKnownModels: readonly Model[] = ['opus', 'sonnet', 'haiku'].map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
  description: '',
  resolved: undefined,
  efforts: effortLevels,
}))

export function parseModels(list: readonly unknown[]): Model[] {
  return list.slice(0, 100).flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null) return []
    const { value, displayName, description, resolvedModel, supportedEffortLevels } = entry as Record<
      string,
      unknown
    >
    if (typeof value !== 'string' || value === '' || value.length > 200) return []
    return [
      {
        value,
        label: typeof displayName === 'string' && displayName !== '' ? displayName.slice(0, 100) : value,
        description: typeof description === 'string' ? description.slice(0, 300) : '',
        resolved: typeof resolvedModel === 'string' ? resolvedModel : undefined,
        efforts: effortsOf(supportedEffortLevels),
      },
    ]
  })
}

function effortsOf(levels: unknown): readonly Effort[] {
  return Array.isArray(levels) ? effortLevels.filter((level) => levels.includes(level)) : []
}

/** The entry that a session's model is, by its name or by what it stands for. The default's entry is for sessions without a choice. */
export function findModel(models: readonly Model[], name: string | undefined): Model | undefined {
  if (name === undefined) return models.find(({ value }) => value === defaultModel)
  return (
    models.find(({ value }) => value === name) ??
    models.find(({ value, resolved }) => resolved === name && value !== defaultModel) ??
    models.find(({ resolved }) => resolved === name)
  )
}

/** A short name for what is not in the list: `claude-opus-5-5[1m]` is shown whole in a title. */
export function modelLabel(models: readonly Model[], name: string | undefined): string | undefined {
  return findModel(models, name)?.label ?? name
}
