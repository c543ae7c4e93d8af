const sessions = (n: number) => (n === 1 ? '1 session' : `${n} sessions`)

/** Many sessions at once. */
export const bulk = {
  region: 'Selected sessions',
  selected: (n: number) => `${n} selected`,
  needsChoice: 'Select a session first.',
  archive: 'Archive',
  unarchive: 'Unarchive',
  delete: 'Delete',
  cancel: 'Cancel',
  archived: (n: number) => `Archived ${sessions(n)}.`,
  unarchived: (n: number) => `Unarchived ${sessions(n)}.`,
  all: 'Select all',
  deleting: (n: number) => `Deleting ${sessions(n)} and their transcripts…`,
  deleted: (n: number) => `Deleted ${sessions(n)}.`,
  failed: (n: number, why: string) => `Couldn’t change ${sessions(n)}. ${why}`,
}
