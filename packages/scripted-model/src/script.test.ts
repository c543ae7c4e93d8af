import { describe, expect, it } from 'vitest'
import { text, toolUse } from './block.ts'
import { ModelRequest } from './model-request.ts'
import { apiError, reply } from './reply.ts'
import { ScriptPlayer } from './script.ts'

const request = new ModelRequest({ model: 'claude-test', messages: [{ role: 'user', content: 'hi' }] }, {})

describe('ScriptPlayer', () => {
  it('plays a list in order, short forms included', async () => {
    const player = new ScriptPlayer(['a', text('b'), [text('c'), toolUse('Bash')], apiError(529)])
    expect(await player.next(request)).toEqual(reply(['a']))
    expect(await player.next(request)).toEqual(reply(['b']))
    expect(await player.next(request)).toEqual(reply(['c', toolUse('Bash', {})]))
    expect(player.remaining).toBe(1)
    expect(await player.next(request)).toMatchObject({ kind: 'error', errorType: 'overloaded_error' })
    expect(player.problems).toEqual([])
  })

  it('answers with an error and keeps the problem once when the list ran out', async () => {
    const player = new ScriptPlayer(['a'])
    await player.next(request)
    for (let again = 0; again < 3; again += 1) {
      expect(await player.next(request)).toMatchObject({
        kind: 'error',
        status: 400,
        message: expect.stringContaining('ran out'),
      })
    }
    expect(player.problems).toHaveLength(1)
    player.push(['b'])
    expect(await player.next(request)).toEqual(reply(['b']))
  })

  it('asks a function, and puts pushed steps before it', async () => {
    const player = new ScriptPlayer(async ({ lastUserText }) => `you said ${lastUserText}`)
    expect(await player.next(request)).toEqual(reply(['you said hi']))
    player.push(['first'])
    expect(await player.next(request)).toEqual(reply(['first']))
    expect(await player.next(request)).toEqual(reply(['you said hi']))
  })

  it('turns what a function throws into an error and a problem', async () => {
    const player = new ScriptPlayer(() => {
      throw new Error('no rule for this')
    })
    expect(await player.next(request)).toMatchObject({ kind: 'error', status: 400 })
    expect(player.problems).toEqual(['The script failed: no rule for this'])
  })

  it('repeats a sticky error until a step follows', async () => {
    const player = new ScriptPlayer([apiError(401, 'no', { sticky: true })])
    for (let again = 0; again < 3; again += 1) {
      expect(await player.next(request)).toMatchObject({ status: 401, message: 'no' })
    }
    expect(player.problems).toEqual([])
    player.push(['back'])
    expect(await player.next(request)).toEqual(reply(['back']))
    expect(await player.next(request)).toMatchObject({ status: 400 })
  })
})
