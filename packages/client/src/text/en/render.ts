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
  mailTo: (target: string) => `Email ${target}`,
  imageLink: (alt: string) => (alt === '' ? 'Image' : `Image: ${alt}`),
  taskDone: 'Done',
  taskOpen: 'Not done',
  table: 'Table',
  math: 'Formula',

  diagram: 'Diagram',
  diagramSource: 'Show source',
  diagramPicture: 'Show diagram',
  diagramFailed: 'Couldn’t draw this diagram. Here’s its source.',
  diagramDrawing: 'Drawing…',

  foldedBetween: (lines: number, characters: number) =>
    lines > 1
      ? `${lines.toLocaleString('en')} lines hidden (${characters.toLocaleString('en')} characters)`
      : `${characters.toLocaleString('en')} characters hidden`,

  diff: 'Changes',
  diffAdded: (count: number) => `${count.toLocaleString('en')} added`,
  diffRemoved: (count: number) => `${count.toLocaleString('en')} removed`,
  diffUnified: 'Unified',
  diffSplit: 'Split',
  diffHidden: (count: number) =>
    count === 1 ? '1 unchanged line' : `${count.toLocaleString('en')} unchanged lines`,
  diffFolded: (all: number, added: number, removed: number) =>
    `${all.toLocaleString('en')} lines hidden (+${added.toLocaleString('en')} −${removed.toLocaleString('en')}). Show all`,
  diffNone: 'No changes.',
  diffEmpty: 'Empty file.',
  diffLineEnds: 'Only line endings change.',
  diffBefore: 'Before',
  diffAfter: 'After',
  diffNewFile: 'New file',
  diffNoNewline: 'No newline at end of file',
  diffTooBig: 'Too different to compare line by line. Old lines first, then new ones.',
  diffUnreadable: 'Couldn’t read this patch. Here’s its text.',
  lineAdded: 'added',
  lineRemoved: 'removed',

  terminal: 'Terminal',
  exitCode: (code: number) => `exit ${code}`,
  noOutput: 'No output',
  saidCommand: 'Command: ',

  jsonItems: (count: number) => (count === 1 ? '1 item' : `${count.toLocaleString('en')} items`),
  jsonFields: (count: number) => (count === 1 ? '1 field' : `${count.toLocaleString('en')} fields`),
  jsonMore: (shown: number, all: number) => `Show more (${shown} of ${all})`,
  jsonBetween: (count: number) => `${count.toLocaleString('en')} hidden. Show all`,
  jsonDeep: 'Nested too deeply to show',

  image: 'Image',
  imageEnlarge: 'Enlarge image',
  imageLeftOut: 'Large image, not loaded yet.',
  imageFailed: (why: string) => `Couldn’t load the image: ${why}`,
  imageRefused: 'Image type or size not supported.',
  audio: (type: string) => `Audio (${type})`,
  download: 'Download',
  resource: 'Resource',
  unknownContent: (type: string) => `“${type}” content`,
  noContent: 'No result.',
  moreContent: (count: number) => `${count.toLocaleString('en')} more not shown`,

  chartTable: 'Show as table',
  chartPlot: 'Show as chart',
  chartEmpty: 'No data yet.',
  chartFailed: 'Couldn’t draw the chart. Here are its figures.',
  chartLabel: 'Label',
  chartTotal: 'Total',
  chartFigure: (label: string, value: string) => `${label}: ${value}`,
  chartSummary: (title: string, points: number, max: string) => `${title}: ${points} values, highest ${max}.`,
  stripSummary: (title: string, parts: string) => `${title}: ${parts}`,
}
