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
    'Run “npx dorkos code” on the server’s machine, or make one under Settings → Devices where you are signed in.',
  codePlaceholder: 'XXXXX-XXXXX',
  codeSubmit: 'Sign in',
  codeMissing: 'Type or paste the code.',
  codeGone:
    'This code was used before or has expired. Get a new one from the server’s terminal (l and Enter: a link, c: a code), or under Devices on a page that is signed in.',
  codeMalformed: 'This is not a code of DorkOS. Copy it again, whole.',
  tooManyTries: (seconds: number | undefined) =>
    seconds === undefined
      ? 'Too many tries. Wait a little and try again.'
      : `Too many tries. Wait ${seconds} s and try again.`,
  pairHeading: 'Approve from another device',
  pairLead: 'Show a code here, then confirm it under Settings → Devices where you are signed in.',
  pairStart: 'Show a code',
  pairStop: 'Hide the code',
  pairAsking: 'Asking for a code…',
  pairHow: 'On a page that is signed in, open Devices and confirm this code:',
  pairWaiting: 'Waiting for the confirmation. This page goes on by itself.',
  pairExpires: (left: string) => `A new code comes in ${left}.`,
  refusing: 'The server cannot sign you in now',
  unreachable: 'The server does not answer',
  unreachableLead:
    'It may be starting, or stopped. Start it with “npx dorkos serve”. This page tries on by itself.',
  nextTry: (seconds: number) => (seconds <= 0 ? 'Trying…' : `Next try in ${seconds} s.`),
  tryNow: 'Try now',
}
