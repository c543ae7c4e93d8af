import { useRemembered } from '../browser/remembered.ts'
import { useIsNarrow } from '../browser/use-media.ts'
import { useStateUntil } from '../ui/use-state-until.ts'

export interface SidebarState {
  /** There is no room beside the page: it is a drawer. */
  narrow: boolean
  shown: boolean
  /** It lies over the page, which cannot be used meanwhile. */
  covers: boolean
  show: () => void
  hide: () => void
  toggle: () => void
}

/** On wide screens the choice is remembered; the drawer of a phone closes when one goes somewhere. */
export function useSidebar(path: string): SidebarState {
  const narrow = useIsNarrow()
  const [stored, setStored] = useRemembered('dorkos.sidebar')
  const [drawer, setDrawer] = useStateUntil(`${narrow} ${path}`, false)
  const shown = narrow ? drawer : stored !== 'hidden'
  const set = (next: boolean) => (narrow ? setDrawer(next) : setStored(next ? undefined : 'hidden'))
  return {
    narrow,
    shown,
    covers: narrow && shown,
    show: () => set(true),
    hide: () => set(false),
    toggle: () => set(!shown),
  }
}
