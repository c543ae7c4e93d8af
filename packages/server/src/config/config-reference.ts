/** The documentation of every key, as a Markdown table made from the schema. */
import { configKeys, fileOnlyKeys, type KnownKey } from './config-keys.ts'
import { describeSchema } from './describe-schema.ts'

export function configReference(): string {
  const head = ['Key', 'Value', 'Default', 'Environment, flag', 'Applies', 'What it does']
  const rows = configKeys.map((key) => [
    code(key.path),
    describeSchema(key.json),
    key.default === undefined ? '' : code(JSON.stringify(key.default)),
    [key.env, key.flag].flatMap((name) => (name === undefined ? [] : [code(name)])).join(', '),
    key.restart ? 'after a restart' : 'at once',
    `${key.description}${notes(key)}`,
  ])
  return `${[head, head.map(() => '---'), ...rows].map(row).join('\n')}\n`
}

function notes(key: KnownKey): string {
  const only = fileOnlyKeys.includes(key.path) ? ' Cannot be changed over the API.' : ''
  if (key.agent === 'write') return `${only} Agents may read it, and change it once a person agrees.`
  return key.agent === 'read' ? `${only} Agents may read it.` : only
}

function code(text: string): string {
  return `\`${text}\``
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
