/** The least that shows a stream: a pipe, a response, and a page that appends what it reads to the last paragraph and stays at the end, with a text box below. */
import { createServer } from 'node:http'
import { startBare } from '../sdk/bare-cli.mjs'

const html = `<!doctype html><main><article id="out" style="height: 600px; overflow: auto"></article></main><textarea aria-label="message"></textarea><script type="module">
const box = document.getElementById('out')
let out
const paragraph = () => {
  out = box.appendChild(document.createElement('p')).appendChild(new Text())
}
const show = (text) => {
  out.appendData(text)
  if (text.endsWith('\\n\\n')) paragraph()
  box.scrollTop = box.scrollHeight
}
paragraph()
const { body } = await fetch('/events')
let rest = ''
for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) if (line.startsWith('data: ')) show(JSON.parse(line.slice(6)).text)
}
</script>`

/** @param {string} cliPath */
export async function startBarePage(cliPath) {
  /** @type {import('node:http').ServerResponse | undefined} */
  let subscriber
  const server = createServer((request, response) => {
    if (request.url !== '/events') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    subscriber = response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': \n\n')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  let ended = () => {}
  const cli = await startBare({ cliPath }, ({ type, event }) => {
    if (type === 'result') ended()
    if (type !== 'stream_event' || event.type !== 'content_block_delta') return
    subscriber?.write(`data: ${JSON.stringify({ text: event.delta.text })}\n\n`)
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    /** A turn, to its end. */
    async say() {
      const end = new Promise((resolve) => {
        ended = () => resolve(undefined)
      })
      await cli.say('go')
      await end
    },
    async close() {
      await cli.end()
      server.closeAllConnections()
      server.close()
    },
  }
}
