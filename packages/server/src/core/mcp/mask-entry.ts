/** Entries for people: everything that may be a secret is masked. What is not plainly harmless is a secret. */
import type { McpEntry } from './found-server.ts'

export const MASK = '•••'

export function maskEntry<T extends McpEntry>(entry: T): T
export function maskEntry(entry: McpEntry): McpEntry {
  if (entry.type === 'stdio') {
    const [command = '', ...args] = maskArgv([entry.command, ...entry.args])
    return { ...entry, command, args, env: maskPairs(entry.env) }
  }
  const { headersHelper } = entry
  return {
    ...entry,
    url: maskUrls(entry.url),
    headers: maskPairs(entry.headers),
    ...(headersHelper !== undefined && { headersHelper: maskArgv(headersHelper.split(' ')).join(' ') }),
  }
}

export const isReference = (text: string) => /^(?:\$\{[A-Za-z_]\w*\})+$/.test(text)

/** A reference says where the value comes from, and so does one with a default; the default itself can be the secret. */
function maskValue(text: string): string {
  if (isReference(text)) return text
  const withDefault = /^\$\{([A-Za-z_]\w*):-[^}]*\}$/.exec(text)
  return withDefault ? `\${${withDefault[1]}:-${MASK}}` : MASK
}

function maskPairs(pairs: Readonly<Record<string, string>>): Record<string, string> {
  const masked: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(pairs)) masked[name] = maskValue(value)
  return masked
}

const secretWords =
  /token|secret|passw|passphrase|pwd|credential|bearer|authorization|cookie|signature|jwt|api[-_]?key|apikey|(?:access|private|account|client|service|shared|encryption|signing|master|license)[-_]?key/i
/** Words too short to be looked for anywhere. */
const secretNames = /(?:^|[-_.])(?:key|auth|pat|pass|sig|sid|pw|creds?|otp|pin|dsn)$/i

/** Whether what belongs to a name is likely a secret: a flag, a key, a query parameter. */
export function isSecretName(name: string): boolean {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1-$2')
  return secretWords.test(name) || secretNames.test(spaced)
}

/** `-e KEY=value`, `--env KEY=value`, `-H 'Name: value'`: what follows is an environment or a header, all of it private. */
export const pairFlags = /^(?:-e|--env|-H|--header|--headers)$/
export const isFlag = (text: string) => /^--?[A-Za-z]/.test(text)

function maskArgv(argv: readonly string[]): string[] {
  return argv.map((text, index) => {
    const before = argv[index - 1] ?? ''
    if (isFlag(before) && !before.includes('=')) {
      if (pairFlags.test(before)) return maskPair(text)
      if (isSecretName(before.replace(/^-+/, '')) && !isFlag(text)) return maskValue(text)
    }
    return maskText(text)
  })
}

/** The value of `KEY=value` or `Name: value`, whatever the name; a name alone is none. */
function maskPair(text: string): string {
  const parts = /^([\w.-]+)(=|:\s*)(.*)$/s.exec(text)
  if (!parts) return /^[A-Za-z_]\w*$/.test(text) ? text : maskValue(text)
  return `${parts[1]}${parts[2]}${maskValue(parts[3] ?? '')}`
}

function maskText(text: string): string {
  const inline = /^(--(?:env|headers?)=|-[eH](?=[A-Za-z_]\w*=))(.+)$/s.exec(text)
  if (inline) return `${inline[1]}${maskPair(inline[2] ?? '')}`
  const pair = /^([\w.-]+)(=|:\s+)(.*)$/s.exec(text)
  if (pair && isSecretName((pair[1] ?? '').replace(/^-+/, ''))) {
    return `${pair[1]}${pair[2]}${maskValue(pair[3] ?? '')}`
  }
  // A document in an argument: not worth taking apart.
  const inDocument = /(?<![\w.-])([\w.-]+)["']?\s*[:=]\s*["']/g
  if ([...text.matchAll(inDocument)].some((found) => isSecretName(found[1] ?? ''))) return MASK
  return maskTokens(maskUrls(text))
}

/** What is a secret by its looks. Each of these patterns begins where a word does: anything else would be slow on texts made for it. */
export const tokenForms =
  /\b(?:[spr]k[-_]|(?:dork|gh[oprsu]|github_pat|npm|hf|lin_api|ntn|secret|figd)_|(?:glpat|xox[abeoprs]|pat)-|pat(?=\w{14}\.)|ya29\.|A[KS]IA|AIza)[A-Za-z0-9][A-Za-z0-9._-]{14,}|(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?|\b(?:Bearer|Basic)\s+\S+/g

/** Whatever stands behind it: for texts that nobody runs. */
export function maskTokens(text: string): string {
  return text.replace(tokenForms, (found) =>
    /^(?:Bearer|Basic)\s/.test(found) ? `${found.split(/\s/)[0]} ${MASK}` : MASK,
  )
}

/** In any address in the text: who signs in, parameters whose name says that they are secret, and parts of the path that no word makes. */
function maskUrls(text: string): string {
  return maskTokens(
    text
      .replace(/(?<![\w+.-])([A-Za-z][\w+.-]*:\/\/)([^\s/?#"']*)@/g, (whole, scheme: string, user: string) =>
        isReference(user) ? whole : `${scheme}${MASK}@`,
      )
      .replace(
        /(?<![\w+.-])([A-Za-z][\w+.-]*:\/\/[^\s/?#"']*)(\/[^\s?#"']*)/g,
        (_, origin: string, path: string) => `${origin}${path.split('/').map(maskSegment).join('/')}`,
      )
      .replace(/([?&#;])([^=?&#;\s]+)=([^&#;\s"']*)/g, (whole, mark: string, name: string, value: string) =>
        isSecretName(decoded(name)) ? `${mark}${name}=${maskValue(value)}` : whole,
      ),
  )
}

const shortestRandom = 16
/** Where letters and digits, or small and capital letters, change places again and again. */
const changes = /[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g
const mostChanges = 3

/** Some services put the secret in the path of the address. Words and dates with `-`, `_` or `.` between them are none. */
export function maskSegment(segment: string): string {
  if (segment.length < shortestRandom || segment.includes('${')) return segment
  const isRandom = (segment.match(changes)?.length ?? 0) > mostChanges || /\d{16}/.test(segment)
  return isRandom ? MASK : segment
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
