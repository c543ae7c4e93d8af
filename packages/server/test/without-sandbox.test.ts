/** Where nothing contains the agents, they run all the same; what the CLI then refuses to root is explained in a sentence. */
import { expect, it } from 'vitest'
import { startHost } from './support/start-host.ts'

it('runs without a sandbox, as root too', async () => {
  const host = await startHost(() => 'Here I am.', {
    flags: { '--sandbox': 'off' },
    env: { IS_SANDBOX: undefined },
  })
  try {
    const { session } = await host.client.createSession({ body: {} })
    const texts: string[] = []
    const params = { id: session.id }
    for await (const frame of host.client.streamMessage({ params, body: { content: 'Hello' } }))
      if (frame.frame === 'message' && frame.event.type === 'text_delta') texts.push(frame.event.text)
    expect(texts.join('')).toBe('Here I am.')
    const change = host.client.changeSession({ params, body: { permission_mode: 'bypassPermissions' } })
    if (process.getuid?.() === 0)
      await expect(change).rejects.toMatchObject({ code: 'agent_failed', message: /permission|bypass/i })
    else await expect(change).resolves.toMatchObject({ permission_mode: 'bypassPermissions' })
  } finally {
    await host.close()
  }
})
