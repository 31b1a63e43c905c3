// The pages of the blog without a server: an app of its own in this process renders them, as for a
// guest of a blog that everybody may read. For exports (archive/export).
import { makeApp } from './app.ts'
import type { GuestPages } from './archive/export/export-options.ts'
import { readBuiltPages } from './pages/built-pages.ts'
import type { Log } from './process/log.ts'
import type { Config } from './settings/config.ts'

/**
 * Opens the data of the blog a second time; the blog may be running. Close it afterwards.
 *
 * @throws Error when the data cannot be used, or the web part is not built
 */
export async function openGuestPages(
  config: Config,
  log: Log,
): Promise<GuestPages & { close(): Promise<void> }> {
  const pages = await readBuiltPages()
  const app = await makeApp(forGuests(config), log, {
    now: () => new Date(),
    // Without their script, pages are not cached: each is asked for once.
    pages: { ...pages, headScript: undefined },
    onFatal: (err) => log.error({ err }, 'the database could not be written'),
    // Another process does the periodic work, and previews are drawn when a page shows them.
    isFirstProcess: false,
    pregeneratesPreviews: false,
  })
  return {
    fetchPage: app.fetchPage,
    staticSite: pages.staticSite,
    close: () => app.close({ graceMs: 0 }),
  }
}

function forGuests(config: Config): Config {
  return {
    ...config,
    siteDefaults: { ...config.siteDefaults, reading: 'everyone' },
    fixedSite: [...config.fixedSite.filter((name) => name !== 'reading'), 'reading'],
    hasRateLimits: false,
    hasReadCounts: false,
    hasMetrics: false,
    processes: 1,
    google: undefined,
  }
}
