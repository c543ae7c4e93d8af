export const dictation = {
  start: 'Dictate. Your browser may send your speech to its vendor.',
  stop: 'Stop dictating',
  notAllowed: 'Your browser blocks the microphone for this page. Allow it in the site’s settings.',
  failed: (code: string) => `Dictation stopped (${code}).`,
}
