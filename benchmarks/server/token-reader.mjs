/** A subscriber that notes how old each text is when it gets it. Started by token-latency.mjs. */
import { get } from 'node:http'
import { sharedClock } from './stream-cli.mjs'

/** @type {number[]} In milliseconds. */
let ages = []
/** @type {(() => void) | undefined} */
let arrived

process.on('message', async (/** @type {any} */ request) => {
  if ('url' in request) {
    await follow(request.url, request.token)
    process.send?.({ following: true })
  }
  if ('count' in request) {
    while (ages.length < request.count) await new Promise((resolve) => (arrived = () => resolve(undefined)))
    const taken = ages
    ages = []
    process.send?.({ ages: taken })
  }
})

/** Resolves with the first bytes. @param {string} url @param {string} token */
function follow(url, token) {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } })
    request.on('error', reject)
    request.on('response', (response) => {
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        const now = sharedClock()
        const records = (rest + chunk).split('\n\n')
        rest = records.pop() ?? ''
        for (const record of records)
          if (record.includes('"text_delta"'))
            for (const [, time] of record.matchAll(/(\d{8,});/g)) ages.push((now - Number(time)) / 1e6)
        resolve(undefined)
        arrived?.()
      })
    })
  })
}
