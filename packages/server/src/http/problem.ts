/** Turns whatever was thrown into an error of the contract. What is not meant for clients goes to the log, under a reference. */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type Problem, type ProblemCode, problems, say, toSaid } from '@dorkos/shared'
import { z } from 'zod'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'
import { sendJson } from './send-json.ts'

interface Answer {
  status: number
  body: Problem
  headers: Record<string, string>
}

function answerOf(error: unknown, logger: Logger): Answer {
  if (error instanceof AppError) return fromAppError(error, logger)
  if (error instanceof z.ZodError) return fromAppError(invalidRequest(error.issues), logger)
  return unexpected(error, logger)
}

/** All faults at once, each with where it is. */
export function invalidRequest(issues: readonly { path: PropertyKey[]; message: string }[]): AppError {
  const list = issues
    .slice(0, 100)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  const faults = list.slice(0, 5).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return new AppError('invalid_request', say('request_invalid', { faults }), {
    details: { issues: list },
  })
}

export function sendProblem(response: ServerResponse, error: unknown, logger: Logger): void {
  const { status, body, headers } = answerOf(error, logger)
  sendJson(response, status, body, headers)
}

function fromAppError(error: AppError, logger: Logger): Answer {
  const { status } = problems[error.code]
  // Of the core's own failures the cause belongs into the log; what a caller did wrong does not.
  if (status >= 500 && error.cause !== undefined) {
    logger.warn({ error: error.cause, code: error.code }, 'a request failed')
  }
  return {
    status,
    body: {
      error: {
        code: error.code,
        message: error.message,
        ...toSaid(error.saying),
        ...(error.details === undefined ? {} : { details: error.details }),
      },
    },
    headers: headersOf(error.code, error.details),
  }
}

function unexpected(error: unknown, logger: Logger): Answer {
  const reference = `ref_${randomBytes(8).toString('hex')}`
  logger.error({ error, reference }, 'an unexpected fault')
  const saying = say('server_failed', { reference })
  return {
    status: 500,
    body: {
      error: {
        code: 'internal',
        message: saying.message,
        ...toSaid(saying),
        reference,
      },
    },
    headers: {},
  }
}

function headersOf(code: ProblemCode, details: unknown): Record<string, string> {
  if (code === 'unauthenticated') return { 'www-authenticate': 'Bearer' }
  if (code === 'method_not_allowed') return { allow: listOf(details, 'allow') }
  if (code !== 'rate_limited' && code !== 'unavailable') return {}
  const wait = z.object({ retry_after: z.number() }).safeParse(details)
  return { 'retry-after': String(wait.success ? Math.ceil(wait.data.retry_after) : 1) }
}

function listOf(details: unknown, key: string): string {
  const found = z.record(z.string(), z.unknown()).safeParse(details)
  const value = found.success ? found.data[key] : undefined
  return Array.isArray(value) ? value.join(', ') : ''
}
