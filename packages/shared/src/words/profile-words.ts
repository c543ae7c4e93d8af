/** About profiles. */
export const profileWords = {
  profile_not_found: ({ name }: { name: string }) => `There’s no profile “${name}” here.`,
  profile_faulty: ({ name, line, fault }: { name: string; line: number; fault: string }) =>
    `The profile “${name}” can’t be used. Line ${line}: ${fault}`,
  profile_untrusted: ({ name }: { name: string }) =>
    `The profile “${name}” belongs to a workspace that isn’t trusted as it is now. Review the workspace’s trust first.`,
  profile_changed: ({ name }: { name: string }) =>
    `The profile “${name}” has changed since you opened it. Reload it and try again.`,
  profile_exists: ({ name }: { name: string }) => `There’s already a profile “${name}”.`,
  profile_shipped: ({ name }: { name: string }) =>
    `The profile “${name}” comes with DorkOS and can’t be deleted. Save one with the same name to replace it.`,
  profile_file_unwritable: ({ file, code }: { file: string; code: string }) =>
    `Can’t write ${file} (${code}).`,
  profile_import_missing: ({ file }: { file: string }) => `${file} isn’t an agent that can be imported here.`,
}
