export const palette = {
  title: 'Command palette',
  placeholder: 'Search sessions, pages and actions…',
  searching: 'Searching conversations…',
  results: 'Results',
  nothing: 'No results.',
  count: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  groups: {
    here: 'This session',
    actions: 'Actions',
    pages: 'Pages',
    sessions: 'Sessions',
    text: 'In conversations',
  },
  newSession: 'New session',
  themeTo: (theme: string) => `Theme: ${theme}`,
  sidebar: 'Toggle sidebar',
  sheet: 'Keyboard shortcuts',
}
