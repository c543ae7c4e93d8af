/** Media types by the ending of a name. */
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
}

/** What is not known is no document: with `nosniff`, browsers do nothing with it. */
export function contentTypeOf(path: string): string {
  const ending = /\.([a-z0-9]+)$/.exec(path)?.[1] ?? ''
  return Object.hasOwn(types, ending) ? (types[ending] ?? '') : 'application/octet-stream'
}
