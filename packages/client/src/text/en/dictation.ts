export const dictation = {
  start: 'Dictate. Your browser may send what you say to its maker.',
  stop: 'Stop dictating',
  notAllowed: 'The browser doesn’t let this page use the microphone. Allow it in the site’s settings.',
  failed: (code: string) => `Dictation stopped (${code}).`,
}
