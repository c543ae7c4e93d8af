import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Where a command lies that is named without a folder, on a PATH; undefined when it is nowhere on it. */
export function findProgram(command: string, path: string | undefined): string | undefined {
  if (command === '' || /[/\\]/.test(command)) return undefined
  const folders = (path ?? '').split(delimiter).filter(isAbsolute)
  return folders.map((folder) => join(folder, command)).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
