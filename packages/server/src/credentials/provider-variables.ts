/** The variables by which the CLI reaches a model, by provider. What is not here does not reach a CLI process. */
import { undocumentedVariables } from 'claude-code-agent'

export type CloudProvider = 'bedrock' | 'vertex' | 'foundry'

/** The variable that switches each provider on. */
export const providerSwitches = {
  bedrock: 'CLAUDE_CODE_USE_BEDROCK',
  vertex: 'CLAUDE_CODE_USE_VERTEX',
  foundry: 'CLAUDE_CODE_USE_FOUNDRY',
} as const satisfies Record<CloudProvider, string>

const own: Record<CloudProvider, readonly (string | RegExp)[]> = {
  bedrock: [
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_PROFILE',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_CONFIG_FILE',
    'AWS_SHARED_CREDENTIALS_FILE',
    'AWS_ROLE_ARN',
    'AWS_ROLE_SESSION_NAME',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    'ANTHROPIC_BEDROCK_BASE_URL',
    'ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION',
    'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  ],
  vertex: [
    'CLOUD_ML_REGION',
    /^VERTEX_REGION_[A-Z0-9_]+$/,
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'ANTHROPIC_VERTEX_BASE_URL',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_PROJECT',
    'GCLOUD_PROJECT',
    'CLOUDSDK_CONFIG',
    'CLAUDE_CODE_SKIP_VERTEX_AUTH',
  ],
  foundry: [
    'ANTHROPIC_FOUNDRY_RESOURCE',
    'ANTHROPIC_FOUNDRY_BASE_URL',
    'ANTHROPIC_FOUNDRY_API_KEY',
    'AZURE_TENANT_ID',
    'AZURE_CLIENT_ID',
    'AZURE_CLIENT_SECRET',
    'AZURE_CLIENT_CERTIFICATE_PATH',
    'AZURE_FEDERATED_TOKEN_FILE',
    'AZURE_AUTHORITY_HOST',
    'CLAUDE_CODE_SKIP_FOUNDRY_AUTH',
  ],
}

/** The names of models differ from provider to provider. */
const modelNames = [
  'ANTHROPIC_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
]

/** The way out of the network, for a CLI that talks to its provider itself. */
const network = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]

/** Those of a CLI's variables that are secrets, or lead to them: all but the names of models and the way out. */
export function secretVariables(env: Variables): string[] {
  return Object.keys(env).filter((name) => !modelNames.includes(name) && !network.includes(name))
}

/**
 * For a login from the CLI's own file, which the variable for a provider that the host manages would hide: what decides where the login
 * is sent. In settings these win over those of a project and of the user; empty clears (2.1.325).
 */
export function pinnedForLogin(baseUrl: string, env: Variables): Record<string, string> {
  const elsewhere = [
    ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS'],
    undocumentedVariables.modelSocket.name,
    ...Object.values(providerSwitches),
  ]
  const wayOut = [
    ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy'],
    ...['NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'],
  ]
  return {
    ...Object.fromEntries(elsewhere.map((name) => [name, ''])),
    ...Object.fromEntries(wayOut.map((name) => [name, env[name] ?? ''])),
    ANTHROPIC_BASE_URL: baseUrl,
  }
}

export type Variables = Readonly<Record<string, string | undefined>>

/** What a CLI that uses this provider gets. */
export function cloudVariables(provider: CloudProvider, env: Variables): Record<string, string> {
  return { ...pick(env, [...own[provider], ...modelNames, ...network]), [providerSwitches[provider]]: '1' }
}

/** What a CLI that uses the owner's own login gets. */
export function loginVariables(env: Variables): Record<string, string> {
  return pick(env, ['CLAUDE_CODE_OAUTH_TOKEN', ...modelNames, ...network])
}

/** Those that are set, out of these. */
export function pick(env: Variables, names: readonly (string | RegExp)[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue
    if (names.some((known) => (typeof known === 'string' ? known === name : known.test(name))))
      picked[name] = value
  }
  return picked
}
