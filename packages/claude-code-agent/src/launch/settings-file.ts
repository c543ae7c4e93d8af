/** The settings as the CLI gets them: always a file, since they can hold keys (`env`) and anything else. */
import { InvalidOptionsError } from '../errors.ts'
import type { PrivateFiles } from './private-files.ts'

/** From the value of `--settings` to one that names a file. A path stays what it is. */
export function handOverSettings(settings: string | undefined, files: PrivateFiles): string | undefined {
  if (!settings?.trimStart().startsWith('{')) return settings
  try {
    JSON.parse(settings)
  } catch {
    throw new InvalidOptionsError('settings: this is neither valid JSON nor the path of a file')
  }
  return files.write('settings.json', settings)
}
