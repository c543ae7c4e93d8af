/** Colours as the browser computes them: of the edges of controls against what is around them, and of what has a hue. */
import type { Page } from 'playwright-core'

export interface Drawn {
  /** Controls that were looked at. */
  readonly controls: number
  /** Those whose edge is not seen, with the contrast. */
  readonly faint: readonly string[]
  /** Links, toggles and tabs that were looked at. */
  readonly neutral: number
  /** Those of them that have a hue. */
  readonly coloured: readonly string[]
  /** Elements that are drawn in the hue of what needs a person. */
  readonly attention: readonly string[]
}

export async function drawnColours(page: Page): Promise<Drawn> {
  return page.evaluate(() => {
    type Colour = readonly [r: number, g: number, b: number, alpha: number]
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const known = new Map<string, Colour>()
    /** Whatever notation it is in. */
    const read = (css: string): Colour => {
      const found = known.get(css)
      if (found || !context) return found ?? [0, 0, 0, 0]
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = css
      context.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data
      const colour: Colour = [r, g, b, a / 255]
      known.set(css, colour)
      return colour
    }
    const over = ([r, g, b, a]: Colour, [x, y, z]: Colour): Colour => [
      r * a + x * (1 - a),
      g * a + y * (1 - a),
      b * a + z * (1 - a),
      1,
    ]
    /** What is behind an element, through all that is translucent. */
    const groundOf = (element: Element | null): Colour => {
      if (!element) return [255, 255, 255, 1]
      const own = read(getComputedStyle(element).backgroundColor)
      return own[3] === 1 ? own : over(own, groundOf(element.parentElement))
    }
    const luminance = ([r, g, b]: Colour) => {
      const [x = 0, y = 0, z = 0] = [r, g, b]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      return 0.2126 * x + 0.7152 * y + 0.0722 * z
    }
    const contrast = (a: Colour, b: Colour) => {
      const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
      return (light + 0.05) / (dark + 0.05)
    }
    const range = ([r, g, b]: Colour) => Math.max(r, g, b) - Math.min(r, g, b)
    /** Greys may be a little warm. */
    const hasHue = (colour: Colour) => colour[3] > 0.1 && range(colour) > 40
    const isAttention = (colour: Colour) => {
      const [r, g, b, a] = colour
      if (a < 0.1 || range(colour) < 90 || r < g || g < b) return false
      const hue = (60 * (g - b)) / range(colour)
      return hue >= 18 && hue <= 45
    }
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert]') === null &&
      element.getBoundingClientRect().width > 1
    const all = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen)
    const label = (element: Element) =>
      `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.id} ${element.textContent?.slice(0, 30)}`

    /** The line around a control: its own, or that of the box it fills. */
    const edgeOf = (element: Element): Element | undefined => {
      for (let one: Element | null = element, up = 0; one && up < 4; one = one.parentElement, up++) {
        const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(one)
        if (Number.parseFloat(borderTopWidth) > 0 && borderTopStyle !== 'none' && read(borderTopColor)[3] > 0)
          return one
        if (element.getAttribute('role') === 'switch') return one
      }
      return undefined
    }
    const fields = all(
      'input:not([type=checkbox], [type=radio], [type=file], [type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled), [role=switch]:not(:disabled), fieldset:not(:disabled):has(input[type=radio])',
    ).map((field) => (field.tagName === 'FIELDSET' ? (field.querySelector('div') ?? field) : field))
    const faint = fields.flatMap((field) => {
      const edge = edgeOf(field)
      if (!edge) return [`${label(field)}: no edge`]
      const style = getComputedStyle(edge)
      const around = groundOf(edge.parentElement)
      const line = over(read(style.borderTopColor), groundOf(edge))
      const ratio = Math.max(
        contrast(line, around),
        // A switch that is on is seen by its ground.
        field.getAttribute('role') === 'switch' ? contrast(groundOf(edge), around) : 0,
      )
      return ratio < 3 ? [`${label(field)}: ${ratio.toFixed(2)}`] : []
    })

    const parts = all(
      'a[href], [role=switch], [role=switch] *, input[type=checkbox], input[type=radio], [aria-pressed=true], [role=tab], [aria-current=page]',
    )
    const coloured = parts.flatMap((part) => {
      const style = getComputedStyle(part)
      const colours = [
        style.color,
        style.backgroundColor,
        ...(style.textDecorationLine === 'none' ? [] : [style.textDecorationColor]),
        ...(Number.parseFloat(style.borderBottomWidth) > 0 ? [style.borderBottomColor] : []),
        ...(style.accentColor === 'auto' ? [] : [style.accentColor]),
      ]
      // Words of a notice have its colour, and a link among them has it too.
      const isOfNotice = part.tagName === 'A' && part.parentElement?.closest('[role=status], [role=alert]')
      const found = colours.find((one) => hasHue(read(one)))
      return found && !isOfNotice ? [`${label(part)}: ${found}`] : []
    })

    const attention = all('body *').flatMap((element) => {
      if (element.closest('pre, code, canvas')) return []
      const style = getComputedStyle(element)
      const hasBorder = Number.parseFloat(style.borderTopWidth) > 0
      const colours = [style.color, style.backgroundColor, ...(hasBorder ? [style.borderTopColor] : [])]
      return colours.some((one) => isAttention(read(one))) ? [label(element)] : []
    })
    return { controls: fields.length, faint, neutral: parts.length, coloured, attention }
  })
}

/** The ring of what has the focus, of everything that keys reach there: those with a hue. */
export async function colouredFocus(page: Page): Promise<{ reached: number; coloured: string[] }> {
  await page.keyboard.press('Shift')
  return page.evaluate(() => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const hasHue = (css: string) => {
      if (!context) return true
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = css
      context.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data
      return a > 25 && Math.max(r, g, b) - Math.min(r, g, b) > 40
    }
    const reachable = 'a[href], button, input, textarea, select, summary, [tabindex="0"]'
    const all = [...document.querySelectorAll<HTMLElement>(reachable)].filter(
      (one) => one.checkVisibility() && !one.matches(':disabled') && one.closest('[inert]') === null,
    )
    const coloured: string[] = []
    let reached = 0
    for (const one of all) {
      one.focus({ preventScroll: true })
      if (document.activeElement !== one) continue
      reached++
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0 && hasHue(outlineColor))
        coloured.push(`${one.outerHTML.slice(0, 120)}: ${outlineColor}`)
    }
    return { reached, coloured }
  })
}
