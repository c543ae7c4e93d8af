import { say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'

/** What the CLI cannot or will not do is reported in its own words. */
export async function byAgent<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new AppError('agent_failed', say('cli_words', { text: message }), { cause: error })
  }
}
