/** What `npm run bench -- client` asks, in the order of its report. */
import { firstLoad } from './first-load.mjs'
import { longSession } from './long-session.mjs'
import { streaming } from './streaming.mjs'

export const questions = [firstLoad, streaming, longSession]
