/** The systemd user unit that keeps a server running. */
import { isAbsolute } from 'node:path'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

export interface ServiceUnit {
  node: string
  script: string
  /** Where agents work by default. */
  cwd: string
  /** The state folder, when it is not the standard one. */
  home: string | undefined
  /** The file in the state folder with further variables, such as a key. */
  environmentFile: string
  /** Agents find their programs here. */
  path: string | undefined
}

/**
 * Nothing in it takes from agents what they need: no `ProtectHome`, no private `/tmp`, no seccomp filter, since those hold for
 * every process that an agent starts, and break the sandbox that agents run their commands in.
 */
export function renderServiceUnit(unit: ServiceUnit): string {
  const start = [unit.node, unit.script, 'serve'].map(quoteArgument).join(' ')
  const path = unit.path?.split(':').filter(isAbsolute).join(':')
  const variables = [
    ...(unit.home === undefined ? [] : [`DORKOS_HOME=${unit.home}`]),
    ...(path ? [`PATH=${path}`] : []),
  ]
  return `[Unit]
Description=DorkOS, a home for Claude Code agents
Documentation=man:systemd.service(5)
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${start}
WorkingDirectory=${quotePath(unit.cwd)}
${variables.map((variable) => `Environment=${quoteValue(variable)}\n`).join('')}# Variables such as ANTHROPIC_API_KEY=...; readable by you alone: chmod 600.
EnvironmentFile=-${quotePath(unit.environmentFile)}
Restart=on-failure
RestartSec=2
# An error in the configuration won't go away on its own.
RestartPreventExitStatus=${exitCodes.usage}
# Only the server is asked to stop. It ends its agents itself.
KillMode=mixed
TimeoutStopSec=60
# An agent that runs out of memory ends alone, without taking down the server and the others.
OOMPolicy=continue
# A memory dump would contain keys.
LimitCORE=0
# Keeps agents from becoming root with sudo. Leave it off if bubblewrap is setuid or agents need sudo.
#NoNewPrivileges=yes

[Install]
WantedBy=default.target
`
}

/** One argument of ExecStart: a quoted string, in which neither specifiers nor variables are replaced. */
export function quoteArgument(text: string): string {
  return quoteValue(text).replaceAll('$', '$$$$')
}

/** A quoted value of Environment, where `$` has no meaning. */
export function quoteValue(text: string): string {
  const escaped = checked(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')
  return `"${escaped}"`
}

/** Paths are taken to the end of the line, spaces included; only specifiers must be escaped. */
function quotePath(text: string): string {
  return checked(text).replaceAll('%', '%%')
}

/** A line's end would begin another setting. */
function checked(text: string): string {
  if (!/\p{Cc}/u.test(text)) return text
  throw new CliError(
    `The path ${JSON.stringify(text)} can’t be used in a service: it contains control characters.`,
  )
}
