// `npm run screens`: screenshots of every screen and state, made from a freshly seeded blog, into
// build/screens. With names after it (`npm run screens feed post`) only those. `--out <folder>`
// puts them elsewhere; `--readme` renews the two of the README instead, in docs/screens.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import sharp from 'sharp'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { ROOT, runShown, startServing, stopProcess, toolEnv } from './processes.ts'
import { fillWithSeed, type SeededBlog, SHOWN_SETTINGS, signEverybodyIn } from './screens/seeded.ts'
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
/** The screenshots of the README: where each is kept. */
const README_FILES: Record<string, string> = {
  'feed-desktop-dark.png': join(ROOT, 'docs/screens/feed-dark.png'),
  'post-desktop-light.png': join(ROOT, 'docs/screens/post-light.png'),
}
const README_STATES = ['feed', 'post']

type Mix = (typeof MIXES)[number]
type Blog = SeededBlog & { url: string; browser: Browser }

const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string', default: join(ROOT, 'build/screens') },
    readme: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const wanted = values.readme ? README_STATES : positionals
const dataDir = await mkdtemp(join(tmpdir(), 'lamplight-screens-'))
try {
  await makeScreens(
    SCREEN_STATES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
  )
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function makeScreens(states: readonly ScreenState[]): Promise<void> {
  const env = toolEnv({ BLOG_DATA_DIR: dataDir, BLOG_RATE_LIMITS: 'off', ...SHOWN_SETTINGS })
  if ((await runShown(process.execPath, [join(ROOT, 'scripts/build-web.ts'), '--if-stale'])) !== 0)
    throw new Error('The web part could not be built')
  await fillWithSeed(env)
  const { url, child } = await startServing('blog', ['backend/main.ts'], env)
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: CHROMIUM_FLAGS,
  })
  try {
    const blog: Blog = { url, browser, ...(await signEverybodyIn(url)) }
    for (const state of states) {
      for (const mix of MIXES) if (isWanted(state, mix)) await takeScreenshot(blog, state, mix)
    }
    if (!values.readme) process.stdout.write(`${values.out}: ${await folderKb(values.out)} kB\n`)
  } finally {
    await browser.close()
    await stopProcess(child)
  }
}

function isWanted(state: ScreenState, mix: Mix): boolean {
  if (values.readme) return fileName(state, mix) in README_FILES
  const [{ only, isExtra }, { theme, kind }] = [state, mix]
  if (only && only !== kind) return false
  return !isExtra || (theme === 'dark' && kind === (only ?? 'wide'))
}

function fileName({ name }: ScreenState, { theme, kind }: Mix): string {
  return `${name}-${KINDS[kind].file}-${theme}.png`
}

async function takeScreenshot(blog: Blog, state: ScreenState, mix: Mix): Promise<void> {
  const context = await openContext(blog, state, mix)
  try {
    const page = await context.newPage()
    await state.open({ page, postPath: blog.postPath })
    if (values.readme) await page.waitForFunction(hasShownImages)
    const png = await page.screenshot({ animations: 'disabled' })
    const small = await sharp(png)
      .resize(KINDS[mix.kind].shown)
      .png({ palette: true, colours: COLOURS, effort: 10, dither: 0.3 })
      .toBuffer()
    const name = fileName(state, mix)
    const path = (values.readme && README_FILES[name]) || join(values.out, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, small)
    process.stdout.write(`${name} ${Math.round(small.length / 1024)} kB\n`)
  } finally {
    await context.close()
  }
}

/** Runs in the page: whether each image in the window is there. */
function hasShownImages(): boolean {
  return [...document.images].every((image) => {
    const { top, bottom } = image.getBoundingClientRect()
    return bottom <= 0 || top >= innerHeight || (image.complete && image.naturalWidth > 0)
  })
}

/** A browser of the person who looks, in the theme and size of the mix. */
async function openContext(
  { url, browser, cookiesOf }: Blog,
  { viewer }: ScreenState,
  { theme, kind }: Mix,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: KINDS[kind].viewport,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    colorScheme: 'dark',
  })
  if (viewer) await context.addCookies(cookiesOf(viewer))
  await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
  // A font that missed the first paint is left out until the next page (decision 0017); a
  // screenshot is taken only once.
  await context.route(/\/assets\/main-[^/]+\.css$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll('font-display:optional', 'font-display:swap'),
    })
  })
  return context
}

async function folderKb(path: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(path)).map(async (name) => (await stat(join(path, name))).size),
  )
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024)
}
