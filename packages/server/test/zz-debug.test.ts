import { toolUse } from '@dorkos/testkit'
import { it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Prompts } from './support/prompts.ts'
import { startHost } from './support/start-host.ts'
it('stops while something is pending', async () => {
  const prompts = new Prompts()
  const host = await startHost(prompts.script)
  for (const mode of ['default', 'dontAsk'] as const) {
    const c = await Conversation.open(host, { permission_mode: mode, content: prompts.on('go '+mode, toolUse('mcp__dorkos__set_config', { key: 'sessions.idleMinutes', value: 5 }), 'done') })
    await c.watch.next('approval_required')
    const t = Date.now()
    const open = c.watch.events.map((e) => e.type + ('reason' in e ? ` ${e.reason}` : ''))
    console.log(mode, open.join(', '))
    void c.endOf(1); await new Promise(r => setTimeout(r, 31000)); console.log('closing'); await c.watch.close(); console.log('watch closed', Date.now() - t)
    await host.client.stopSession({ params: c.params, body: {} })
    console.log(mode, 'stopped', Date.now() - t)
    await new Promise(r => setTimeout(r, 500))
    console.log(c.watch.events.slice(open.length).map((e) => JSON.stringify(e)).join('\n'))
    await c.watch.close()
  }
  await host.close()
}, 100_000)
