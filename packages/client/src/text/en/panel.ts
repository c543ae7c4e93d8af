export const panel = {
  title: 'Side panel',
  /** Beside the name of a tab. */
  count: (count: number) => (count > 99 ? '99+' : `${count}`),
}
