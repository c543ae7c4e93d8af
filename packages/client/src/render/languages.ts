/** The languages that code is coloured in. */

export const languages: ReadonlySet<string> = new Set([
  'bash',
  'c',
  'csharp',
  'css',
  'dart',
  'diff',
  'docker',
  'elixir',
  'go',
  'graphql',
  'haskell',
  'hcl',
  'html',
  'ini',
  'java',
  'javascript',
  'json',
  'jsonc',
  'jsx',
  'kotlin',
  'lua',
  'make',
  'markdown',
  'nix',
  'perl',
  'php',
  'powershell',
  'proto',
  'python',
  'r',
  'ruby',
  'rust',
  'scala',
  'scss',
  'sql',
  'swift',
  'toml',
  'tsx',
  'typescript',
  'vue',
  'xml',
  'yaml',
  'zig',
])

const aliases: Record<string, string> = {
  // The grammar of C++ itself takes seconds to compile.
  'c++': 'c',
  cc: 'c',
  cpp: 'c',
  'c#': 'csharp',
  cjs: 'javascript',
  cs: 'csharp',
  cts: 'typescript',
  dockerfile: 'docker',
  env: 'ini',
  ex: 'elixir',
  exs: 'elixir',
  golang: 'go',
  gql: 'graphql',
  h: 'c',
  hpp: 'c',
  hs: 'haskell',
  htm: 'html',
  js: 'javascript',
  json5: 'jsonc',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  pl: 'perl',
  ps1: 'powershell',
  properties: 'ini',
  protobuf: 'proto',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sass: 'scss',
  sh: 'bash',
  shell: 'bash',
  shellscript: 'bash',
  svg: 'xml',
  terraform: 'hcl',
  tf: 'hcl',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
  console: 'bash',
}

/** The name under which a language is known here, or undefined. */
export function languageName(written: string | undefined): string | undefined {
  const name = written?.trim().toLowerCase() ?? ''
  const known = Object.hasOwn(aliases, name) ? aliases[name] : name
  return known !== undefined && languages.has(known) ? known : undefined
}

/** By the ending of a file's name. */
export function languageOfFile(fileName: string): string | undefined {
  const base = fileName.slice(fileName.lastIndexOf('/') + 1).toLowerCase()
  return languageName(base.includes('.') ? base.slice(base.lastIndexOf('.') + 1) : base)
}
