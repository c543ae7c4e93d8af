/** About changed files, commits and the files of a session. */
export const changeWords = {
  change_agent_running: 'The agent is running. Stop it before you revert its files.',
  change_not_only_agents:
    'A person or a command may have changed this file too, and reverting it undoes that as well. If that’s what you want, revert it anyway.',
  change_lines_moved: 'The file no longer has these lines as they were shown. Review it again.',
  change_file_moved: 'The file has changed since it was shown, or can’t be reverted. Review it again.',
  change_not_found: 'This session didn’t change this file.',
  change_span_not_found: 'This session has no such turn or revert.',

  commit_file_unchanged: ({ path }: { path: string }) => `This session didn’t change ${path}.`,
  commit_file_moved: ({ path }: { path: string }) =>
    `${path} has changed since it was shown. Review it again.`,
  commit_head_moved: 'The branch has a new commit. Review the changes again.',
  commit_filtered: ({ path }: { path: string }) =>
    `Git runs ${path} through a filter, and filters don’t run here. Commit it in a terminal.`,
  commit_empty: 'There’s nothing to commit. These files are already committed.',
  git_missing: 'Git isn’t installed.',
  git_no_repository: 'This folder isn’t in a git repository.',
  git_elsewhere:
    'The .git here leads to a repository elsewhere, such as a submodule’s. Commit in a terminal instead.',
  git_merge_open: gitOpen('A merge'),
  git_cherry_pick_open: gitOpen('A cherry-pick'),
  git_revert_open: gitOpen('A revert'),
  git_rebase_open: gitOpen('A rebase'),
  git_file_too_large: 'It’s too large to commit here, or is still being written.',
  git_author_unknown: 'Git doesn’t know who you are. Set user.name and user.email.',
  git_without_head: 'Git can’t read the repository’s HEAD.',
  git_file_filtered: ({ filter }: { filter: string }) =>
    `Git runs it through the filter “${filter}”, and filters don’t run here. Commit it in a terminal.`,

  stage_other_version: ({ path }: { path: string }) =>
    `Another version of ${path} is staged, and this would replace it. If that’s what you want, do it anyway.`,
  stage_index_locked: 'Another program has locked git’s index. Nothing was changed. Try again.',

  file_changed_while_read: 'The file changed while it was being read. Open it again.',
  file_not_shown:
    'There’s no file here that DorkOS can show. It never shows links, devices or folders closed to agents.',
}

function gitOpen(what: string): string {
  return `${what} is in progress in this repository. Finish it in a terminal first.`
}
