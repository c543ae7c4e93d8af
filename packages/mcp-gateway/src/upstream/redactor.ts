/** Takes the secrets that a server was given out of what it says. */
import type { Launch, ServerEntry } from '../server-entry.ts'

export type Redact = (text: string) => string

const secretName = /key|token|secret|pass|auth|cred/i
const secretFlag = /^--?[\w-]*(?:key|token|secret|pass|auth|cred)[\w-]*(?:=(.*))?$/i
/** Shorter values are words that occur anyway: to replace them would make the text unreadable and hide nothing. */
const shortest = 8
const shortestHeader = 4
const shortestInPath = 16

/** `alsoNow`: secrets that come and go. */
export function createRedactor(
  { launch, secrets: own = [] }: Pick<ServerEntry, 'launch' | 'secrets'>,
  alsoNow: () => readonly string[] = () => [],
): Redact {
  const given = launch.type === 'stdio' ? secretsOfProcess(launch) : secretsOfUrl(launch)
  const all = [...given, ...own.filter((value) => value.length >= shortest)]
  const fixed = longestFirst(all)
  return (text) => {
    const now = alsoNow()
    let clean = text
    for (const secret of now.length === 0 ? fixed : longestFirst([...all, ...now])) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, '•••')
    }
    return clean
  }
}

function longestFirst(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(spellings))].sort((one, other) => other.length - one.length)
}

function secretsOfProcess(launch: Extract<Launch, { type: 'stdio' }>): string[] {
  const values = Object.entries(launch.env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []))
  for (const [index, arg] of launch.args.entries()) {
    const flag = secretFlag.exec(arg)
    if (flag) values.push(flag[1] ?? launch.args[index + 1] ?? '')
  }
  return values.filter((value) => value.length >= shortest)
}

function secretsOfUrl(launch: Extract<Launch, { type: 'http' | 'sse' }>): string[] {
  const headers = Object.values(launch.headers).flatMap((value) => [
    ...(value.length >= shortestHeader ? [value] : []),
    // `Bearer <token>`: a server may repeat the token alone.
    ...value.split(/[\s,;=]+/).filter((part) => part.length >= shortest),
  ])
  if (!URL.canParse(launch.url)) return headers
  const url = new URL(launch.url)
  const parts = [decoded(url.password), ...url.searchParams.values()].filter(
    (part) => part.length >= shortest,
  )
  // Some services give out addresses that are secrets themselves.
  const path = url.pathname.split('/').filter((part) => part.length >= shortestInPath && /\d/.test(part))
  return [...headers, ...parts, ...path.map(decoded)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A key of many lines is shown line by line; a value in a URL is shown encoded. */
function spellings(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim())
  const parts = lines.length === 1 ? lines : lines.filter((line) => line.length >= shortest)
  return parts.filter((line) => line !== '').flatMap((line) => [line, encodeURIComponent(line)])
}
