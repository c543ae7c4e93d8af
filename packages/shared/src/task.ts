/** What an agent has under way besides its answer: commands that run long or in the background, and subagents. */
import { z } from 'zod'

export const taskSchema = z.object({
  task_id: z.string(),
  /** The call that began it, where the CLI says. */
  tool_call_id: z.string().optional(),
  /** `other`: of a kind that is stopped alike, and has no output to read. */
  kind: z.enum(['command', 'agent', 'other']),
  /** What the agent calls it; of a command without a description, the command. Cut where it is long. */
  label: z.string(),
  /** The agent does not wait for it. */
  background: z.boolean(),
  status: z.enum(['running', 'completed', 'failed', 'stopped']),
})
export type Task = z.infer<typeof taskSchema>
