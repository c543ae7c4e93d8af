import type { Rig } from './rig.ts'

/** An entry of the project's schedule that is overdue, as `CronCreate` writes it. Without `CLAUDE_CODE_DISABLE_CRON` it fires at once. */
export async function writeScheduledTask(rig: Rig, prompt: string): Promise<void> {
  const createdAt = Date.now() - 180_000
  const task = { id: 't', cron: '* * * * *', prompt, createdAt, recurring: true }
  await rig.write('project/.claude/scheduled_tasks.json', { tasks: [task] })
}
