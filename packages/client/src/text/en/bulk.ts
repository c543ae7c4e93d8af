const sessions = (n: number) => (n === 1 ? '1 session' : `${n} sessions`)

/** Many sessions at once. */
export const bulk = {
  start: 'Select sessions…',
  region: 'Selected sessions',
  selected: (n: number) => `${n} selected`,
  select: (title: string) => `Select ${title}`,
  archive: 'Archive',
  unarchive: 'Unarchive',
  delete: 'Delete',
  cancel: 'Cancel',
  archived: (n: number) => `Archived ${sessions(n)}.`,
  unarchived: (n: number) => `Unarchived ${sessions(n)}.`,
  deleting: (n: number) => `Deleted ${sessions(n)} and their transcripts.`,
  share: 'Share as HTML',
  shareHint: 'One read-only file. What looks like a secret is masked; check it before you send it.',
  failed: (n: number, why: string) => `${sessions(n)} couldn’t be changed. ${why}`,
}
