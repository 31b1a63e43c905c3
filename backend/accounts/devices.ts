// The browser, system and device of a session, parsed from its user agent. Knows no session.
import Bowser from 'bowser'
import type { Device } from '#contract/accounts.ts'

/** What is kept of a user agent; longer ones are cut. */
export const USER_AGENT_MAX_CHARS = 512

const SYSTEMS: Record<string, readonly [code: string, name: string]> = {
  Linux: ['LIN', 'GNU/Linux'],
  Windows: ['WIN', 'Windows'],
  macOS: ['MAC', 'Mac'],
  iOS: ['IOS', 'iOS'],
  Android: ['AND', 'Android'],
  'Chrome OS': ['COS', 'Chrome OS'],
}

const CLIENTS: Record<string, string> = {
  Chrome: 'CH',
  Chromium: 'CR',
  Firefox: 'FF',
  Safari: 'SF',
  'Microsoft Edge': 'PS',
  Opera: 'OP',
  'Samsung Internet for Android': 'SB',
}

const DEVICES: Record<string, string> = {
  desktop: 'desktop',
  mobile: 'smartphone',
  tablet: 'tablet',
  tv: 'tv',
}

/** @returns `""` for whatever the user agent does not tell (api.md §2.1) */
export function describeDevice(userAgent: string): Device {
  // An empty text makes the parser throw.
  const { browser, os, platform, engine } = Bowser.parse(
    userAgent.slice(0, USER_AGENT_MAX_CHARS) || '-',
  )
  const system = SYSTEMS[os.name ?? '']
  const clientName = browser.name ?? ''
  return {
    osCode: system?.[0] ?? shortCode(os.name, 3),
    osName: system?.[1] ?? os.name ?? '',
    osVersion: (os.name === 'Windows' ? os.versionName : os.version) ?? '',
    clientType: clientName ? 'browser' : '',
    clientCode: CLIENTS[clientName] ?? shortCode(clientName, 2),
    clientName,
    clientVersion: (browser.version ?? '').split('.').slice(0, 2).join('.'),
    clientEngine: engine.name ?? '',
    // Blink has the version number of the browser that it is built into.
    clientEngineVersion:
      engine.version ?? (engine.name === 'Blink' ? browser.version : undefined) ?? '',
    deviceName: DEVICES[platform.type ?? ''] ?? platform.type ?? '',
    deviceBrand: platform.vendor ?? '',
    deviceModel: platform.model ?? '',
  }
}

function shortCode(name: string | undefined, chars: number): string {
  return (name ?? '')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, chars)
    .toUpperCase()
}
