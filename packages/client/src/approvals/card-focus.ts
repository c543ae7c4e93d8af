/**
 * Where the focus goes on approval cards. No card takes it by itself; one that has it keeps it until it is answered, hands it to the
 * panel that is opened in it, and with Escape gives it back to where it came from.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { answers } from './answers.ts'
import { armingMs } from './arming.ts'

/** Where the focus was before it came to the cards: there is one focus, so one is enough. */
let cameFrom: HTMLElement | undefined
const handedAt = new WeakMap<HTMLElement, number>()

/**
 * When a card is decided its buttons go, and with them the focus of who pressed one. One who uses keys is led on; else the card
 * itself gets it. A card that did not have the focus never moves it. `onAnswered`: it was answered in this card.
 */
export function useCardFocus(
  id: string,
  isOpen: boolean,
  onAnswered?: () => void,
): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null)
  const { had, byKeys } = useFocusWatch(card)
  const settle = useRef((_element: HTMLElement | null) => {})
  settle.current = (element) => {
    had.current = false
    onAnswered?.()
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body && activeElement !== element) return
    if (!(byKeys.current && focusNext(id))) element?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (!isOpen && had.current) settle.current(card.current)
  }, [isOpen, had])
  // In a conversation the call takes the place of its card as soon as it is decided.
  useLayoutEffect(
    () => () => {
      const { state } = answers.get(id)
      if (had.current && (state === 'busy' || state === 'settled')) queueMicrotask(() => settle.current(null))
    },
    [id, had],
  )
  return card
}

/**
 * Whether the focus is, or was until it fell to nothing, in the card; and whether keys were used there last. Escape on the card
 * answers nothing and stops nothing: it leaves the card.
 */
function useFocusWatch(card: RefObject<HTMLElement | null>) {
  const had = useRef(false)
  const byKeys = useRef(false)
  useEffect(() => {
    const element = card.current
    if (!element) return
    const stop = new AbortController()
    const { signal } = stop
    const elsewhere = (event: Event) => {
      if (event.target instanceof Node && !element.contains(event.target)) had.current = false
    }
    const onFocusIn = ({ relatedTarget }: FocusEvent) => {
      had.current = true
      // From one card to the next it stays what it was.
      if (relatedTarget instanceof Element && relatedTarget.closest('[data-approval]')) return
      cameFrom = relatedTarget instanceof HTMLElement ? relatedTarget : undefined
    }
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      // Without a next element the focus fell to nothing, which is what is mended here.
      if (relatedTarget instanceof Node) had.current = element.contains(relatedTarget)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      leave(element)
    }
    element.addEventListener('focusin', onFocusIn, { signal })
    element.addEventListener('focusout', onFocusOut, { signal })
    element.addEventListener('keydown', () => (byKeys.current = true), { signal, capture: true })
    element.addEventListener('keydown', onKey, { signal })
    element.addEventListener('pointerdown', () => (byKeys.current = false), { signal, capture: true })
    document.addEventListener('focusin', elsewhere, { signal })
    document.addEventListener('pointerdown', elsewhere, { signal })
    return () => stop.abort()
  }, [card])
  return { had, byKeys }
}

/** To the next open card, else to where one writes. False: there is nowhere to go. */
function focusNext(answered: string): boolean {
  const card = nextCard(answered)
  if (card) {
    handedAt.set(card, performance.now())
    card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest' })
    return true
  }
  const editor = messageEditor()
  editor?.focus({ preventScroll: true })
  return editor !== null
}

/** The one below, or else the first: those that are left above were passed over. */
function nextCard(answered: string): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>('[data-approval]')]
  const at = all.findIndex(({ dataset }) => dataset.approval === answered)
  const isOpen = ({ dataset }: HTMLElement) => dataset.open !== undefined && dataset.approval !== answered
  return all.slice(at + 1).find(isOpen) ?? all.find(isOpen)
}

/** The focus came to this card by itself just now: a key pressed at this moment was meant for the one before. */
export function isJustHanded(card: HTMLElement): boolean {
  return performance.now() - (handedAt.get(card) ?? Number.NEGATIVE_INFINITY) < armingMs
}

/** In the inbox to its entry in the list; else to where one was, or where one writes, or nowhere. */
function leave(card: HTMLElement): void {
  const entry = `[data-entry="${CSS.escape(card.dataset.approval ?? '')}"]`
  for (const target of [document.querySelector<HTMLElement>(entry), cameFrom, messageEditor()]) {
    target?.focus({ preventScroll: true })
    if (target && document.activeElement === target) return
  }
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** An answer in words of one's own was chosen: they are to be written. */
export function focusOwnWords(card: HTMLElement): void {
  card.querySelector<HTMLElement>('[data-own-words]')?.focus()
}

function messageEditor(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-message-editor]:not(:disabled)')
}

/**
 * A panel that a person opened gets the focus, in its first field or button, and is brought into sight with its buttons. When it
 * closes, also by Escape, the card has the focus again, so that the keys of the card go on.
 */
export function usePanelFocus<T extends HTMLElement>(
  onClose: (() => void) | undefined,
  takesFocus = true,
): RefObject<T | null> {
  const panel = useRef<T>(null)
  usePanelEscape(panel, onClose)
  useEffect(() => {
    const element = panel.current
    if (!takesFocus || !element) return
    const card = element.closest<HTMLElement>('[data-approval]')
    element.querySelector<HTMLElement>('textarea, input, button')?.focus({ preventScroll: true })
    const forget = showOnceMeasured(element)
    return () => {
      forget()
      const { activeElement } = document
      const isLost = activeElement === document.body || element.contains(activeElement)
      if (isLost && card?.isConnected) card.focus({ preventScroll: true })
    }
  }, [takesFocus])
  return panel
}

/** A conversation has to learn how high its rows are now: before that, its end is not yet below the panel. */
function showOnceMeasured(panel: HTMLElement): () => void {
  if (typeof ResizeObserver === 'undefined') return () => {}
  const observer = new ResizeObserver(() => {
    observer.disconnect()
    panel.scrollIntoView({ block: 'nearest' })
  })
  observer.observe(panel)
  return () => observer.disconnect()
}

/**
 * Escape closes what is open in a card before it leaves the card, wherever in the card the focus is. No one else gets the key: it
 * would stop the turn.
 */
export function usePanelEscape(
  panel: RefObject<HTMLElement | null>,
  onClose: (() => void) | undefined,
): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const element = panel.current
    const card = element?.closest<HTMLElement>('[data-approval]')
    const around = card ?? element
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || !close.current) return
      event.preventDefault()
      // Of two that are open one is closed.
      event.stopImmediatePropagation()
      if (element?.contains(document.activeElement)) card?.focus({ preventScroll: true })
      close.current()
    }
    around?.addEventListener('keydown', onKey, true)
    return () => around?.removeEventListener('keydown', onKey, true)
  }, [panel])
}
