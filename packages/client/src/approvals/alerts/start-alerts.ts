/** Notifies a person who looks elsewhere that an agent needs them or has finished. */
import type { Approval } from '@dorkos/shared'
import { onRemembered } from '../../browser/remembered.ts'
import { live } from '../../live/live.ts'
import { alertSettings } from './alert-settings.ts'
import { type AlertEffect, initialAlerts, nextAlerts } from './alerts.ts'
import { beep } from './beep.ts'
import { closeNotification, showNotification } from './notifier.ts'
import { createTabBadge } from './tab-badge.ts'
import { createTabSight, shownAt, type TabCounts } from './tab-sight.ts'

/** To be called when signed in, beside `live.start()`. The returned function ends it and takes the badges away. */
export function startAlerts(): () => void {
  const { store } = live
  const badge = createTabBadge()
  let state = initialAlerts
  // Alerts begin after the page has been drawn: the state of the server may have come before.
  let isReady = store.knowsServer()
  let expired: Approval[] = []

  const tabs = createTabSight({
    channel: typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('dorkos.alerts'),
    tab: Math.random().toString(36).slice(2),
    onChange: () => update(),
    // A hidden tab may have closed its stream; another one knows better then.
    onCounts: (counts) => {
      if (store.connection.now().state !== 'open') badge.show(counts)
    },
  })

  function update(): void {
    const step = nextAlerts(state, {
      ready: isReady,
      approvals: store.approvals.now(),
      expired,
      sessions: store.sessions.now(),
      sight: tabs.sight(),
      settings: alertSettings(),
    })
    state = step.state
    expired = []
    if (live.isLeader()) for (const effect of step.effects) run(effect)
    if (store.connection.now().state !== 'open') return
    const counts: TabCounts = { waiting: state.waiting.size, finished: state.finished.size }
    badge.show(counts)
    if (live.isLeader()) tabs.sendCounts(counts)
  }

  const showPage = () => tabs.show(shownAt(location.pathname, document.visibilityState === 'visible'))
  const leave = () => tabs.show(undefined)
  const stops = [
    store.onServerSnapshot(() => {
      isReady = true
      update()
    }),
    store.onServerEvent((event) => {
      if (event.type !== 'approval_changed' || event.approval.state !== 'expired') return
      expired.push(event.approval)
      update()
    }),
    store.approvals.subscribe(update),
    store.sessions.subscribe(update),
    onRemembered(update),
    listen(document, 'visibilitychange', showPage),
    listen(window, 'pageshow', showPage),
    listen(window, 'pagehide', leave),
    ...['popstate', 'pushState', 'replaceState'].map((name) => listen(window, name, showPage)),
  ]
  showPage()
  update()
  return () => {
    for (const stop of stops) stop()
    tabs.stop()
    badge.stop()
  }
}

function run(effect: AlertEffect): void {
  if (effect.type === 'notify') void showNotification(effect)
  else if (effect.type === 'close') void closeNotification(effect.tag)
  else beep()
}

function listen(target: EventTarget, name: string, listener: () => void): () => void {
  target.addEventListener(name, listener)
  return () => target.removeEventListener(name, listener)
}
