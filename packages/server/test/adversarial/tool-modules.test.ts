/** An agent that writes a tool module, in a mode where nobody is asked, gains nothing by it. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { lastOffer } from '../support/mcp-servers.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { useHost } from '../support/use-host.ts'

describe('an agent that writes a module', () => {
  const used = useHost()
  const ways = sandboxHere ? (['Write', 'Bash'] as const) : (['Write'] as const)

  it('gains nothing by its tools, into its workspace and into the owner’s folder', async () => {
    const { host } = used
    const mark = join(host.root, 'loaded-evil')
    const content = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, 'x')\n`
    const own = join(host.home, 'tools')
    const files = ways.flatMap((way) =>
      [join(host.cwd, '.dorkos', 'tools'), own].map(
        (folder) => [way, join(folder, `evil-${way}.mjs`)] as const,
      ),
    )
    const session = await used.start(['ready'], { permission_mode: 'bypassPermissions' })
    await session.endOf(1)
    for (const [way, file] of files) {
      const command = `mkdir -p '${dirname(file)}' && cat > '${file}' <<'END'\n${content}\nEND`
      const act =
        way === 'Write'
          ? toolUse('Write', { file_path: file, content })
          : toolUse('Bash', { command, description: 'writes it' })
      expect(await session.say(used.prompts.on(`write ${file}`, act, 'done'))).toMatchObject({
        outcome: 'completed',
      })
      if (dirname(file) === own) expect(existsSync(file)).toBe(false)
      await session.say(used.prompts.on(`and now ${file}?`, 'ok'))
      expect(lastOffer(host, session)).toEqual([])
      expect(existsSync(mark)).toBe(false)
    }
    expect(session.watch.of('tool_result')).toHaveLength(files.length)
  })
})
