/** The addresses of the web page. The server answers each of them with the same document; the page shows what the path names. */
export const pagePaths = [
  '/',
  '/new',
  '/sessions/:id',
  '/inbox',
  '/rules',
  '/mcp',
  '/mcp/:name',
  '/mcp-sign-in',
  '/tools',
  '/workspaces',
  '/workspaces/:id',
  '/profiles',
  '/profiles/:name',
  '/costs',
  '/audit',
  '/devices',
  '/settings',
  '/system',
] as const
export type PagePath = (typeof pagePaths)[number]
