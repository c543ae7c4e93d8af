/** Where the built page lies, for the server that serves it. The page itself runs in browsers and is no part of this module. */
import { fileURLToPath } from 'node:url'

/** Absolute. It is there once the package is built. */
export const pageFolder: string = fileURLToPath(new URL('page', import.meta.url))
