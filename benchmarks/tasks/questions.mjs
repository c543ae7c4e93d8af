/** What `npm run bench -- tasks` asks. */
import { tenTasks } from './ten-tasks.mjs'

export const questions = [tenTasks]
