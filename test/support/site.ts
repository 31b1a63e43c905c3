// The values that operators set, for tests of rules without a server.
import { readConfig } from '#backend/settings/config.ts'
import type { Site, SiteSnapshot } from '#backend/site/site.ts'

export const SITE_NOW: SiteSnapshot = {
  ...readConfig({ BLOG_SITE_NAME: 'Lamps', BLOG_READING: 'everyone' }).siteDefaults,
  publicUrl: 'http://localhost:3000',
  isRegistrationOpen: true,
  isSetUp: true,
  setUpAt: '2026-01-01T00:00:00.000Z',
  logo: '',
  backup: {},
  links: [],
  setTwice: [],
}

export function plainSite(values: Partial<SiteSnapshot> = {}): Site {
  const now = { ...SITE_NOW, ...values }
  return { read: async () => now, lastKnown: () => now, isEmpty: async () => false }
}
