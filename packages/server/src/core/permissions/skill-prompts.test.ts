import { expect, it } from 'vitest'
import { SkillPrompts } from './skill-prompts.ts'

it('a skill is in use in the turn of its prompt, and for every subagent from then on', () => {
  const prompts = new SkillPrompts()
  expect(prompts.has({})).toBe(false)
  expect(prompts.has({ prompt_id: 'one', agent_id: 'sub' })).toBe(false)
  prompts.add({ prompt_id: 'one' })
  expect(prompts.has({ prompt_id: 'one' })).toBe(true)
  expect(prompts.has({ prompt_id: 'two' })).toBe(false)
  expect(prompts.has({ prompt_id: 'two', agent_id: 'sub' })).toBe(true)
  expect(prompts.has({})).toBe(true)
})
