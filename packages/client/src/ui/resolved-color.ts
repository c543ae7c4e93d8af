/**
 * What a colour of the page is now, by the name of its variable: for canvases, which know neither variables nor themes. As the text
 * around it where there is no such variable.
 */
export function resolvedColor(name: `--${string}`, within: HTMLElement = document.body): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  within.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
