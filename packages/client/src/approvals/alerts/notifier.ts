/** Browser notifications: through the service worker where there is one (phones have no other way), else by the page. */
import { navigate } from 'wouter/use-browser-location'

export type NotificationState = 'unsupported' | 'default' | 'granted' | 'denied'

export function notificationState(): NotificationState {
  if (typeof Notification === 'undefined' || !isSecureContext) return 'unsupported'
  return Notification.permission
}

/** To be called from a click: browsers ask their user only then. */
export async function askForNotifications(): Promise<NotificationState> {
  if (notificationState() === 'unsupported') return 'unsupported'
  return await Notification.requestPermission()
}

interface Shown {
  tag: string
  title: string
  body: string
  /** Where a click leads. */
  path: string
}

const icon = '/icon-192.png'
const own = new Map<string, Notification>()

export async function showNotification({ tag, title, body, path }: Shown): Promise<void> {
  if (notificationState() !== 'granted') return
  const options = { tag, body, icon, badge: icon, data: { path } }
  try {
    const registration = await workerRegistration()
    if (registration) return await registration.showNotification(title, options)
    const shown = new Notification(title, options)
    shown.onclick = () => {
      window.focus()
      navigate(path)
      shown.close()
    }
    shown.onclose = () => own.delete(tag)
    own.set(tag, shown)
  } catch {
    // A browser that says it has notifications and does not: the title and the icon still show it.
  }
}

export async function closeNotification(tag: string): Promise<void> {
  own.get(tag)?.close()
  own.delete(tag)
  const registration = await workerRegistration()
  for (const shown of (await registration?.getNotifications({ tag }).catch(() => [])) ?? []) shown.close()
}

async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined)
  return registration?.active ? registration : undefined
}
