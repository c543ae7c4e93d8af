/** Forms that are made of somebody's JSON Schema: of MCP servers, tools and settings. */
import type { FormFault } from '@dorkos/shared'

const faults = {
  required: () => 'Required.',
  unknown: () => 'Unknown field.',
  type: (types) => `Must be of type ${types}.`,
  choice: (values) => `Must be one of ${values}.`,
  number: () => 'Must be a number.',
  integer: () => 'Must be a whole number.',
  array: () => 'Must be a list: [ … ].',
  object: () => 'Must be an object: { … }.',
  min: (n) => `At least ${n}.`,
  max: (n) => `At most ${n}.`,
  minLength: (n) => `At least ${n} ${n === '1' ? 'character' : 'characters'}.`,
  maxLength: (n) => `At most ${n} ${n === '1' ? 'character' : 'characters'}.`,
  minItems: (n) => `At least ${n} items.`,
  maxItems: (n) => `At most ${n} items.`,
  email: () => 'Must be an email address.',
  uri: () => 'Must be a full web address.',
  date: () => 'Must be a date.',
  'date-time': () => 'Must be a date and time.',
  json: () => 'Not valid JSON. Put text in double quotes.',
  tooLarge: () => 'Too large to check.',
} satisfies Record<FormFault['code'], (wants: string) => string>

export const form = {
  required: 'required',
  notGiven: 'Not set',
  choose: 'Choose…',
  yes: 'true',
  no: 'false',
  list: 'One per line.',
  json: {
    array: 'A list as JSON, such as ["one", "two"].',
    object: 'An object as JSON, such as {"key": "value"}.',
    any: 'A value as JSON. Put text in quotes.',
  },
  faults,
  fault: ({ code, path, wants }: FormFault) => {
    const words = faults[code](wants)
    return path === '' ? words : `${path}: ${words}`
  },
}
