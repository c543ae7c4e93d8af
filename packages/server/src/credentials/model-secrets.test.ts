import { expect, it } from 'vitest'
import { findModelSource } from './find-model-source.ts'
import { modelSecrets } from './model-secrets.ts'

function secrets(env: Record<string, string>, loggedIn = false) {
  const config = { model: 'auto', anthropicBaseUrl: 'https://api.anthropic.com' } as const
  const userSettings = { apiKeyHelper: undefined, env: {} }
  return modelSecrets(findModelSource({ config, env, userSettings, loggedIn }), { HOME: '/home/o' })
}

it('are none where model calls pass the gateway', () => {
  expect(secrets({})).toEqual({ variables: [], files: [] })
  expect(secrets({ ANTHROPIC_API_KEY: 'sk-x' })).toEqual({ variables: [], files: [] })
})

it('are the provider’s variables and files, and not the way out', () => {
  const bedrock = secrets({
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_SECRET_ACCESS_KEY: 's',
    AWS_SHARED_CREDENTIALS_FILE: '/etc/aws',
    AWS_CONFIG_FILE: 'relative',
    ANTHROPIC_MODEL: 'm',
    HTTPS_PROXY: 'http://proxy',
  })
  expect(bedrock.variables).toEqual(expect.arrayContaining(['AWS_SECRET_ACCESS_KEY']))
  expect(bedrock.variables).not.toContain('HTTPS_PROXY')
  expect(bedrock.variables).not.toContain('ANTHROPIC_MODEL')
  expect(bedrock.files).toEqual(['/etc/aws', '/home/o/.aws/**'])
  const vertex = secrets({ CLAUDE_CODE_USE_VERTEX: '1', GOOGLE_APPLICATION_CREDENTIALS: '/k.json' })
  expect(vertex.files).toEqual(['/k.json', '/home/o/.config/gcloud/**'])
  const foundry = secrets({ CLAUDE_CODE_USE_FOUNDRY: '1', ANTHROPIC_FOUNDRY_API_KEY: 'k' })
  expect(foundry).toEqual({
    variables: expect.arrayContaining(['ANTHROPIC_FOUNDRY_API_KEY']),
    files: ['/home/o/.azure/**'],
  })
  expect(secrets({ CLAUDE_CODE_OAUTH_TOKEN: 't' }).variables).toEqual(['CLAUDE_CODE_OAUTH_TOKEN'])
})
