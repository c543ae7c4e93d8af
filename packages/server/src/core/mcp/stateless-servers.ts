/**
 * MCP servers that are known to keep nothing between two calls: sessions can share one process without learning anything of each other.
 * Reviewed by hand; what cannot be determined from a command line is not known. Pure.
 */

/**
 * By where the program comes from. Add one only after reading its source, with the reason why nothing of a call is left in its process. Not
 * here on purpose: images of containers, whose content only their registry knows; what holds a connection, a page or a sign-in open, counts or remembers, or can be made to offer other tools.
 */
const stateless = {
  npm: new Map([
    [
      '@modelcontextprotocol/server-filesystem',
      'files are all that calls leave; its folders come from its arguments, as we offer no roots',
    ],
  ]),
  pypi: new Map([
    ['mcp-server-fetch', 'each call has an HTTP client of its own, so that not even cookies are left'],
    ['mcp-server-git', 'each call opens the repository that it names, and keeps nothing of it'],
    ['mcp-server-time', 'computes times from the arguments of the call'],
  ]),
}

type Registry = keyof typeof stateless

/** Variables by which another program is run, or loaded into it, under the same command line. */
const changesProgram =
  /^(?:NODE_(?:OPTIONS|PATH)|PYTHON\w*|LD_\w+|DYLD_\w+|npm_config_\w+|NPM_CONFIG_\w+|(?:UV|PIP|BUN|PNPM)_\w+|PATH|HOME)$/

/** The name of the package that a command line runs, where it is one of these. Anything that is not understood is none. */
export function statelessServer(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string | undefined {
  if (Object.keys(env).some((name) => changesProgram.test(name))) return undefined
  const program = /[^/\\]+$/.exec(command)?.[0].replace(/\.(?:exe|cmd)$/i, '')
  const run = program === undefined ? undefined : programs.get(program)?.(args)
  return run !== undefined && stateless[run.registry].has(run.name) ? run.name : undefined
}

interface Run {
  registry: Registry
  name: string
}

/** A version. An alias (`npm:other`), a folder or an address would be another program under this name. */
const version = /^[\w.^~*+-]+$/

const programs = new Map<string, (args: readonly string[]) => Run | undefined>([
  ['npx', (args) => npmPackage(afterFlags(args, npxFlags))],
  ['bunx', (args) => npmPackage(afterFlags(args, npxFlags))],
  ['pnpm', (args) => (args[0] === 'dlx' ? npmPackage(afterFlags(args.slice(1), npxFlags)) : undefined)],
  ['node', ([file = '']) => installedPackage(file)],
  ['uvx', (args) => pythonPackage(afterFlags(args, uvFlags))],
  [
    'uv',
    ([tool, run, ...rest]) =>
      tool === 'tool' && run === 'run' ? pythonPackage(afterFlags(rest, uvFlags)) : undefined,
  ],
])

/** Flags that change nothing of what runs; `true` for those that are followed by a value. */
type Flags = ReadonlyMap<string, boolean>

const flags = (alone: string[], withValue: string[] = []): Flags =>
  new Map([...alone.map((one) => [one, false] as const), ...withValue.map((one) => [one, true] as const)])

const npxFlags = flags(['-y', '--yes', '-q', '--quiet', '--silent', '--prefer-offline', '--offline'])
const uvFlags = flags(['-q', '--quiet', '--offline', '--isolated'], ['-p', '--python'])
/** What is run, behind the flags; undefined where one of them is not known. */
function afterFlags(args: readonly string[], known: Flags): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') return args[at + 1]
    if (!arg.startsWith('-')) return arg
    const [flag = '', value] = arg.startsWith('--') ? arg.split(/=(.*)/s, 2) : [arg]
    const takesValue = known.get(flag)
    if (takesValue === undefined || (value !== undefined && !takesValue)) return undefined
    if (takesValue && value === undefined) at += 1
  }
  return undefined
}

/** `name`, `name@version`, `@scope/name@version`. */
function npmPackage(spec: string | undefined): Run | undefined {
  const [, name = '', wanted] = /^(@?[^@]+)(?:@(.*))?$/s.exec(spec ?? '') ?? []
  return wanted === undefined || version.test(wanted) ? { registry: 'npm', name } : undefined
}

/** `name`, `name@version`, `name==version`. */
function pythonPackage(spec: string | undefined): Run | undefined {
  const [, name = '', wanted] = /^([\w.-]+)(?:(?:@|==)(.*))?$/s.exec(spec ?? '') ?? []
  return wanted === undefined || version.test(wanted) ? { registry: 'pypi', name } : undefined
}

/** A file of a package that npm installed. Node's own flags could load another program before it. */
function installedPackage(file: string): Run | undefined {
  const [, name = ''] = /^.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\@]+)[/\\]/s.exec(file) ?? []
  if (file.split(/[/\\]/).includes('..')) return undefined
  return { registry: 'npm', name: name.replace('\\', '/') }
}
