/**
 * Signing in where the server has no terminal: a code for somebody in another terminal of the owner's account, and a code that the owner
 * gave with the environment or a file. Agents are programs of that account too. So the first is for where no agent can ask, and the
 * second for as long as none can have read it.
 */

import { createHash } from 'node:crypto'
import { type Saying, say } from '@dorkos/shared'
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
  reason: Saying | undefined
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
      logger.warn({ reason: fault.message }, 'a code was asked for in a terminal, and refused')
      throw new AppError('forbidden', say('code_refused', { why: fault }))
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
}: AgentsSandbox): Promise<Saying | undefined> {
  if (!enabled) return reason ? say('agents_unsandboxed_because', { why: reason }) : say('agents_unsandboxed')
  if (platform !== 'linux') return say('sandbox_untried', { platform })
  const [file] = await openedBy()
  return file === undefined ? undefined : say('sandbox_opened_by', { file })
}
