// `npm run screens`: pictures of every screen and state, made from a freshly seeded blog, into
// docs/screens/. With names after it (`npm run screens feed post`) only those. `--out <folder>`
// puts them elsewhere.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'
import sharp from 'sharp'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { ROOT, runShown, startServing, stopProcess, toolEnv } from './processes.ts'
import { enterSeeded, fillWithSeed, type SeededBlog, SHOWN_SETTINGS } from './screens/seeded.ts'
import { SCREEN_STATES, type ScreenState } from './screens/states.ts'

const COLOURS = 40
const KINDS = {
  wide: { viewport: { width: 1280, height: 800 }, shown: { width: 680 }, file: 'desktop' },
  narrow: { viewport: { width: 390, height: 844 }, shown: { width: 390 }, file: 'mobile' },
} as const
/** Each state is shown three times; the fourth mix looks like its neighbours. */
const MIXES = [
  { theme: 'dark', kind: 'wide' },
  { theme: 'light', kind: 'wide' },
  { theme: 'dark', kind: 'narrow' },
] as const
/** The pictures of the README. */
const COPIES: Record<string, string> = {
  'feed-desktop-dark.png': 'feed-dark.png',
  'post-desktop-light.png': 'post-light.png',
}

type Mix = (typeof MIXES)[number]
type Blog = SeededBlog & { url: string; browser: Browser }

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: join(ROOT, 'docs/screens') } },
  allowPositionals: true,
})
const folder = await mkdtemp(join(tmpdir(), 'lamplight-screens-'))
try {
  await makeScreens(
    SCREEN_STATES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function makeScreens(states: readonly ScreenState[]): Promise<void> {
  const env = toolEnv({ BLOG_DATA_DIR: folder, BLOG_RATE_LIMITS: 'off', ...SHOWN_SETTINGS })
  if ((await runShown(process.execPath, [join(ROOT, 'scripts/build-web.ts'), '--if-stale'])) !== 0)
    throw new Error('The web part could not be built')
  await fillWithSeed(env)
  const { url, child } = await startServing('blog', ['backend/main.ts'], env)
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: CHROMIUM_FLAGS,
  })
  try {
    await mkdir(values.out, { recursive: true })
    const blog: Blog = { url, browser, ...(await enterSeeded(url)) }
    for (const state of states) {
      for (const mix of MIXES) if (isWanted(state, mix)) await shoot(blog, state, mix)
    }
    process.stdout.write(`${values.out}: ${await folderKb(values.out)} kB\n`)
  } finally {
    await browser.close()
    await stopProcess(child)
  }
}

function isWanted({ only, isExtra }: ScreenState, { theme, kind }: Mix): boolean {
  if (only && only !== kind) return false
  return !isExtra || (theme === 'dark' && kind === (only ?? 'wide'))
}

async function shoot(
  { url, browser, cookiesOf, postPath }: Blog,
  state: ScreenState,
  { theme, kind }: Mix,
): Promise<void> {
  const { viewport, shown, file } = KINDS[kind]
  const options: BrowserContextOptions = {
    baseURL: url,
    viewport,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    colorScheme: 'dark',
  }
  const context = await browser.newContext(options)
  try {
    if (state.viewer) await context.addCookies(cookiesOf(state.viewer))
    await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
    // A face that missed the first paint is left out until the next page (decision 0017); a picture
    // is taken only once.
    await context.route(/\/assets\/main-[^/]+\.css$/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll('font-display:optional', 'font-display:swap'),
      })
    })
    const page = await context.newPage()
    await state.open({ page, postPath })
    const png = await page.screenshot({ animations: 'disabled' })
    const small = await sharp(png)
      .resize(shown)
      .png({ palette: true, colours: COLOURS, effort: 10, dither: 0.3 })
      .toBuffer()
    const name = `${state.name}-${file}-${theme}.png`
    await writeFile(join(values.out, name), small)
    const copy = COPIES[name]
    if (copy) await writeFile(join(values.out, copy), small)
    process.stdout.write(`${name} ${Math.round(small.length / 1024)} kB\n`)
  } finally {
    await context.close()
  }
}

async function folderKb(path: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(path)).map(async (name) => (await stat(join(path, name))).size),
  )
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024)
}
