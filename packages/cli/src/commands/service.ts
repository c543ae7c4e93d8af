/** `dorkos service install | uninstall | status`: a systemd user unit. */
import { spawn } from 'node:child_process'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { showFirstLink } from '../first-link.ts'
import { homeOf } from '../server-files.ts'
import { renderServiceUnit } from '../service-unit.ts'

const unitName = 'dorkos.service'
const logCommand = `journalctl --user -u ${unitName}`

export interface ServiceFlags {
  now?: boolean
  dryRun?: boolean
}

export async function installService(context: CliContext, flags: ServiceFlags): Promise<ExitCode> {
  const text = unitText(context)
  if (flags.dryRun) {
    context.stdout.write(text)
    return exitCodes.completed
  }
  const file = unitFile(context)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text, { mode: 0o644 })
  context.stdout.write(`Written: ${file}\n`)
  const commands = [['daemon-reload'], ['enable', '--now', unitName]]
  const isStarted = await apply(context, commands, flags.now === true)
  context.stdout.write(
    `To keep it running when you’re logged out:\n  loginctl enable-linger\nLog: ${logCommand}\n`,
  )
  if (isStarted) await showFirstLink(context, { hasFailed: () => hasFailed(context), log: logCommand })
  else context.stdout.write('For a sign-in link, once it’s running:\n  dorkos code --link\n')
  return exitCodes.completed
}

/** Where nobody can say, it is waited for. */
async function hasFailed(context: CliContext): Promise<boolean> {
  return (await systemctl(context, ['is-failed', '--quiet', unitName])) === 0
}

export async function uninstallService(context: CliContext, flags: ServiceFlags): Promise<ExitCode> {
  const file = unitFile(context)
  if (!(await exists(file))) {
    context.stdout.write(`There is no ${file}.\n`)
    return exitCodes.completed
  }
  if (flags.dryRun) {
    context.stdout.write(`Would remove ${file}\n`)
    return exitCodes.completed
  }
  await apply(context, [['disable', '--now', unitName]], flags.now === true)
  await rm(file, { force: true })
  context.stdout.write(`Removed: ${file}\n`)
  await apply(context, [['daemon-reload']], flags.now === true)
  return exitCodes.completed
}

export async function serviceStatus(context: CliContext): Promise<ExitCode> {
  const file = unitFile(context)
  if (!(await exists(file))) {
    context.stdout.write('Not installed. Install it with `dorkos service install`.\n')
    return exitCodes.failed
  }
  context.stdout.write(`Installed: ${file}\n`)
  const code = await systemctl(context, ['status', '--no-pager', unitName])
  if (code === undefined) context.stdout.write('There’s no systemctl here, so its state is unknown.\n')
  return code === 0 || code === undefined ? exitCodes.completed : exitCodes.failed
}

function unitText(context: CliContext): string {
  const { env } = context
  return renderServiceUnit({
    node: process.execPath,
    script: context.script,
    cwd: context.cwd,
    home: env.DORKOS_HOME ? homeOf(env) : undefined,
    environmentFile: join(homeOf(env), 'environment'),
    path: env.PATH,
  })
}

function unitFile({ env }: CliContext): string {
  const wanted = env.XDG_CONFIG_HOME
  const config = wanted && isAbsolute(wanted) ? wanted : join(env.HOME || homedir(), '.config')
  return join(config, 'systemd', 'user', unitName)
}

/** Runs the commands with `--now` where systemctl exists; else says which to run, and answers false. */
async function apply(context: CliContext, commands: string[][], now: boolean): Promise<boolean> {
  let ran = true
  for (const args of commands) {
    const words = `systemctl --user ${args.join(' ')}`
    const code = now ? await systemctl(context, args) : undefined
    if (code !== undefined && code !== 0) throw new CliError(`\`${words}\` failed (exit code ${code}).`)
    if (code !== undefined) continue
    context.stdout.write(`Run: ${words}\n`)
    ran = false
  }
  return ran
}

/** Undefined where there is no systemctl. */
function systemctl({ env, stdout, stderr }: CliContext, args: string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn('systemctl', ['--user', ...args], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (data: Buffer) => stdout.write(data))
    child.stderr.on('data', (data: Buffer) => stderr.write(data))
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => resolve(code ?? 1))
  })
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
