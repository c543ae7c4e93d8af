/**
 * Files that the CLI, git, a shell or an editor obeys by itself, outside of any sandbox: whoever writes one decides what
 * will run there. An agent's commands cannot write them from inside the sandbox; its file tools could.
 */
const obeyed = [
  /(^|\/)\.claude\/(settings(\.local)?\.json|launch\.json|loop\.md|scheduled_tasks\.json)$/i,
  /(^|\/)\.claude\/(hooks|commands|agents|skills|plugins|workflows|routines|output-styles)(\/|$)/i,
  /(^|\/)(\.claude|\.mcp)\.json$/i,
  /(^|\/)\.dorkos(\/|$)/i,
  /(^|\/)\.git(\/|$)/i,
  /(^|\/)(\.gitconfig|\.config\/git\/.*)$/i,
  /(^|\/)(\.(profile|login|logout|inputrc|ripgreprc|envrc)|\.(bash|z|csh|tcsh|ksh|mksh)[a-z_]*)$/i,
  /(^|\/)\.config\/(fish|systemd|autostart|environment\.d)\//i,
  /(^|\/)\.(ssh|vscode|idea|husky)\//i,
]

export function isObeyedFile(path: string): boolean {
  return obeyed.some((pattern) => pattern.test(path))
}
