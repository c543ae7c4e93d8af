/** About hooks and plugins. */
const policyMay =
  'A policy of this machine says otherwise (managed-settings.json): take that out of it, or work in a container, where it does not count.'

export interface PolicyHook {
  event: string
  file: string | undefined
  /** Why nobody can allow it. */
  why: string | undefined
}

export const hookWords = {
  hook_in_head:
    'It stands in the head of a skill, command or agent, and such hooks do not run in DorkOS. Put it into the settings to have it run.',
  hook_of_unloaded_plugin: 'Its plugin is not allowed to load.',
  hook_of_other_kind:
    'DorkOS runs hooks that are commands or requests. One of this kind asks a model, starts an agent or calls a tool: only Claude Code can run it, which runs all hooks or none, and nobody would be asked about what it does. A command can take its place.',
  hook_file_fault: ({ fault }: { fault: string }) => fault,
  hook_consent_not_found: 'Nothing of this content was allowed.',
  hook_changed: 'What is there now is not what was shown; look at it again.',
  hook_not_allowable: ({ why }: { why: string | undefined }) =>
    ['This cannot be allowed.', why].filter(Boolean).join(' '),
  hook_decides_nothing: 'Only a hook that is asked about tool calls can be let allow them.',
  hook_cannot_allow:
    'This hook can be let run, but not allow calls: only Claude Code can tell exactly for which calls a condition (“if”) is meant, and nobody waits for what a hook in the background says.',
  policy_keeps_hooks_on: ({ file }: { file: string }) =>
    `A policy of this machine says “disableAllHooks: false” (${file}), so Claude Code would run every hook and all code of plugins by itself. Take that line out of it, or work in a container, where the policy does not count.`,
  policy_hook_unallowed: ({ event, file, why }: PolicyHook) =>
    `A policy of this machine has a hook that nobody allowed (${event} in ${file ?? 'its settings'}), and Claude Code would run it. ${why ?? 'Look at it on the page of the workspace.'} Or take it out of the policy, or work in a container, where the policy does not count.`,
  policy_hook_answers_last:
    'Claude Code runs a policy’s PermissionRequest hook itself while you are asked, and by its answer another input could run than you were shown. Let a PreToolUse hook of the policy take its place.',
  policy_plugin_unallowed: ({ id, why }: { id: string; why: string | undefined }) =>
    `A policy of this machine turns on the plugin ${id}, which nobody allowed, and Claude Code would load it. ${why ?? 'Look at it on the page of the workspace.'} Or take it out of the policy’s enabledPlugins, or work in a container, where the policy does not count.`,
  policy_unreadable:
    'Claude Code cannot read the policy of this machine, so nobody knows what that lets run. Put its file right, or take it away.',
  hooks_left_on: `Claude Code would run hooks and code of plugins by itself: disableAllHooks, which DorkOS sets, does not count. ${policyMay}`,
  hooks_unlisted: 'The CLI does not say which hooks it has loaded.',
  hooks_unallowed: ({ hooks }: { hooks: string }) =>
    `The CLI has loaded hooks that nobody allowed: ${hooks}.`,
  policy_hooks_uncounted: ({ loaded, seen }: { loaded: string; seen: number }) =>
    `The CLI has loaded ${loaded} hooks of a policy, where ${seen} were looked at.`,
  settings_overruled: ({ path }: { path: string }) =>
    `Claude Code does not go by settings that DorkOS gives it (${path}). ${policyMay}`,
  plugins_unallowed: ({ plugins }: { plugins: string }) =>
    `The CLI has loaded plugins that nobody allowed: ${plugins}.`,
}
