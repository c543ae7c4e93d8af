/** What agents must not see of a model that the CLI reaches itself: the variables and files that hold its credentials. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { ModelSource } from './find-model-source.ts'
import { secretVariables, type Variables } from './provider-variables.ts'

interface ModelSecrets {
  variables: string[]
  /** Absolute; may end with `/**`. */
  files: string[]
}

const namedFiles = [
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'AZURE_CLIENT_CERTIFICATE_PATH',
  'AZURE_FEDERATED_TOKEN_FILE',
]

/** Nothing where model calls pass our gateway: then the CLI has only its session's credential. */
export function modelSecrets(source: ModelSource, base: Variables): ModelSecrets {
  if (source.kind !== 'cli') return { variables: [], files: [] }
  const named = namedFiles.map((name) => source.env[name]).filter((file) => file !== undefined)
  const folder = standardFolder(source.source, source.env, base.HOME || homedir())
  return {
    variables: secretVariables(source.env),
    files: [...named.filter((file) => isAbsolute(file)), ...(folder === undefined ? [] : [`${folder}/**`])],
  }
}

/** Where each provider's own programs keep their logins. That of the CLI is closed in any case. */
function standardFolder(provider: string, env: Variables, home: string): string | undefined {
  if (provider === 'bedrock') return join(home, '.aws')
  if (provider === 'vertex') return env.CLOUDSDK_CONFIG ?? join(home, '.config', 'gcloud')
  if (provider === 'foundry') return join(home, '.azure')
  return undefined
}
