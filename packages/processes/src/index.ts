/** The whole surface of the package. */
export { guardExit } from './exit-guard.ts'
export { isRecord } from './is-record.ts'
export { JsonLineReader, type LineFault } from './json-lines.ts'
export { type Line, LineReader } from './line-reader.ts'
export { ProcessGroup } from './process-group.ts'
export { endMarked, endOrphans, nextMarkValue } from './process-mark.ts'
export {
  allProcesses,
  groupMembers,
  isLiving,
  isSameProcess,
  readProcess,
  readVariable,
} from './process-table.ts'
export { StderrTail } from './stderr-tail.ts'
export { resolvesWithin, terminate } from './terminate.ts'
