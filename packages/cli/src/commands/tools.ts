/** `dorkos tools list | new | test`: the owner's own tools, run here as the server runs them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ModuleFault, OfferedTool, OpenToolFolder } from '@dorkos/server'
import { isRecord } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { type CliContext, columnsOf } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { homeOf } from '../server-files.ts'
import { oneLine, safeJson, safeText } from '../terminal/escape.ts'
import { styleOf } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'
import { toolTemplate } from './tool-template.ts'

export interface ToolsFlags {
  folder?: string
  json?: boolean
}

/** The prefix `mcp__tools__` and this are at most 64 characters, which is the model's limit. */
const toolName = /^[a-z][a-z0-9_-]{0,47}$/

/** Fails where a module cannot be loaded. */
export async function listTools(context: CliContext, flags: ToolsFlags): Promise<ExitCode> {
  const { stdout, stderr, env } = context
  const folder = folderOf(context, flags)
  return withFolder(context, folder, async ({ tools, modules }) => {
    const faults = modules.flatMap((module) => module.faults)
    if (flags.json) {
      stdout.write(`${safeJson({ folder, tools, modules })}\n`)
    } else {
      if (tools.length > 0)
        stdout.write(
          `${renderTable(tools, columns(folder), columnsOf(stdout), styleOf(stdout, env)).join('\n')}\n`,
        )
      else stderr.write(`No tools in ${oneLine(folder)}. Create one with \`dorkos tools new <name>\`.\n`)
      await writeFaults(context, faults)
    }
    return faults.length > 0 ? exitCodes.failed : exitCodes.completed
  })
}

function columns(folder: string): Column<OfferedTool>[] {
  return [
    { title: 'TOOL', value: ({ name }) => name },
    { title: 'FILE', value: ({ file }) => (file.startsWith(folder) ? file.slice(folder.length + 1) : file) },
    { title: 'DESCRIPTION', value: ({ description }) => description, grows: true },
  ]
}

/** Writes a module that works, and never over one that is there. */
export async function newTool(context: CliContext, name: string, flags: ToolsFlags): Promise<ExitCode> {
  if (!toolName.test(name)) {
    throw new CliError(
      'A tool name has up to 48 characters (a-z, 0-9, _ and -) and starts with a letter.',
      exitCodes.usage,
    )
  }
  const folder = folderOf(context, flags)
  const file = join(folder, `${name}.mjs`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, toolTemplate(name), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CliError(`${file} already exists. Choose another name.`, exitCodes.usage, error)
    throw new CliError(`Can’t write ${file} (${code}).`, exitCodes.failed, error)
  }
  if (flags.json) context.stdout.write(`${safeJson({ name, file })}\n`)
  else {
    context.stdout.write(`${file}\n`)
    const where = flags.folder === undefined ? '' : ` --folder ${flags.folder}`
    context.stderr.write(`Try it: dorkos tools test ${name}${where} --input '{"name":"Ada"}'\n`)
  }
  return exitCodes.completed
}

export async function testTool(
  context: CliContext,
  name: string,
  flags: ToolsFlags & { input?: string },
): Promise<ExitCode> {
  const args = readInput(flags.input ?? '{}')
  return withFolder(context, folderOf(context, flags), async (open) => {
    const faults = open.modules.flatMap((module) => module.faults)
    await writeFaults(context, faults)
    const tool = open.tools.find((each) => each.name === name)
    if (!tool) {
      const known = open.tools.map((each) => each.name).join(', ')
      throw new CliError(
        `There’s no tool ${oneLine(name, 60)}. ${known === '' ? 'There are none yet.' : `Available: ${known}.`}`,
        faults.length > 0 ? exitCodes.failed : exitCodes.usage,
      )
    }
    const result = await callTool(context, open, name, args)
    if (flags.json) context.stdout.write(`${safeJson(result)}\n`)
    else writeResult(context, result)
    return result.isError === true ? exitCodes.failed : exitCodes.completed
  })
}

function readInput(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    throw new CliError(
      `--input isn’t valid JSON: ${message}. Example: --input '{"name":"Ada"}'`,
      exitCodes.usage,
      error,
    )
  }
  if (isRecord(value)) return value
  throw new CliError(`--input takes a JSON object, such as '{"name":"Ada"}'.`, exitCodes.usage)
}

async function callTool(
  context: CliContext,
  open: OpenToolFolder,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const interrupted = new AbortController()
  const endListening = context.onStop(() => interrupted.abort())
  try {
    return await open.call(name, args, interrupted.signal)
  } catch (error) {
    if (interrupted.signal.aborted) throw new CliError('Interrupted.', exitCodes.interrupted, error)
    throw error
  } finally {
    endListening()
  }
}

/** Texts as they are, other parts by name; what failed goes to the other stream. */
function writeResult({ stdout, stderr }: CliContext, result: Record<string, unknown>): void {
  const { content, structuredContent, isError } = result
  const parts: Record<string, unknown>[] = Array.isArray(content) ? content : []
  const stream = isError === true ? stderr : stdout
  for (const part of parts) {
    const { type, text, mimeType } = part
    const shown =
      type === 'text' ? String(text) : `[${String(type)}${mimeType === undefined ? '' : ` ${mimeType}`}]`
    stream.write(`${safeText(shown)}\n`)
  }
  if (structuredContent !== undefined && parts.every(({ type }) => type !== 'text'))
    stream.write(`${safeJson(structuredContent)}\n`)
}

async function writeFaults({ stderr }: CliContext, faults: readonly ModuleFault[]): Promise<void> {
  const { faultText } = await import('@dorkos/server')
  for (const fault of faults) stderr.write(`✗ ${oneLine(faultText(fault))}\n`)
}

function folderOf(context: CliContext, flags: ToolsFlags): string {
  return flags.folder === undefined ? join(homeOf(context.env), 'tools') : resolve(context.cwd, flags.folder)
}

async function withFolder(
  context: CliContext,
  folder: string,
  work: (open: OpenToolFolder) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { openToolFolder } = await import('@dorkos/server')
  const open = await openToolFolder(folder, context.env)
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}
