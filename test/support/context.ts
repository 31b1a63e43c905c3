// A room's context as app.ts creates it, for tests of rules without a server. Tests override the
// parts that they inspect.
import { makePasswords } from '#backend/accounts/passwords.ts'
import { makeKnownBrowsers, makeSessionCookies } from '#backend/accounts/session-cookies.ts'
import { makeResponseCache } from '#backend/cache/response-cache.ts'
import { makeReadTagVersions } from '#backend/database/cache-tags.ts'
import type { Database } from '#backend/database/schema.ts'
import type { BlobStore } from '#backend/files/blob-store.ts'
import { makeProviderTokens } from '#backend/google/provider-tokens.ts'
import { makeRateLimits } from '#backend/http/rate-limits.ts'
import { makeMailer } from '#backend/mail/mailer.ts'
import type { OwnDataContext } from '#backend/own-data/context.ts'
import { makePostTexts } from '#backend/post-texts/post-texts.ts'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { makeReads } from '#backend/reads/reads.ts'
import { readConfig } from '#backend/settings/config.ts'
import { plainSite } from './site.ts'

const SECRET = 'a secret of the tests, long enough for every use'

export function makeTestContext(
  db: Database,
  overrides: Partial<OwnDataContext> = {},
): OwnDataContext {
  const config = readConfig({ BLOG_PUBLIC_URL: 'https://blog.example' })
  const log = makeLog('silent')
  const base = {
    ...config,
    db,
    log,
    background: makeBackground(log),
    now: () => new Date(),
    site: plainSite(),
    ...overrides,
  }
  return {
    ...base,
    rateLimits: makeRateLimits({ isOn: false }),
    cache: makeResponseCache(makeReadTagVersions(db)),
    addSharedRead: () => {},
    mailer: makeMailer({ mail: base.mail, dataDir: base.dataDir, log: base.log }),
    passwords: makePasswords(),
    browsers: makeKnownBrowsers(SECRET),
    cookies: makeSessionCookies(base.projectId, base),
    providerTokens: makeProviderTokens(SECRET),
    postTexts: makePostTexts(base),
    reads: makeReads(base),
    ...noFiles(),
    ...overrides,
  }
}

/** A files context whose stores are empty: tests with it have file rows without bytes. */
function noFiles() {
  const store: BlobStore = {
    put: async () => refuseFiles(),
    open: async () => undefined,
    has: async () => false,
    remove: async () => {},
    list: async function* () {},
  }
  return {
    received: store,
    blobStore: store,
    chunks: store,
    requireFiles: undefined,
    requireUploads: undefined,
    imageQueue: refuseFiles,
    previews: refuseFiles,
    previewPregeneration: { add: () => {}, start: () => {}, stop: () => {} },
    assembling: refuseFiles,
  } as unknown as Pick<OwnDataContext, 'received' | 'blobStore' | 'chunks'> &
    Pick<OwnDataContext, 'requireFiles' | 'requireUploads' | 'imageQueue' | 'previews'> &
    Pick<OwnDataContext, 'previewPregeneration' | 'assembling'>
}

function refuseFiles(): never {
  throw new Error('This test has no bytes of files')
}
