/** Puts focus into the first field that is wrong, once the page has marked it. */
export function focusFault(form: EventTarget): void {
  if (!(form instanceof HTMLElement)) return
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
