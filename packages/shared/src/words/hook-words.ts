/** About hooks and plugins. */
const overruled =
  'This machine’s policy (managed-settings.json) overrides it. Remove that from the policy, or work in a container, where the policy doesn’t apply.'

export interface PolicyHook {
  event: string
  file: string | undefined
  /** Why nobody can allow it. */
  why: string | undefined
}

export const hookWords = {
  hook_in_head:
    'It’s defined in the frontmatter of a skill, command or agent, and DorkOS doesn’t run such hooks. Move it to the settings to run it.',
  hook_of_unloaded_plugin: 'Its plugin hasn’t been allowed to load.',
  hook_of_other_kind:
    'DorkOS runs hooks that are commands or HTTP requests. This kind asks a model, starts an agent or calls a tool, and only Claude Code can run it. Claude Code runs all hooks or none, and wouldn’t ask anyone about what this one does. Use a command instead.',
  hook_file_fault: ({ fault }: { fault: string }) => fault,
  hook_consent_not_found: 'No hook or plugin with this content is allowed, so there’s nothing to revoke.',
  hook_changed: 'This has changed since it was shown. Review it again.',
  hook_not_allowable: ({ why }: { why: string | undefined }) =>
    ['This can’t be allowed.', why].filter(Boolean).join(' '),
  hook_decides_nothing: 'Only a hook that decides about tool calls can be allowed to approve them.',
  hook_cannot_allow:
    'This hook can run, but it can’t approve calls. Only Claude Code knows exactly which calls a condition (“if”) matches, and nothing waits for the answer of a hook in the background.',
  policy_keeps_hooks_on: ({ file }: { file: string }) =>
    `This machine’s policy (${file}) sets “disableAllHooks: false”, so Claude Code would run every hook and all plugin code on its own. Remove that line, or work in a container, where the policy doesn’t apply.`,
  policy_hook_unallowed: ({ event, file, why }: PolicyHook) =>
    `This machine’s policy has a hook that no one has allowed (${event} in ${file ?? 'its settings'}), and Claude Code would run it. ${why ?? 'Review it on the workspace’s page.'} You can also remove it from the policy, or work in a container, where the policy doesn’t apply.`,
  policy_hook_answers_last:
    'Claude Code runs a policy’s PermissionRequest hook itself while you’re being asked, and the hook’s answer could run input other than what you saw. Use a PreToolUse hook in the policy instead.',
  policy_plugin_unallowed: ({ id, why }: { id: string; why: string | undefined }) =>
    `This machine’s policy turns on the plugin ${id}, which no one has allowed, and Claude Code would load it. ${why ?? 'Review it on the workspace’s page.'} You can also remove it from the policy’s enabledPlugins, or work in a container, where the policy doesn’t apply.`,
  policy_unreadable:
    'Claude Code can’t read this machine’s policy, so no one knows what the policy would let run. Fix or remove its file.',
  hooks_left_on: `Claude Code would run hooks and plugin code on its own, because DorkOS’s setting disableAllHooks has no effect. ${overruled}`,
  hooks_unlisted: 'Claude Code doesn’t report which hooks it has loaded.',
  hooks_unallowed: ({ hooks }: { hooks: string }) =>
    `Claude Code has loaded hooks that no one has allowed: ${hooks}.`,
  policy_hooks_uncounted: ({ loaded, seen }: { loaded: string; seen: number }) =>
    `Claude Code has loaded ${loaded} hooks from this machine’s policy, but ${seen} were reviewed.`,
  settings_overruled: ({ path }: { path: string }) =>
    `Claude Code ignores a setting that DorkOS gives it (${path}). ${overruled}`,
  plugins_unallowed: ({ plugins }: { plugins: string }) =>
    `Claude Code has loaded plugins that no one has allowed: ${plugins}.`,
}
