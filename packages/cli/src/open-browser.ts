import { spawn } from 'node:child_process'

/** Asks the system to show this in a browser. False: it could not. */
export function openBrowser(address: string): Promise<boolean> {
  const [command, ...args] = browserCommand(process.platform, address)
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    child.unref()
  })
}

/** A program and its arguments: no shell reads the address. */
function browserCommand(platform: NodeJS.Platform, address: string): [string, ...string[]] {
  if (platform === 'darwin') return ['open', address]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address]
  return ['xdg-open', address]
}
