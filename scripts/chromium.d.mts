import type { Browser } from 'playwright-core'

/** Starts the browser, with its own security all on. The caller closes it. */
export function launchChromium(): Promise<Browser>
