import { describe, expect, it } from 'vitest'
import { statelessServer } from './stateless-servers.ts'

const files = '@modelcontextprotocol/server-filesystem'

/** As it would be typed; no argument here holds a space. */
function known(line: string): string | undefined {
  const [command = '', ...args] = line.split(' ')
  return statelessServer(command, args)
}

describe('is known', () => {
  it.each([
    [`npx ${files} /srv`, files],
    [`npx -y ${files}@latest /srv /home`, files],
    [`/usr/local/bin/npx --yes --quiet ${files}@^1.2.3`, files],
    [`npx -y -- ${files}@2025.8.21`, files],
    [`bunx ${files}`, files],
    [`pnpm dlx ${files}@1.x`, files],
    [`node /opt/node_modules/${files}/dist/index.js /srv`, files],
    [`/usr/bin/node /a/node_modules/other/node_modules/${files}/dist/index.js`, files],
    ['uvx mcp-server-fetch', 'mcp-server-fetch'],
    ['uvx --quiet --python 3.12 mcp-server-git@2025.7.1 --repository /srv', 'mcp-server-git'],
    ['uvx --python=3.12 mcp-server-time==0.6.2', 'mcp-server-time'],
    ['uv tool run mcp-server-time', 'mcp-server-time'],
  ])('%s', (line, name) => {
    expect(known(line)).toBe(name)
  })
})

describe('is not known', () => {
  it.each([
    ['another program', `server-filesystem ${files}`],
    ['a shell, whatever it runs', `sh -c npx ${files}`],
    ['a script of that name', `/srv/${files}`],
    ['a server that keeps what it is told', 'npx -y @modelcontextprotocol/server-memory'],
    ['a server that asks people to sign in', 'npx -y @upstash/context7-mcp'],
    ['a browser', 'npx @playwright/mcp@latest'],
    ['a server that counts sessions', 'npx -y @modelcontextprotocol/server-everything'],
    ['a name that only begins alike', `npx ${files}-plus`],
    ['a name in other letters', `npx ${files.toUpperCase()}`],
    ['an alias', `npx ${files}@npm:evil@1.0.0`],
    ['a folder', `npx ${files}@file:../evil`],
    ['an address', `npx ${files}@https://evil.example/x.tgz`],
    ['a repository', `npx ${files}@github:evil/x`],
    ['a package that another flag names', `npx -p ${files} other`],
    ['a registry of its own', `npx --registry=https://evil.example ${files}`],
    ['a command for a shell', `npx -c ${files}`],
    ['a flag that is not known', `npx --what ${files}`],
    ['a value where none belongs', `npx --yes=no ${files}`],
    ['nothing', 'npx'],
    ['flags only', 'npx -y'],
    ['what another program runs', `npx -y supergateway ${files}`],
    ['another command of pnpm', `pnpm exec ${files}`],
    ['code before it', `node --import=/evil.mjs /a/node_modules/${files}/dist/index.js`],
    ['a path that leaves the package', `node /a/node_modules/${files}/../../../evil.js`],
    ['a package inside of it', `node /a/node_modules/${files}/node_modules/evil/index.js`],
    ['a file beside packages', `node /a/${files}/dist/index.js`],
    ['a package of npm from PyPI', `uvx ${files}`],
    ['a package of PyPI from npm', 'npx mcp-server-fetch'],
    ['from another package', 'uvx --from evil mcp-server-fetch'],
    ['with another package', 'uvx --with evil mcp-server-fetch'],
    ['a folder of Python', 'uvx mcp-server-fetch@file:///evil'],
    ['extras', 'uvx mcp-server-fetch[evil]'],
    ['a project', 'uv run mcp-server-fetch'],
    ['a project elsewhere', 'uv --directory /srv run mcp-server-fetch'],
    ['an image', 'docker run -i --rm mcp/time'],
    ['an empty command', ' mcp/time'],
    ['a name that every object has', 'npx constructor'],
  ])('%s: %s', (_, line) => {
    expect(known(line)).toBeUndefined()
  })

  it.each([
    'NODE_OPTIONS',
    'NODE_PATH',
    'npm_config_registry',
    'LD_PRELOAD',
    'PYTHONPATH',
    'UV_INDEX_URL',
    'PATH',
  ])('a known one with %s, by which another program may run', (name) => {
    expect(statelessServer('npx', [files], { [name]: 'x' })).toBeUndefined()
    expect(statelessServer('npx', [files], { TOKEN: 'x' })).toBe(files)
  })
})
