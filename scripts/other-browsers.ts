// Finds Firefox and WebKitGTK for the tests in other browsers. `npm run test:more` installs them
// first, if it can.
import { existsSync } from 'node:fs'
import { installDebianPackages } from './debian-packages.ts'

export type WebKitPrograms = { driver: string; browser: string; screen: string }

const FIREFOX = '/usr/bin/firefox-esr'
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'
const MINI_BROWSERS = ['x86_64', 'aarch64'].map(
  (processor) => `/usr/lib/${processor}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
)
const SCREEN = '/usr/bin/Xvfb'

export function findFirefox(): string | undefined {
  return existsSync(FIREFOX) ? FIREFOX : undefined
}

export function findWebKit(): WebKitPrograms | undefined {
  const browser = MINI_BROWSERS.find(existsSync)
  if (!browser || !existsSync(WEBKIT_DRIVER) || !existsSync(SCREEN)) return undefined
  return { driver: WEBKIT_DRIVER, browser, screen: SCREEN }
}

/** @param say prints which tests are left out */
export function installOtherBrowsers(say: (line: string) => void): void {
  const isFirefoxHere = () => findFirefox() !== undefined
  const isWebKitHere = () => findWebKit() !== undefined
  if (!isFirefoxHere()) installDebianPackages('firefox-esr')
  if (!isWebKitHere()) installDebianPackages('webkit2gtk-driver', 'xvfb')
  if (!isFirefoxHere()) say('Left out: the tests in Firefox (Debian: apt-get install firefox-esr)')
  if (!isWebKitHere())
    say('Left out: the tests in WebKitGTK (Debian: apt-get install webkit2gtk-driver xvfb)')
}
