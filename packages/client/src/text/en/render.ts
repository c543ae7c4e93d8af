import { formatBytes } from '../../ui/format.ts'

export const render = {
  code: 'Code',
  plainText: 'text',
  showAll: 'Show all',
  showLess: 'Show less',
  copyAll: 'Copy all',
  copyCommand: 'Copy command',
  copyOutput: 'Copy output',
  cutLines: (shown: number, all: number) =>
    `${shown.toLocaleString('en')} of ${all.toLocaleString('en')} lines`,
  cutText: (shown: number, all: number) => `${formatBytes(shown)} of ${formatBytes(all)}`,
  linkTo: (target: string) => `Opens ${target}`,
  mailTo: (target: string) => `Mail to ${target}`,
  imageLink: (alt: string) => (alt === '' ? 'Image' : `Image: ${alt}`),
  taskDone: 'Done',
  taskOpen: 'Not done',
  table: 'Table',
  math: 'Formula',

  diagram: 'Diagram',
  diagramSource: 'Show source',
  diagramPicture: 'Show diagram',
  diagramFailed: 'This diagram could not be drawn. Here is its source.',
  diagramDrawing: 'Drawing…',

  foldedBetween: (lines: number, characters: number) =>
    lines > 1
      ? `${lines.toLocaleString('en')} lines (${characters.toLocaleString('en')} characters) between are folded`
      : `${characters.toLocaleString('en')} characters between are folded`,

  diff: 'Changes',
  diffAdded: (count: number) => `${count.toLocaleString('en')} added`,
  diffRemoved: (count: number) => `${count.toLocaleString('en')} removed`,
  diffUnified: 'One column',
  diffSplit: 'Two columns',
  diffHidden: (count: number) =>
    count === 1 ? '1 unchanged line' : `${count.toLocaleString('en')} unchanged lines`,
  diffFolded: (all: number, added: number, removed: number) =>
    `${all.toLocaleString('en')} lines between are folded (+${added.toLocaleString('en')} −${removed.toLocaleString('en')}). Show all`,
  diffNone: 'Nothing changed.',
  diffEmpty: 'There is nothing in it.',
  diffLineEnds: 'Only line ends change.',
  diffBefore: 'Before',
  diffAfter: 'After',
  diffNewFile: 'New file',
  diffNoNewline: 'No line end at the end of the file',
  diffTooBig: 'Too different to compare line by line: all old lines, then all new ones.',
  diffUnreadable: 'This patch could not be read. Here is its text.',
  lineAdded: 'added',
  lineRemoved: 'removed',

  terminal: 'Terminal',
  exitCode: (code: number) => `exit ${code}`,
  noOutput: 'No output',
  saidCommand: 'Command: ',

  jsonItems: (count: number) => (count === 1 ? '1 item' : `${count.toLocaleString('en')} items`),
  jsonFields: (count: number) => (count === 1 ? '1 field' : `${count.toLocaleString('en')} fields`),
  jsonMore: (shown: number, all: number) => `Show more (${shown} of ${all})`,
  jsonBetween: (count: number) => `${count.toLocaleString('en')} between are folded. Show all`,
  jsonDeep: 'Nested too deep to show',

  image: 'Image',
  imageEnlarge: 'Enlarge the image',
  imageLeftOut: 'An image that is too large to be shown at once.',
  imageFailed: (why: string) => `The image could not be loaded: ${why}`,
  imageRefused: 'An image of a kind or size that is not shown.',
  audio: (type: string) => `Audio (${type})`,
  download: 'Download',
  resource: 'Resource',
  unknownContent: (type: string) => `Content of the kind “${type}”`,
  noContent: 'Nothing came back.',
  moreContent: (count: number) => `${count.toLocaleString('en')} more not shown`,

  chartTable: 'Show as table',
  chartPlot: 'Show as plot',
  chartEmpty: 'No data yet.',
  chartFailed: 'The plot could not be drawn. These are its figures.',
  chartLabel: 'Label',
  chartTotal: 'Total',
  chartFigure: (label: string, value: string) => `${label}: ${value}`,
  chartSummary: (title: string, points: number, max: string) =>
    `${title}: ${points} values, the highest ${max}.`,
  stripSummary: (title: string, parts: string) => `${title}: ${parts}`,
}
