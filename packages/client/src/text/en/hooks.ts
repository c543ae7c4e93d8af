/** Rows of the hooks of a workspace's settings. */
export const hooks = {
  said: (hook: string) => `Hook ${hook}`,
  failed: (hook: string) => `Hook ${hook} failed`,
  cancelled: (hook: string) => `Hook ${hook} was interrupted`,
  blocked: (hook: string) => `Hook ${hook} blocked this`,
  /** Between that and the first line of its words. */
  colon: ': ',
}
