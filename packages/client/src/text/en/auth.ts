export const auth = {
  title: 'Sign in to DorkOS',
  someBrowser: 'Browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  refused: 'Your session was revoked or has expired.',
  left: 'You’re signed out.',
  linkHeading: 'Open a link instead',
  linkBefore: 'In the server’s terminal, press',
  linkKey: 'L',
  linkAfter: 'and Enter, then open the link. Or run “npx dorkos code --link” on that machine.',
  codeLabel: 'Code',
  codeHint:
    'Run “npx dorkos code” on the server’s machine, or create one under Settings → Devices on a signed-in device.',
  codePlaceholder: 'XXXXX-XXXXX',
  codeSubmit: 'Sign in',
  codeMissing: 'Enter the code.',
  codeGone:
    'This code has expired or was already used. Get a new one from the server’s terminal (press L for a link or C for a code, then Enter), or under Settings → Devices on a signed-in device.',
  codeMalformed: 'That isn’t a DorkOS code. Copy all of it and try again.',
  tooManyTries: (seconds: number | undefined) =>
    seconds === undefined
      ? 'Too many attempts. Wait a moment and try again.'
      : `Too many attempts. Try again in ${seconds} s.`,
  pairHeading: 'Approve from another device',
  pairLead: 'Show a code here, then confirm it under Settings → Devices on a signed-in device.',
  pairStart: 'Show code',
  pairStop: 'Hide code',
  pairAsking: 'Getting a code…',
  pairHow: 'On a signed-in device, open Settings → Devices and confirm this code:',
  pairWaiting: 'Waiting for confirmation. This page continues automatically.',
  pairExpires: (left: string) => `New code in ${left}.`,
  refusing: 'The server can’t sign you in right now',
  unreachable: 'Can’t reach the server',
  unreachableLead:
    'It may be starting or stopped. Start it with “npx dorkos serve”. This page retries automatically.',
  nextTry: (seconds: number) => (seconds <= 0 ? 'Retrying…' : `Retrying in ${seconds} s.`),
  tryNow: 'Retry now',
}
