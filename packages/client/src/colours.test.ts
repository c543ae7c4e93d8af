/** The tokens of style.css keep their promises: what is read can be read, what is pressed can be seen, and states differ. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./style.css', import.meta.url), 'utf8')
const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

const tokens = new Map(
  [...css.matchAll(/^ {2}--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);$/gm)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
)
function colour(name: string, theme: Theme): string {
  const token = tokens.get(name)
  if (!token) throw new Error(`style.css has no --${name} with a light and a dark colour`)
  return token[theme]
}

/** As WCAG 2.2 measures it. */
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const grounds = ['ground', 'card', 'raised', 'hover']
const states = ['attention', 'running', 'denied', 'ok', 'warn', 'danger']
const charts = Array.from({ length: 6 }, (_, index) => `chart-${index + 1}`)

const pairs = (names: readonly string[], on: readonly string[]) =>
  names.flatMap((name) => on.map((ground) => [name, ground] as const))

describe.each(themes)('in the %s theme', (theme) => {
  const ratio = ([a, b]: readonly [string, string]) => contrast(colour(a, theme), colour(b, theme))

  it.each([
    ...pairs(['text', 'soft', 'faint'], grounds),
    ...pairs(states, ['ground', 'card', 'raised']),
    ...states.map((state) => [state, `${state}-ground`] as const),
    ['on-ink', 'ink'] as const,
    ['on-ink', 'ink-hover'] as const,
    ['on-attention', 'attention-fill'] as const,
    ['text', 'mark'] as const,
    ['on-terminal', 'terminal'] as const,
    ['terminal-soft', 'terminal'] as const,
  ])('%s is read on %s: 4.5 to 1', (a, b) => {
    expect(ratio([a, b])).toBeGreaterThanOrEqual(4.5)
  })

  it.each([
    ...pairs(['field', 'ink', 'attention-fill'], ['ground', 'card', 'raised']),
    ...pairs(['chart', ...charts], ['card', 'raised']),
  ])('%s is seen on %s: 3 to 1', (a, b) => {
    expect(ratio([a, b])).toBeGreaterThanOrEqual(3)
  })

  it('white is read on what deletes: 4.5 to 1', () => {
    expect(contrast('#ffffff', colour('danger-fill', theme))).toBeGreaterThanOrEqual(4.5)
  })

  it('has no two states of one hue, and only attention is orange', () => {
    const hues = states.map((state) => hueOf(colour(state, theme)))
    for (const [index, hue] of hues.entries())
      for (const other of hues.slice(index + 1)) expect(distance(hue, other)).toBeGreaterThanOrEqual(15)
    const isOrange = (hex: string) => {
      const { hue, saturation } = hsl(hex)
      return hue >= 18 && hue <= 45 && saturation > 0.55
    }
    const orange = [...tokens].filter(([, both]) => isOrange(both[theme])).map(([name]) => name)
    // Syntax colours are of code, which says nothing about states.
    expect(orange.filter((name) => !name.startsWith('code-') && !/^(?:on-)?attention/.test(name))).toEqual([])
  })
})

const distance = (a: number, b: number) => Math.min(Math.abs(a - b), 360 - Math.abs(a - b))
const hueOf = (hex: string) => hsl(hex).hue

function hsl(hex: string): { hue: number; saturation: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)]
  const range = high - low
  if (range === 0) return { hue: 0, saturation: 0 }
  const sixth = high === r ? (g - b) / range : high === g ? (b - r) / range + 2 : (r - g) / range + 4
  const lightness = (high + low) / 2
  return { hue: (sixth * 60 + 360) % 360, saturation: range / (1 - Math.abs(2 * lightness - 1)) }
}
