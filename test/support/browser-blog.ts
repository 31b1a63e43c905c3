// The base of every browser test: a real server process per worker, and visitors whose pages must
// show no errors.
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { makeDataDir, readErrorEntries, setUpFolder, startServer } from './process.ts'

export { expect }

/** The server of one test file's worker. */
export type BrowserBlog = {
  url: string
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>
  /** Starts it again at the same address, with the data it had. */
  revive(): Promise<void>
}

export type Visitor = {
  page: Page
  context: BrowserContext
  /**
   * Allows console messages and failed responses that a test provokes on purpose. Any other fails
   * the test.
   */
  expectFault(text: RegExp): void
  /** Fails if a fault was seen since the start or the last call. */
  expectNoFaults(): void
}

/** Puts data into a new folder before the server starts on it. */
type FillBlog = (dataDir: string) => Promise<void>

/**
 * `isIdle` sends no pointer movement on forms. `baseURL` selects another blog than the worker's.
 */
type VisitorOptions = BrowserContextOptions & { isIdle?: boolean }

type MakeVisitor = (options?: VisitorOptions) => Promise<Visitor>

export const test = base.extend<
  { visit: MakeVisitor },
  {
    blog: BrowserBlog
    blogEnv: Record<string, string>
    fillBlog: FillBlog
  }
>({
  /** Settings on top of a test's defaults; a file that needs others extends this. */
  blogEnv: [{}, { scope: 'worker', option: true }],

  fillBlog: [
    async ({ browserName: _browserName }, use) => await use(async () => {}),
    { scope: 'worker' },
  ],

  blog: [
    async ({ blogEnv, fillBlog }, use) => {
      await using data = await makeDataDir()
      await fillBlog(data.path)
      await setUpFolder(data.path, blogEnv)
      let server = await startServer(data.path, blogEnv)
      const { url } = server
      const errorEntries: unknown[] = []
      await use({
        url,
        async kill() {
          await server.stop('SIGKILL')
          errorEntries.push(...readErrorEntries(server))
        },
        async revive() {
          server = await startServer(data.path, { ...blogEnv, PORT: new URL(url).port })
        },
      })
      const code = await server.stop()
      expect([...errorEntries, ...readErrorEntries(server)], 'the server log').toEqual([])
      expect(code, 'exit code of the server').toBe(0)
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  /**
   * Opens a browser context for one more person, with cookies of its own, and collects its faults.
   */
  visit: async ({ browser, blog }, use) => {
    const pages: { context: BrowserContext; expectNoFaults: () => void }[] = []
    await use(async ({ isIdle = false, ...options } = {}) => {
      const { baseURL = blog.url } = options
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...options,
        baseURL,
      })
      const faults: string[] = []
      // The bell polls, and its session may have ended. Chromium blocks local network access for
      // pages that a test fulfils itself.
      const allowed = [
        /status of 401 .*\/v1\/notifications\/count\)/,
        /ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS/,
      ]
      const expectNoFaults = () => {
        const unexpected = faults.filter((fault) => !allowed.some((text) => text.test(fault)))
        expect(unexpected, 'faults seen in the browser').toEqual([])
        faults.length = 0
      }
      pages.push({ context, expectNoFaults })
      watch(context, baseURL, faults)
      await context.addInitScript(holdPresses)
      if (!isIdle) await context.addInitScript(movePointerOnForms)
      return {
        context,
        page: await context.newPage(),
        expectFault: (text) => void allowed.push(text),
        expectNoFaults,
      }
    })
    for (const { context, expectNoFaults } of pages) {
      await context.close()
      expectNoFaults()
    }
  },
})

/**
 * Runs in the page. A click before hydration has no effect; a person would click again. Here the
 * controls accept no pointer events until then, and Playwright waits for that.
 */
function holdPresses(): void {
  if (window !== top) return
  // A test may replace the clock later.
  const { setInterval, clearInterval } = window
  const controls = 'button, label, [role=button], [type=checkbox], [type=radio]'
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`:is(${controls}) { pointer-events: none }`)
  const isHydrated = () => !('endEarlyInput' in window)
  function hold({ target }: Event) {
    if (isHydrated() || document.adoptedStyleSheets.includes(sheet)) return
    if (!(target instanceof Element && target.closest(controls))) return
    document.adoptedStyleSheets.push(sheet)
    const polling = setInterval(() => {
      if (!isHydrated()) return
      clearInterval(polling)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }, 10)
  }
  addEventListener('pointerover', hold, true)
}

/** Runs in the page: the editor loads at the first pointer movement, otherwise seconds later. */
function movePointerOnForms(): void {
  if (window !== top || !/^\/(add|edit)-post/.test(location.pathname)) return
  const moving = setInterval(() => dispatchEvent(new Event('pointermove')), 50)
  setTimeout(() => clearInterval(moving), 2000)
}

function watch(context: BrowserContext, url: string, faults: string[]): void {
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      faults.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) =>
    faults.push(`page error: ${error.error().stack ?? error.error().message}`),
  )
  context.on('request', (request) => {
    const target = new URL(request.url())
    if (!['data:', 'blob:', 'about:'].includes(target.protocol) && target.origin !== url)
      faults.push(`request to elsewhere: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() < 500) return
    const at = faults.push(`answer ${response.status()}: ${response.url()}`) - 1
    // The body explains the status; it cannot be read once the page has been left.
    void response.text().then(
      (text) => (faults[at] += ` ${text}`),
      () => {},
    )
  })
}
