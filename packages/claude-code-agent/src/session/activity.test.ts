import { beforeEach, describe, expect, it } from 'vitest'
import { Activity } from './activity.ts'

describe('Activity', () => {
  let graces: number[]
  let reports: boolean[]
  let activity: Activity

  beforeEach(() => {
    graces = []
    reports = []
    activity = new Activity({
      reported: (running) => reports.push(running),
      changed: (graceMs) => graces.push(graceMs),
    })
  })

  const state = (value: string) =>
    activity.observe({ type: 'system', subtype: 'session_state_changed', state: value })

  it('follows what the CLI reports', () => {
    expect(activity.running).toBe(false)
    state('running')
    expect(activity.running).toBe(true)
    state('requires_action')
    expect(activity.running).toBe(true)
    state('running')
    state('idle')
    expect(activity.running).toBe(false)
    expect(graces).toEqual([0, 0, 0])
    expect(reports).toEqual([true, true, false])
  })

  it('a result is not the end where the CLI reports its state: that comes after it', () => {
    state('running')
    activity.observe({ type: 'result' })
    expect(activity.running).toBe(true)
    activity.observe({ type: 'system', subtype: 'init' })
    state('idle')
    activity.observe({ type: 'system', subtype: 'init' })
    expect(activity.running).toBe(false)
  })

  it('without reports, init and result stand for them', () => {
    activity.observe({ type: 'system', subtype: 'init' })
    expect(activity.running).toBe(true)
    activity.observe({ type: 'result' })
    expect(activity.running).toBe(false)
  })

  it('counts what runs in the background, and gives the agent time to wake up', () => {
    activity.observe({ type: 'system', subtype: 'background_tasks_changed', tasks: [{}, {}] })
    expect(activity.backgroundTasks).toBe(2)
    activity.observe({ type: 'system', subtype: 'background_tasks_changed', tasks: [] })
    expect(activity.backgroundTasks).toBe(0)
    expect(graces).toHaveLength(2)
    expect(graces.every((grace) => grace > 0)).toBe(true)
    activity.observe({ type: 'system', subtype: 'background_tasks_changed' })
    expect(activity.backgroundTasks).toBe(0)
  })

  it('takes the end of background work for no word on the agent itself', () => {
    state('idle')
    activity.observe({ type: 'system', subtype: 'background_tasks_changed', tasks: [] })
    expect(reports).toEqual([false])
  })

  it('everything else changes nothing', () => {
    for (const raw of [{ type: 'assistant' }, { type: 'system', subtype: 'status' }, { type: 'system' }, {}])
      activity.observe(raw)
    state('a new one')
    expect([activity.running, graces]).toEqual([false, []])
  })
})
