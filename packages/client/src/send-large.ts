/** As `fetch`, and says how far the sending has come, which `fetch` cannot. For requests whose body is a text. */
import { noteSendProgress } from './send-progress.ts'

export function sendLarge(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  const key = headers.get('idempotency-key') ?? ''
  const request = new XMLHttpRequest()
  return new Promise<Response>((resolve, reject) => {
    const failed = () => reject(new TypeError('The request could not be sent.'))
    request.open(init.method ?? 'GET', url)
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => noteSendProgress(key, total === 0 ? 0 : loaded / total)
    request.onerror = failed
    request.ontimeout = failed
    request.onabort = failed
    request.onload = () => resolve(answerOf(request))
    init.signal?.addEventListener('abort', () => request.abort())
    request.send(String(init.body))
  }).finally(() => noteSendProgress(key, undefined))
}

/** Statuses whose answer has no body. */
const bodiless = [204, 205, 304]

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { status, responseText } = request
  return new Response(bodiless.includes(status) ? null : responseText, { status, headers })
}
