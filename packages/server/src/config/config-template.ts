/** The file that the first start writes: every key with its explanation, commented out. */
import { configKeys, type KnownKey } from './config-keys.ts'
import { describeSchema } from './describe-schema.ts'

const WIDTH = 100

export function configTemplate(): string {
  const lines = [
    '// The configuration of DorkOS. Remove the slashes before a key to set it; what stands there is its default.',
    '// Flags win over the environment, the environment over this file. A saved change applies at once, except where',
    '// it says that a restart is needed. Comments and commas at the end are allowed.',
    '{',
  ]
  let group: string | undefined
  for (const key of configKeys) {
    const [first = ''] = key.steps
    const inside = key.steps.length > 1 ? first : undefined
    if (group !== inside && group !== undefined) lines.push('  },')
    if (group !== inside && inside !== undefined) lines.push('', `  ${JSON.stringify(inside)}: {`)
    else lines.push('')
    group = inside
    lines.push(...keyLines(key, inside === undefined ? '  ' : '    '))
  }
  if (group !== undefined) lines.push('  },')
  return `${[...lines, '}'].join('\n')}\n`
}

function keyLines(key: KnownKey, indent: string): string[] {
  const facts = [
    `Must be ${describeSchema(key.json)}.`,
    key.env && `Variable: ${key.env}.`,
    key.flag && `Flag: ${key.flag}.`,
    key.restart && 'Needs a restart.',
  ].filter((fact) => typeof fact === 'string')
  const text = [...wrap(key.description, WIDTH), ...wrap(facts.join(' '), WIDTH)]
  const value = key.default === undefined ? example(key) : JSON.stringify(key.default)
  return [
    ...text.map((line) => `${indent}// ${line}`),
    `${indent}// ${JSON.stringify(key.steps.at(-1))}: ${value},`,
  ]
}

/** For a key without a default: something of the right shape, so that the line is valid once the slashes are gone. */
function example(key: KnownKey): string {
  if (key.json.type !== 'object') return '"…"'
  const names = Object.keys(key.json.properties ?? {})
  return `{ ${names.map((name) => `${JSON.stringify(name)}: "…"`).join(', ')} }`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
