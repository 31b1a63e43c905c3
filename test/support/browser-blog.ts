// What every browser test starts from: a real server process of its own, and visitors whose pages
// must stay clean.
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
  /** Ends the server as a power cut would, without a word to anybody. */
  kill(): Promise<void>
  /** Starts it again at the same address, with the data it had. */
  revive(): Promise<void>
}

export type Visitor = {
  page: Page
  context: BrowserContext
  /**
   * Lets console lines and failed answers pass that a test provokes on purpose. Anything else fails
   * the test.
   */
  expectFault(text: RegExp): void
  /** Fails when something has gone wrong so far; from then on faults are counted anew. */
  expectNoFaults(): void
}

/** Puts data into a new folder before the server starts on it. */
type FillBlog = (dataDir: string) => Promise<void>

/**
 * `isIdle`: does nothing on a form, not even move the pointer. `baseURL`: another blog than the one
 * of the worker.
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
   * Opens a browser of one more person: own cookies, and an eye on everything that goes wrong in
   * it.
   */
  visit: async ({ browser, blog }, use) => {
    const made: { context: BrowserContext; expectNoFaults: () => void }[] = []
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
      // The bell asks by itself: a session may have ended meanwhile. A page that a test hands in is
      // of no place for the browser, which lets it listen nowhere.
      const allowed = [
        /status of 401 .*\/v1\/notifications\/count\)/,
        /ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS/,
      ]
      const expectNoFaults = () => {
        const unexpected = faults.filter((fault) => !allowed.some((text) => text.test(fault)))
        expect(unexpected, 'faults seen in the browser').toEqual([])
        faults.length = 0
      }
      made.push({ context, expectNoFaults })
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
    for (const { context, expectNoFaults } of made) {
      await context.close()
      expectNoFaults()
    }
  },
})

/**
 * Runs in the page: a press before the app listens has no effect, and a person would press again.
 * Here the control takes no press until then, for which Playwright waits.
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
    const looking = setInterval(() => {
      if (!isHydrated()) return
      clearInterval(looking)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }, 10)
  }
  addEventListener('pointerover', hold, true)
}

/** Runs in the page: the editor comes at the first sign of a person, else only after seconds. */
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
    // The words tell the reason; a page that is left takes them along.
    void response.text().then(
      (text) => (faults[at] += ` ${text}`),
      () => {},
    )
  })
}
