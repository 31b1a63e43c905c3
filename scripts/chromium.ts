// Finds a Chromium for the browser tests, or brings one: the caller's, the system's, Debian's
// package, npm's. Knows no test.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installDebianPackages } from './debian-packages.ts'
import { installNpmChromium } from './test-packages.ts'

/** Without windows: the browser tests take a fifth less time with it. */
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

/** Older ones never ask again for a part of the app that failed once. */
const TESTED_VERSION = 156

/**
 * Flags for a test browser: nothing of its own goes to the network. No flag weakens web security.
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
 * @param say where progress is told
 * @throws Error that says what to do when none can be had
 */
export async function findChromium(say: (line: string) => void = () => {}): Promise<string> {
  const path = await findAny(say)
  const version = findVersion(path) ?? 0
  if (version < TESTED_VERSION)
    say(
      `Chromium ${version} is older than ${TESTED_VERSION}: tests of a failed line may fail with it.`,
    )
  return path
}

async function findAny(say: (line: string) => void): Promise<string> {
  const named = process.env.BLOG_TEST_CHROMIUM
  if (named) {
    if (!startsUp(named)) throw new Error(`BLOG_TEST_CHROMIUM: ${named} does not start`)
    return named
  }
  const found = SYSTEM_PATHS.find((path) => startsUp(path))
  if (found) return found
  say('No Chromium here. Trying Debian’s package, then the one from npm (67 MB).')
  if (installDebianPackages('chromium') && startsUp('/usr/bin/chromium')) return '/usr/bin/chromium'
  const carried = await findNpmChromium(say)
  if (carried && startsUp(carried)) return carried
  throw new Error(
    'No Chromium was found for the browser tests. Install one (Debian: apt-get install chromium) or name one: BLOG_TEST_CHROMIUM=/path/to/chromium npm test',
  )
}

function startsUp(path: string): boolean {
  return findVersion(path) !== undefined
}

/** @returns the first number of the version of what starts, undefined for what does not */
function findVersion(path: string): number | undefined {
  if (!existsSync(path)) return undefined
  const { status, stdout } = spawnSync(path, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return status === 0 ? Number(/\d+/.exec(stdout)?.[0] ?? 0) : undefined
}

/**
 * Installs or renews Debian's Chromium without windows as well, if no browser is named; where that
 * is not possible, the tests take the other one.
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
