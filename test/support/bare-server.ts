// A listening server without product routes, for tests of rules that apply to every route.
import { makeRateLimits } from '#backend/http/rate-limits.ts'
import { LONG_BODY_MAX_BYTES } from '#backend/http/request-params.ts'
import { makeServer, type Routes, type Server, type ServerOptions } from '#backend/http/server.ts'
import type { Viewer } from '#backend/http/viewer.ts'
import { makeLog } from '#backend/process/log.ts'
import { Refusal } from '#contract/errors.ts'

const ALICE: Viewer = {
  role: 'user',
  userId: 'alice',
  email: 'alice@example.test',
  name: 'Alice',
  isVerified: false,
  accountRole: 'author',
  sessionId: 's1',
}

let opened: Server | undefined

/** Closes the server that was opened last. */
export async function closeServer(): Promise<void> {
  await opened?.app.close()
  opened = undefined
}

/** The calls that the routes recorded, and the promises that hold and release the slow routes. */
function makeSignals() {
  return {
    calls: [] as string[],
    slowStarted: Promise.withResolvers<void>(),
    slowReleased: Promise.withResolvers<void>(),
    formStarted: Promise.withResolvers<void>(),
    formReleased: Promise.withResolvers<void>(),
    /** Resolves when a first chunk of the form has been read. */
    formRead: Promise.withResolvers<void>(),
  }
}

type Signals = ReturnType<typeof makeSignals>
type Api = Parameters<Routes>[0]

function addFailures(api: Api): void {
  api.get('/bug', async () => {
    throw new Error('secret detail in /some/file.ts')
  })
  api.get('/full', async () => {
    throw Object.assign(new Error('disk'), { code: 'SQLITE_FULL' })
  })
  api.get('/damaged-page', async () => {
    throw Object.assign(new Error('disk'), { code: 'SQLITE_CORRUPT' })
  })
  api.get('/refused', async () => {
    throw new Refusal('document_not_found')
  })
  const refuseUpload = async () => {
    throw new Refusal('storage_file_type_unsupported')
  }
  api.get('/image', refuseUpload)
  api.post('/image', refuseUpload)
}

function addSlowRoutes(api: Api, signals: Signals): void {
  api.get('/slow', async () => {
    signals.slowStarted.resolve()
    await signals.slowReleased.promise
    return {}
  })
  api.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
  api.post('/form', async ({ raw }) => {
    signals.formStarted.resolve()
    await signals.formReleased.promise
    for await (const _chunk of raw) signals.formRead.resolve()
    return {}
  })
}

function makeRoutes(signals: Signals): Routes {
  return (api) => {
    api.post('/echo', async (request) => {
      signals.calls.push('echo')
      return { body: request.body }
    })
    api.post(
      '/long',
      {
        bodyLimit: LONG_BODY_MAX_BYTES,
        config: { counts: () => [{ name: 'long', rule: [5, 60], key: 'all' }] },
      },
      async () => {
        signals.calls.push('long')
        return {}
      },
    )
    api.get('/nothing', async (_request, reply) => reply.code(204).send())
    addFailures(api)
    addSlowRoutes(api, signals)
    api.post('/mine', { config: { scope: 'account' } }, async () => ({}))
    api.get('/users', { config: { scope: 'users.read' } }, async () => ({}))
    api.get(
      '/counted',
      { config: { counts: () => [{ name: 'counted', rule: [2, 60], key: 'all' }] } },
      async () => ({}),
    )
  }
}

/** A server with routes that echo, return nothing, fail, are slow, or need a signed-in user. */
export async function openServer(needs: Partial<ServerOptions> = {}) {
  const log: Record<string, unknown>[] = []
  const signals = makeSignals()
  const nowMs = Date.now()
  const serverLog = makeLog('info', { write: (line) => void log.push(JSON.parse(line)) })
  const server = await makeServer(
    {
      log: serverLog,
      projectId: 'blog',
      isHttps: needs.publicUrl?.startsWith('https:') === true,
      publicUrl: 'http://localhost:3000',
      allowedOrigins: ['http://localhost:3000', 'https://friend.example'],
      trustedProxies: [],
      // The clock stands still, so that no rate limit window ends during a test.
      rateLimits: makeRateLimits({ isOn: true, nowMs: () => nowMs }),
      resolveViewer: async ({ headers }) =>
        headers.cookie === 'alice'
          ? ALICE
          : headers['x-appwrite-key']
            ? { role: 'key' }
            : { role: 'guest' },
      ...needs,
    },
    [makeRoutes(signals)],
  )
  opened = server
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const call = (
    path: string,
    { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  ) => fetch(url + path, { ...init, headers: { 'x-appwrite-project': 'blog', ...headers } })
  const post = (
    path: string,
    body: BodyInit,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => call(path, { method: 'POST', body, headers })
  return {
    url,
    call,
    post,
    calls: signals.calls,
    log,
    server,
    started: signals.slowStarted.promise,
    finishSlow: signals.slowReleased.resolve,
    formStarted: signals.formStarted.promise,
    finishForm: signals.formReleased.resolve,
    formRead: signals.formRead.promise,
  }
}
