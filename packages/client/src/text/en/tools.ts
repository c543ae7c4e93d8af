/** The tools of DorkOS itself, and those that the owner writes. */
export const tools = {
  title: 'Tools',
  description: 'Tools DorkOS gives agents: its own, and those you write.',
  own: 'Your own tools',
  write: 'Write a tool',
  ownHint:
    'Every .mjs or .js file in the folder that exports tools. Sessions, including running ones, get them within a second of a save.',
  ownDocs: 'Create one:',
  ownCommand: 'npx dorkos tools new greet',
  ownTry: 'Try it without a model:',
  ownTryCommand: 'npx dorkos tools test greet --input \'{"name":"Ada"}\'',
  folderNone: 'No folders for your own tools here.',
  folderNoneBoxed: 'Container workspaces don’t get your own tools.',
  folderNoneYet: 'The first command below creates the folder with a starter tool.',
  folderOwn: 'Yours, for every workspace not in a container',
  folderWorkspace: 'This workspace’s, loaded because it’s trusted',
  copyPath: 'Copy path',
  faults: (n: number) => (n === 1 ? '1 module has a problem' : `${n} problems in modules`),
  reload:
    'Files are watched and reload when you save them. A file that fails to load only affects its own tools.',
  noTools: 'No tools in this folder yet.',
  log: 'Log',
  injected: 'DorkOS’s own tools',
  injectedHint: (server: string) =>
    `The “${server}” server runs inside DorkOS and is part of every session. Its name is reserved.`,
  injectedNone: 'None.',
}
