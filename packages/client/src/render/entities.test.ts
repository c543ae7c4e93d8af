import { expect, it } from 'vitest'
import { decodeEntities } from './entities.ts'

it.each([
  ['a &amp; b &lt;c&gt;', 'a & b <c>'],
  ['&#39;x&#x27;', "'x'"],
  ['&unknown; &constructor; &', '&unknown; &constructor; &'],
  ['&#0; &#xD800; &#9999999;', '\ufffd \ufffd \ufffd'],
  ['&amp;lt;', '&lt;'],
])('decodes %j', (text, decoded) => expect(decodeEntities(text)).toBe(decoded))
