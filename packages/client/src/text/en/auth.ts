export const auth = {
  title: 'Sign in to DorkOS',
  lead: 'This page talks to the DorkOS server on this address. It needs to know that it is you.',
  someBrowser: 'Browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  refused: 'This browser was signed out: its token was revoked or has expired.',
  left: 'You are signed out.',
  linkHeading: 'With a link',
  linkBefore: 'In the terminal that the server runs in, press',
  linkCommand: 'l',
  linkAfter: 'and Enter, and open the link that it shows. A link works once.',
  linkElse:
    'No such terminal (a service, or a container)? Run “npx dorkos code --link” in a terminal of that machine, or take one of the ways below.',
  codeHeading: 'With a code',
  codeLabel: 'Code',
  codeHint:
    'From the server’s terminal (press c and Enter), “npx dorkos code” in another, or Devices on a page that is signed in.',
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
  pairHeading: 'With another device',
  pairLead: 'Show a code here, and confirm it under Devices on a page that is signed in.',
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
