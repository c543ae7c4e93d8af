/** About changed files, commits and the files of a session. */
export const changeWords = {
  change_agent_running: 'The agent is running. Stop it before you put its files back.',
  change_not_only_agents:
    'It is not certain that only the agent changed this file: a person or a command may have. Say that it is to be put back all the same.',
  change_lines_moved: 'These lines are not in the file as they were shown. Look at it again.',
  change_file_moved: 'The file is not as it was shown, or cannot be put back. Look at it again.',
  change_not_found: 'The session did not change this file.',
  change_span_not_found: 'There is no such part of the session.',

  commit_file_unchanged: ({ path }: { path: string }) => `The session did not change ${path}.`,
  commit_file_moved: ({ path }: { path: string }) => `${path} is not as it was shown. Look at it again.`,
  commit_head_moved: 'The branch has another commit by now. Look at the changes again.',
  commit_filtered: ({ path }: { path: string }) =>
    `Git sends ${path} through a filter, which does not run here.`,
  commit_empty: 'Nothing would change: these files are committed.',
  git_missing: 'git is not installed.',
  git_no_repository: 'This folder is in no git repository.',
  git_elsewhere:
    'Its .git leads to a repository elsewhere (a submodule, or something else), so commits are not made from here. Use git in a terminal.',
  git_merge_open: gitOpen('A merge'),
  git_cherry_pick_open: gitOpen('A cherry-pick'),
  git_revert_open: gitOpen('A revert'),
  git_rebase_open: gitOpen('A rebase'),
  git_file_too_large: 'It is too large to be committed from here, or changes right now.',
  git_author_unknown: 'Git does not know who you are: set user.name and user.email.',
  git_without_head: 'The repository has no head.',
  git_file_filtered: ({ filter }: { filter: string }) =>
    `Git sends it through the filter “${filter}”, which does not run here. Commit it in a terminal.`,

  file_changed_while_read: 'The file changed while it was read.',
  file_not_shown:
    'There is no file here that can be shown. Links, devices and folders that are closed to agents are not.',
}

function gitOpen(what: string): string {
  return `${what} is under way in this repository. Finish it in a terminal first.`
}
