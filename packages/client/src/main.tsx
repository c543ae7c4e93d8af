/** Starts the page. */
import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeLinkCode } from './auth/link-code.ts'
import { takeSignInReturn } from './mcp/taken-return.ts'
import { watchInstall } from './shell/install.ts'
import { registerServiceWorker } from './shell/service-worker.ts'
import { followTheme } from './shell/theme.ts'

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
