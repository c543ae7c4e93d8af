import { expect, it } from 'vitest'
import { loosensSandbox } from './loosens-sandbox.ts'

it.each([
  { sandbox: { excludedCommands: ['touch:*'] } },
  { sandbox: { ripgrep: { command: '/tmp/rg' } } },
  { sandbox: { allowNestedUserNamespaces: true } },
  { sandbox: { enableWeakerNestedSandbox: true } },
  { sandbox: { allowAppleEvents: true } },
  { sandbox: { keyOfALaterVersion: { a: 1 } } },
  { sandbox: { filesystem: { allowWrite: ['/'] } } },
  { sandbox: { filesystem: { allowRead: ['/'] } } },
  { sandbox: { filesystem: { disabled: true } } },
  { sandbox: { network: { allowAllUnixSockets: true } } },
  { sandbox: { network: { allowLocalBinding: true } } },
  { sandbox: { network: { httpProxyPort: 9 } } },
  { permissions: { additionalDirectories: ['../docs'] } },
  { permissions: { allow: ['Read', 'Edit(//etc/**)'] } },
  { permissions: { allow: ['Edit(~/notes/**)'] } },
  { permissions: { allow: ['Edit(/notes/**)'] } },
  { permissions: { allow: ['Edit(a/../../b/**)'] } },
])('a settings file opens the sandbox with %j', (settings) => {
  expect(loosensSandbox(settings)).toBe(true)
})

it.each([
  {},
  { sandbox: { enabled: false, allowUnsandboxedCommands: true, credentials: { files: [{ path: 'a' }] } } },
  { sandbox: { excludedCommands: [], allowAppleEvents: false } },
  { sandbox: { filesystem: { denyRead: ['/a'], disabled: false, allowWrite: [] } } },
  { sandbox: { network: { allowedDomains: ['example.com'] } } },
  {
    permissions: {
      allow: ['Edit', 'Edit(src/**)', 'Read(//etc/**)', 'Bash(ls ..)'],
      additionalDirectories: [],
    },
  },
])('and does not with %j', (settings) => {
  expect(loosensSandbox(settings)).toBe(false)
})
