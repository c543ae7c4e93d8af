/** The tools of DorkOS itself, and those that the owner writes. */
export const tools = {
  title: 'Tools',
  description: 'Tools that DorkOS itself gives to agents: its own, and those that you write.',
  own: 'Your own tools',
  ownHint:
    'Each .mjs or .js file in the folder that exports tools. Sessions have them within a second of each save, also those that run.',
  ownDocs: 'Make one with:',
  ownCommand: 'npx dorkos tools new greet',
  ownTry: 'Try it without a model:',
  ownTryCommand: 'npx dorkos tools test greet --input \'{"name":"Ada"}\'',
  folderNone: 'No folders for tools of your own here.',
  folderNoneBoxed: 'A workspace in a container gets none of them.',
  folderNoneYet: 'The first command below makes the folder, and a tool in it to begin with.',
  folderOwn: 'Yours, for every workspace that is not in a container',
  folderWorkspace: 'Of this workspace, because it is trusted',
  copyPath: 'Copy the path',
  faults: (n: number) => (n === 1 ? 'One module does not load as it should' : `${n} faults in modules`),
  reload:
    'Files are watched: save the file again and it is loaded anew. A file that does not load takes only its own tools away.',
  noTools: 'No tools in this folder yet.',
  log: 'Its log',
  injected: 'DorkOS’s own tools',
  injectedHint: (server: string) =>
    `The server “${server}” runs inside DorkOS and is part of every session. Nothing can take its name.`,
  injectedNone: 'This server offers none.',
}
