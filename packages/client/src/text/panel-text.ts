/** The words of `text.ts` with those of the side panel and its tabs, which are loaded when it is opened. */
import { changes } from './en/changes.ts'
import { commands } from './en/commands.ts'
import { files } from './en/files.ts'
import { panel } from './en/panel.ts'
import { text as first } from './text.ts'

export const text = { ...first, changes, commands, files, panel }
