/** Starts the page. */
import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeLinkCode } from './auth/link-code.ts'
import { watchInstall } from './browser/install.ts'
import { registerServiceWorker } from './browser/service-worker.ts'
import { followTheme } from './browser/theme.ts'
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
