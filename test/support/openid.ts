// A real, certified OpenID provider (oidc-provider) that plays Google, and a client that follows
// its redirects without a browser. The sign-in page has one link per person, and one to cancel.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Adapter, AdapterPayload, Provider } from 'oidc-provider'

export type GooglePerson = { sub: string; email: string; email_verified: boolean; name: string }

export type Issuer = AsyncDisposable & {
  url: string
  /** Settings of a blog that uses it. */
  env: Record<string, string>
  /** The accounts there. Changes apply at once. */
  people: GooglePerson[]
  /** Registers the blog at this address as a client. */
  registerBlog(blogUrl: string): void
  /** While true, every response is 503. */
  isDown: boolean
  /**
   * Whether a sign-in also returns a refresh token, which works once. Off by default, as at Google
   * unless requested.
   */
  givesRefreshTokens: boolean
  /** All refresh tokens issued so far. */
  refreshTokens: string[]
}

const CLIENT_ID = 'lamplight-test'
const CLIENT_SECRET = 'the-issuer-and-the-blog-know-this'
const ACCESS_TOKEN_SECONDS = 3600
const GRANT_TYPES = ['authorization_code', 'refresh_token']
const EMAIL = ['email', 'email_verified']

/** @param people the accounts of the provider */
export async function startIssuer(people: GooglePerson[]): Promise<Issuer> {
  const Implementation = await loadProvider()
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    if (!provider || issuer.isDown) return void response.writeHead(503).end()
    const inside = provider
    const uid = /^\/interaction\/([\w-]+)/.exec(request.url ?? '')?.[1]
    const answer =
      uid === undefined ? inside.callback()(request, response) : interact(inside, request, response)
    answer.catch(() => response.writeHead(500).end())
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`

  async function interact(
    inside: Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { searchParams } = new URL(request.url ?? '', url)
    if (searchParams.has('cancel')) {
      return inside.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'said no <script>alert(1)</script>',
      })
    }
    const sub = searchParams.get('sub')
    if (sub !== null)
      return inside.interactionFinished(request, response, { login: { accountId: sub } })
    const path = request.url
    const rows = people.map(
      (person) => `<p><a href="${path}?sub=${person.sub}">Go on as ${person.name}</a></p>`,
    )
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><title>Test provider</title><link rel="icon" href="data:,"><h1>Choose an account</h1>${rows.join('')}<p><a href="${path}?cancel">Cancel</a></p>`,
    )
  }

  const issuer: Issuer = {
    url,
    isDown: false,
    givesRefreshTokens: false,
    refreshTokens: [],
    env: {
      BLOG_GOOGLE_CLIENT_ID: CLIENT_ID,
      BLOG_GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      BLOG_GOOGLE_ISSUER: url,
    },
    people,
    registerBlog(blogUrl) {
      provider = makeProvider(
        Implementation,
        issuer,
        `${blogUrl}/v1/account/sessions/oauth2/callback/google/blog`,
      )
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return issuer
}

/** Shared by all providers: generating a key pair takes a tenth of a second. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Imports the package without its warning about the version of Node. */
async function loadProvider(): Promise<typeof Provider> {
  const { warn } = console
  console.warn = () => {}
  try {
    return (await import('oidc-provider')).default
  } finally {
    console.warn = warn
  }
}

function makeProvider(
  Implementation: typeof Provider,
  issuer: Issuer,
  redirectUri: string,
): Provider {
  const openidProvider = new Implementation(issuer.url, {
    adapter: makeAdapters(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: GRANT_TYPES,
      },
    ],
    clientBasedCORS: () => true,
    claims: {
      email: EMAIL,
      profile: ['name'],
      'https://www.googleapis.com/auth/userinfo.email': EMAIL,
      'https://www.googleapis.com/auth/userinfo.profile': ['name'],
    },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => {
      const person = issuer.people.find((one) => one.sub === sub)
      return person && { accountId: sub, claims: async () => ({ ...person }) }
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    // Google asks for consent only once; this provider never does.
    async loadExistingGrant(context) {
      const { session, client, params, provider } = context.oidc
      if (!session?.accountId || !client) return undefined
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope(String(params?.scope ?? ''))
      await grant.save()
      return grant
    },
    issueRefreshToken: async () => issuer.givesRefreshTokens,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 3600,
      Session: 3600,
    },
  })
  openidProvider.on('refresh_token.saved', ({ jti }) => void issuer.refreshTokens.push(jti))
  return openidProvider
}

/** In-memory storage of the provider. */
function makeAdapters(): (name: string) => Adapter {
  const payloads = new Map<string, AdapterPayload>()
  return (name) => {
    const keyOf = (id: string): string => `${name} ${id}`
    const findBy = (isIt: (payload: AdapterPayload) => boolean) =>
      [...payloads].find(([key, payload]) => key.startsWith(`${name} `) && isIt(payload))?.[1]
    return {
      upsert: async (id, payload) => void payloads.set(keyOf(id), payload),
      find: async (id) => payloads.get(keyOf(id)),
      findByUid: async (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findBy((payload) => payload.userCode === userCode),
      async consume(id) {
        const payload = payloads.get(keyOf(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void payloads.delete(keyOf(id)),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of payloads) if (payload.grantId === grantId) payloads.delete(key)
      },
    }
  }
}

/** A browser reduced to redirects and cookies. */
export type RedirectBrowser = {
  /** All cookies, as a request carries them. */
  cookie(): string
  /** Sends one request, stores cookies and does not follow redirects. */
  visit(url: string, init?: RequestInit): Promise<Response>
  /**
   * Follows redirects from `url` to the first address that `isThere` accepts or that does not
   * redirect.
   */
  follow(url: string, isThere: (url: URL) => boolean): Promise<URL>
}

export function makeRedirectBrowser(): RedirectBrowser {
  const jar = new Map<string, string>()
  const cookie = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  async function visit(url: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: cookie() },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const isGone = attributes.some((one) => /^expires=Thu, 01 Jan 1970/i.test(one))
      if (isGone) jar.delete(name)
      else jar.set(name, pair.slice(name.length + 1))
    }
    return answer
  }
  return {
    cookie,
    visit,
    async follow(url, isThere) {
      let currentUrl = new URL(url)
      for (let steps = 0; steps < 20 && !isThere(currentUrl); steps++) {
        const next = (await visit(currentUrl.href)).headers.get('location')
        if (next === null) return currentUrl
        currentUrl = new URL(next, currentUrl)
      }
      return currentUrl
    },
  }
}
