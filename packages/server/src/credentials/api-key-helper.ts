/** Runs the owner's `apiKeyHelper` and keeps its answer for a while. The key is never logged, nor put into an error. */

import { spawn } from 'node:child_process'
import { ProcessGroup } from '@dorkos/processes'
import { type Saying, say } from '@dorkos/shared'
import { AppError } from '../core/app-error.ts'
import type { Variables } from './provider-variables.ts'

export interface ApiKeyHelperOptions {
  /** As it stands in the owner's own settings file. */
  command: string
  env: Variables
  cwd: string
  /** Milliseconds that only ever grow. */
  monotonic: () => number
  /** How long a key is used before the helper is asked again. Five minutes by default, as in the CLI. */
  lifetimeMs?: number
  timeoutMs?: number
}

const MAX_BYTES = 64 * 1024

/** Calls that come while the helper runs share its answer. */
export function createApiKeyHelper(options: ApiKeyHelperOptions): () => Promise<string> {
  const { monotonic, lifetimeMs = 5 * 60_000 } = options
  let known: { key: string; until: number } | undefined
  let running: Promise<string> | undefined
  return () => {
    if (known && monotonic() < known.until) return Promise.resolve(known.key)
    running ??= run(options)
      .then((key) => {
        known = { key, until: monotonic() + lifetimeMs }
        return key
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}

/**
 * The setting is a shell command by definition, and this is how the CLI runs it. It comes from the owner's own settings
 * file alone, never from a project or a request. In a process group of its own, so that what it started ends with it.
 */
function run({ command, env, cwd, timeoutMs = 30_000 }: ApiKeyHelperOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      env: { ...env },
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const group = child.pid === undefined ? undefined : new ProcessGroup(child.pid)
    const stop = (why: Saying) => {
      group?.signal('SIGKILL')
      child.stdout.destroy()
      reject(failed(why))
    }
    const timer = setTimeout(
      () => stop(say('key_helper_silent', { seconds: timeoutMs / 1000 })),
      timeoutMs,
    ).unref()
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) stop(say('key_helper_talks'))
      else chunks.push(chunk)
    })
    child.on('error', (cause) => {
      clearTimeout(timer)
      reject(failed(say('key_helper_not_started'), cause))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const key = Buffer.concat(chunks).toString('utf8').trim()
      if (code !== 0)
        reject(
          failed(
            signal ? say('key_helper_killed', { signal }) : say('key_helper_failed', { code: code ?? -1 }),
          ),
        )
      else if (!/^[\x21-\x7e]+$/.test(key)) reject(failed(say('key_helper_without_key')))
      else resolve(key)
    })
  })
}

function failed(saying: Saying, cause?: unknown): AppError {
  return new AppError('unavailable', saying, { cause })
}
