import { expect, it } from 'vitest'
import { readDiagramAnswer } from './diagram-messages.ts'

it.each([
  [{ type: 'ready', extra: 1 }, { type: 'ready' }],
  [{ type: 'failed' }, { type: 'failed' }],
  [
    { type: 'drawn', width: 10.2, height: 1e9 },
    { type: 'drawn', width: 16, height: 4000 },
  ],
  [{ type: 'drawn', width: '10', height: 5 }, undefined],
  [{ type: 'drawn', width: Number.NaN, height: 5 }, undefined],
  [{ type: 'drawn' }, undefined],
  [{ type: 'other' }, undefined],
  ['ready', undefined],
  [null, undefined],
])('reads %j as %j', (data, answer) => expect(readDiagramAnswer(data)).toEqual(answer))
