import type { IncomingMessage, ServerResponse } from 'node:http'
import { ModelRequest } from './model-request.ts'
import { respond } from './respond.ts'
import { type AnswerMessages, route } from './routes.ts'
import { type Script, type ScriptFunction, ScriptPlayer } from './script.ts'
import { answerSideRequest } from './side-answer.ts'

export interface ModelHandlerOptions {
  /** Answers the CLI's own requests, which never reach the script. */
  side?: ScriptFunction
  /** Called with every request to `/v1/messages` as it comes. Nothing else keeps it. */
  onRequest?: (request: ModelRequest) => void
}

/**
 * Answers one HTTP request to its end. `body` is for a caller that has read it already. Never rejects: a connection that
 * broke is dropped.
 */
export type ModelHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  body?: Uint8Array,
) => Promise<void>

/** The Messages API without a server, to be mounted in one that exists. */
export function modelHandler(script: Script, options: ModelHandlerOptions = {}): ModelHandler {
  return handlerOf(new ScriptPlayer(script), options)
}

export function handlerOf(player: ScriptPlayer, options: ModelHandlerOptions): ModelHandler {
  const side = options.side ?? answerSideRequest
  const answer: AnswerMessages = async (body, incoming, response) => {
    const request = new ModelRequest(body, incoming.headers)
    response.once('close', () => request.connectionClosed())
    options.onRequest?.(request)
    request.reply = request.kind === 'side' ? await player.ask(side, request) : await player.next(request)
    await respond(request, request.reply, response)
  }
  // What rejects here is a connection that broke: there is nobody left to answer.
  return (request, response, body) =>
    route(request, response, answer, body).catch(() => void response.destroy())
}
