/**
 * Beside the conversation, or over it where there is no room: what the agent changed, its files and its commands. A tab is a row of
 * `panel-tabs.ts`; which one is open stands in the address.
 */
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { remember } from '../browser/remembered.ts'
import { useMedia } from '../browser/use-media.ts'
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/panel-text.ts'
import { IconButton } from '../ui/button.tsx'
import { ModalFrame } from '../ui/dialog.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { askedTimes, closePanel, correctPanel, lastTabKey, openPanel, takeAsked } from './panel-address.ts'
import { type PanelTab, panelTabs } from './panel-tabs.ts'

/** As Tailwind's `lg`. */
const useHasRoom = () => useMedia('(min-width: 64rem)')

/** `asked`: which tab the address names. */
export function SidePanel({ state, asked }: { state: PageSession; asked: string }) {
  const tab = panelTabs.find(({ id }) => id === asked) ?? panelTabs[0]
  const hasRoom = useHasRoom()
  useEffect(() => {
    if (tab !== undefined && tab.id !== asked) correctPanel(tab.id)
  }, [tab, asked])
  if (tab === undefined) return null
  if (hasRoom) return <Beside state={state} tab={tab} />
  return (
    <ModalFrame
      onClose={closePanel}
      label={text.panel.title}
      focusFrame
      className="fixed inset-y-0 right-0 left-auto m-0 ml-auto h-dvh max-h-none w-full max-w-none border-line sm:border-l pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] sm:w-md"
    >
      <PanelBody state={state} tab={tab} />
    </ModalFrame>
  )
}

function Beside({ state, tab }: { state: PageSession; tab: PanelTab }) {
  const ref = useRef<HTMLElement>(null)
  const asked = useLocationProperty(askedTimes)
  useEffect(() => {
    if (takeAsked(asked))
      ref.current?.querySelector<HTMLElement>('[role="tab"][data-state="active"]')?.focus()
  }, [asked])
  useEffect(() => {
    const panel = ref.current
    return () => {
      // Gone from the document by now: focus that was in it is nowhere.
      if (panel && document.activeElement === document.body)
        document.querySelector<HTMLElement>('[data-panel-button]')?.focus()
    }
  }, [])
  return (
    <section
      ref={ref}
      aria-label={text.panel.title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        // It would stop the turn.
        event.preventDefault()
        closePanel()
      }}
      className="flex w-[clamp(20rem,34vw,40rem)] shrink-0 flex-col border-l border-line bg-ground"
    >
      <PanelBody state={state} tab={tab} />
    </section>
  )
}

function PanelBody({ state, tab }: { state: PageSession; tab: PanelTab }) {
  useEffect(() => remember(lastTabKey, tab.id), [tab])
  return (
    <Tabs
      label={text.panel.title}
      value={tab.id}
      onChange={openPanel}
      fill
      end={<IconButton label={text.conversation.closePanel} icon={X} onClick={closePanel} className="mx-1" />}
      tabs={panelTabs.map(({ id, label, View, count }) => ({
        value: id,
        label: <TabLabel label={label} count={count?.(state) ?? 0} />,
        content: <View state={state} />,
      }))}
    />
  )
}

function TabLabel({ label, count }: { label: string; count: number }) {
  return (
    <span className="flex items-center gap-1.5">
      {label}
      {count > 0 && (
        <span className="rounded-full bg-hover px-1.5 text-xs tabular-nums">{text.panel.count(count)}</span>
      )}
    </span>
  )
}
