import { expect, it } from 'vitest'
import { toolHostEntry } from './tool-host-entry.ts'

const env = {
  PATH: '/bin',
  HOME: '/home/ada',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  NODE_OPTIONS: '--require=/tmp/x.js',
  LD_PRELOAD: '/tmp/x.so',
  DORKOS_HOME: '/home/ada/.dorkos',
  WEATHER_KEY: 'k',
  EMPTY: undefined,
}

it('starts the host in the folder, with a short environment', () => {
  const { name, launch, sharing } = toolHostEntry({ name: 'tools', folder: '/home/ada/.dorkos/tools', env })
  expect({ name, sharing }).toEqual({ name: 'tools', sharing: 'shared' })
  expect(launch).toEqual({
    type: 'stdio',
    command: process.execPath,
    args: [expect.stringMatching(/tool-host\/main\.js$/), '--folder=/home/ada/.dorkos/tools', '--name=tools'],
    env: { PATH: '/bin', HOME: '/home/ada', LANG: 'C.UTF-8' },
    cwd: '/home/ada/.dorkos/tools',
  })
})

it('passes on what the owner names, but nothing that loads code into the host', () => {
  const allowed = ['WEATHER_KEY', 'NODE_OPTIONS', 'LD_PRELOAD', 'DORKOS_HOME', 'EMPTY', 'NOWHERE']
  const { launch } = toolHostEntry({ name: 'tools', folder: '/tools', env, allowed })
  expect(launch).toMatchObject({
    env: { PATH: '/bin', HOME: '/home/ada', LANG: 'C.UTF-8', WEATHER_KEY: 'k' },
  })
  expect(Object.keys('env' in launch ? launch.env : {})).toHaveLength(4)
})

it('says that other machines write the folder, too', () => {
  const { launch } = toolHostEntry({ name: 'tools', folder: '/tools', env, isShared: true })
  expect(launch).toMatchObject({ args: [expect.any(String), '--folder=/tools', '--name=tools', '--shared'] })
})

it('names what may be loaded', () => {
  const digests = '/home/ada/.dorkos/approved/1.json'
  const { launch } = toolHostEntry({
    name: 'workspace-tools',
    folder: '/w/.dorkos/tools',
    env,
    only: ['a.mjs'],
    digests,
  })
  expect(launch).toMatchObject({
    args: [
      expect.any(String),
      expect.any(String),
      '--name=workspace-tools',
      '--only=a.mjs',
      `--digests=${digests}`,
    ],
  })
})
