/** Forms that are made of somebody's JSON Schema: of MCP servers, tools and settings. */
import type { FormFault } from '@dorkos/shared'

const faults = {
  required: () => 'This is required.',
  unknown: () => 'This is not known here.',
  type: (types) => `This must be of type ${types}.`,
  choice: (values) => `This must be one of ${values}.`,
  number: () => 'This must be a number.',
  integer: () => 'This must be a whole number.',
  array: () => 'This must be a list: [ … ].',
  object: () => 'This must be an object: { … }.',
  min: (n) => `At least ${n}.`,
  max: (n) => `At most ${n}.`,
  minLength: (n) => `At least ${n} ${n === '1' ? 'character' : 'characters'}.`,
  maxLength: (n) => `At most ${n} ${n === '1' ? 'character' : 'characters'}.`,
  minItems: (n) => `At least ${n} of them.`,
  maxItems: (n) => `At most ${n} of them.`,
  email: () => 'This must be an e-mail address.',
  uri: () => 'This must be a whole web address.',
  date: () => 'This must be a date.',
  'date-time': () => 'This must be a date and a time.',
  json: () => 'This is not JSON. Text stands in double quotes.',
  tooLarge: () => 'This is too large to be checked.',
} satisfies Record<FormFault['code'], (wants: string) => string>

export const form = {
  required: 'required',
  notGiven: 'Not given',
  choose: 'Choose…',
  yes: 'true',
  no: 'false',
  list: 'One a line.',
  json: {
    array: 'A list as JSON, such as ["one", "two"].',
    object: 'An object as JSON, such as {"key": "value"}.',
    any: 'A value as JSON. Text stands in quotes.',
  },
  faults,
  fault: ({ code, path, wants }: FormFault) => {
    const words = faults[code](wants)
    return path === '' ? words : `${path}: ${words}`
  },
}
