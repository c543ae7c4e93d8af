/** Starts the page. */
import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeLinkCode } from './auth/link-code.ts'
import { watchInstall } from './browser/install.ts'
import { followTheme } from './browser/theme.ts'
import { scripts, trustedScript } from './browser/trusted-scripts.ts'
import { takeSignInReturn } from './mcp/taken-return.ts'

takeLinkCode()
takeSignInReturn()
followTheme()
watchInstall()
registerServiceWorker()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

/** Registers the service worker: the shell opens without a network, and notifications work on phones. */
function registerServiceWorker(): void {
  // Only in secure contexts: https, and localhost.
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const url = trustedScript(scripts.serviceWorker)
  addEventListener('load', () => void navigator.serviceWorker.register(url).catch(() => undefined))
}
