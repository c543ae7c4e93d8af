/**
 * Signing in where the server has no terminal: a code for somebody in another terminal of the owner's account, and a code that the owner
 * gave with the environment or a file. Agents are programs of that account too. So the first is for where no agent can ask, and the
 * second for as long as none can have read it.
 */
import { createHash } from 'node:crypto'
import { AppError } from './app-error.ts'
import type { Auth, GivenCode } from './auth.ts'
import type { Logger } from './logger.ts'
import type { Records } from './ports/records.ts'

export interface SignInWithoutTerminalParts {
  auth: Pick<Auth, 'createTerminalCode' | 'acceptGivenCode'>
  /** Where it is remembered which given codes there were. */
  values: Pick<Records, 'getValue' | 'setValue'>
  agentsHaveActed(): Promise<boolean>
  sandbox: AgentsSandbox
  logger: Logger
}

export interface AgentsSandbox {
  enabled: boolean
  reason: string | undefined
  platform: NodeJS.Platform
  /** Settings files that open it, for any agent that runs or could. */
  openedBy(): Promise<readonly string[]>
}

export interface SignInWithoutTerminal {
  /** For whoever reaches the socket in the state folder. Throws `forbidden` where that could be an agent. */
  codeForTerminal(form: 'link' | 'typed'): Promise<{ code: string; expires_at: string }>
  /** Takes a given code, if it was never given before and no agent can have read it. Says in the log what became of it. */
  take(given: GivenCode): Promise<void>
}

export function createSignInWithoutTerminal(parts: SignInWithoutTerminalParts): SignInWithoutTerminal {
  const { auth, values, agentsHaveActed, sandbox, logger } = parts
  return {
    async codeForTerminal(form) {
      // An agent that never used a tool has run nothing, and so asks for nothing.
      const fault = (await agentsHaveActed()) ? await whyAgentsCouldAsk(sandbox) : undefined
      if (fault === undefined) return auth.createTerminalCode(form)
      logger.warn({ reason: fault }, 'a code was asked for in a terminal, and refused')
      throw new AppError('forbidden', refusal(fault))
    },
    async take(given) {
      const from = given.from === 'file' ? 'DORKOS_SIGN_IN_CODE_FILE' : 'DORKOS_SIGN_IN_CODE'
      const key = `given-code:${createHash('sha256').update(given.code).digest('hex')}`
      if ((await values.getValue(key)) !== undefined)
        return logger.info(
          { from },
          'the sign-in code was given before: each is taken once, and works for an hour from then',
        )
      // Remembered first: one that fails now is not taken later either.
      await values.setValue(key, 'given')
      if (await agentsHaveActed())
        return logger.warn(
          { from },
          'the sign-in code was not taken: agents have worked here, and may have read it. Use `dorkos code`, or a signed-in page',
        )
      const { expires_at } = await auth.acceptGivenCode(given)
      logger.info({ from, expires_at }, 'a sign-in code was taken: it works once, until an agent works here')
    },
  }
}

/** Undefined where the sandbox keeps every command of every agent from the state folder. */
async function whyAgentsCouldAsk({
  enabled,
  reason,
  platform,
  openedBy,
}: AgentsSandbox): Promise<string | undefined> {
  if (!enabled) return `agents’ commands run without a sandbox${reason ? ` (${reason})` : ''}`
  if (platform !== 'linux') return `this was never tried against the sandbox of ${platform}`
  const [file] = await openedBy()
  return file === undefined ? undefined : `settings open the sandbox of agents’ commands (${file})`
}

function refusal(fault: string): string {
  return `No code is given out here, since an agent could ask for one too: ${fault}. Make one under Devices on a page that is signed in; or stop the server and run \`dorkos serve\` once in a terminal.`
}
