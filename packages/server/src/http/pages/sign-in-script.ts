/**
 * The script of the sign-in page. The code comes in the fragment, which browsers do not send, and leaves the address bar before
 * anything else happens. The token is kept in localStorage, so that every tab of this origin has it and a restart of the browser
 * keeps it: cookies would go to every port of this host. All text is set as text, never as HTML.
 */
export const signInScript = `const key = 'dorkos.token'
const byId = (id) => document.getElementById(id)
const say = (text) => { byId('message').textContent = text }

function element(tag, text, className) {
  const made = document.createElement(tag)
  made.textContent = text
  if (className) made.className = className
  return made
}

async function call(method, path, body) {
  const token = localStorage.getItem(key)
  const response = await fetch(path, {
    method,
    headers: {
      ...(token ? { authorization: 'Bearer ' + token } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
    credentials: 'omit',
  })
  const answer = response.status === 204 ? undefined : await response.json()
  if (response.ok) return answer
  const error = new Error(answer?.error?.message ?? 'The server answered with ' + response.status + '.')
  error.status = response.status
  throw error
}

function showForm(text) {
  say(text)
  byId('code-form').hidden = false
  byId('actions').hidden = true
  byId('shown-code').hidden = true
  byId('status').replaceChildren()
  byId('banners').replaceChildren()
}

function browserName() {
  const { userAgent } = navigator
  const browser = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? 'browser'
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => userAgent.includes(name))
  return (browser === 'Edg' ? 'Edge' : browser) + (system ? ' on ' + system : '')
}

async function redeem(code) {
  const { secret } = await call('POST', '/api/auth/redeem', { code, name: browserName(), kind: 'browser' })
  localStorage.setItem(key, secret)
}

function showStatus(me, status) {
  say('Signed in as ' + me.token.name + ' (' + me.scopes.join(', ') + ').')
  byId('code-form').hidden = true
  byId('actions').hidden = false
  byId('new-code').hidden = !me.scopes.includes('approve')
  byId('banners').replaceChildren(
    ...status.banners.map((banner) => element('p', banner.message, 'banner ' + banner.level)),
  )
  const list = document.createElement('dl')
  const rows = [
    ['Version', status.version],
    ['Model', status.model.mode],
    ['Sandbox', status.sandbox.enabled ? 'on' : 'off'],
    ['Live sessions', status.sessions.live + ' of ' + status.sessions.max_live],
    ['Waiting for an answer', String(status.pending_approvals)],
  ]
  for (const [name, value] of rows) list.append(element('dt', name), element('dd', value))
  byId('status').replaceChildren(list)
}

async function show() {
  if (!localStorage.getItem(key)) {
    return showForm('Type a code from a signed-in page or from the terminal of the server, or open the link that it printed.')
  }
  try {
    const [me, status] = await Promise.all([call('GET', '/api/auth/me'), call('GET', '/api/status')])
    showStatus(me, status)
  } catch (error) {
    if (error.status !== 401) return say(error.message)
    localStorage.removeItem(key)
    showForm('This browser is no longer signed in. ' + error.message)
  }
}

byId('code-form').addEventListener('submit', async (event) => {
  event.preventDefault()
  try {
    await redeem(byId('code').value.trim())
    byId('code').value = ''
    await show()
  } catch (error) {
    say(error.message)
  }
})

byId('new-code').addEventListener('click', async () => {
  const shown = byId('shown-code')
  shown.hidden = false
  try {
    const { code, expires_at, scopes } = await call('POST', '/api/auth/codes', {})
    const until = new Date(expires_at).toLocaleTimeString()
    shown.replaceChildren(
      element('strong', code, 'code'),
      element('span', ' Type it there. It works once, until ' + until + ', and gives: ' + scopes.join(', ') + '.', 'soft'),
    )
  } catch (error) {
    shown.textContent = error.message
  }
})

byId('sign-out').addEventListener('click', async () => {
  await call('POST', '/api/auth/sign-out', {}).catch(() => undefined)
  localStorage.removeItem(key)
  await show()
})

const code = new URLSearchParams(location.hash.slice(1)).get('code')
if (location.hash) history.replaceState(null, '', location.pathname)
try {
  if (code) await redeem(code)
  await show()
} catch (error) {
  if (localStorage.getItem(key)) await show()
  else showForm(error.message)
}
`
