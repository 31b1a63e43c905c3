// A listening server without product routes, for tests of what holds for every route.
import { makeRateLimits } from '#backend/http/rate-limits.ts'
import { makeServer, type Routes, type Server, type ServerNeeds } from '#backend/http/server.ts'
import type { Viewer } from '#backend/http/viewer.ts'
import { makeLog } from '#backend/process/log.ts'
import { Refusal } from '#contract/errors.ts'

const ALICE: Viewer = {
  role: 'user',
  userId: 'alice',
  email: 'alice@example.test',
  name: 'Alice',
  isVerified: false,
  sessionId: 's1',
}

let opened: Server | undefined

/** Closes the last one opened. */
export async function closeServer(): Promise<void> {
  await opened?.app.close()
  opened = undefined
}

/** A listening server with an echo, a nothing, a failure and a signed-in-only route. */
export async function openServer(needs: Partial<ServerNeeds> = {}) {
  const log: Record<string, unknown>[] = []
  const calls: string[] = []
  const start = Promise.withResolvers<void>()
  const startForm = Promise.withResolvers<void>()
  const finishForm = Promise.withResolvers<void>()
  const readForm = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const routes: Routes = (api) => {
    api.post('/echo', async (request) => {
      calls.push('echo')
      return { body: request.body }
    })
    api.get('/nothing', async (_request, reply) => reply.code(204).send())
    api.get('/bug', async () => {
      throw new Error('secret detail in /some/file.ts')
    })
    api.get('/full', async () => {
      throw Object.assign(new Error('disk'), { code: 'SQLITE_FULL' })
    })
    api.get('/broken-disk', async () => {
      throw Object.assign(new Error('disk'), { code: 'SQLITE_IOERR_FSYNC' })
    })
    api.get('/refused', async () => {
      throw new Refusal('document_not_found')
    })
    api.get('/slow', async () => {
      start.resolve()
      await finish.promise
      return {}
    })
    api.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
    api.post('/form', async ({ raw }) => {
      startForm.resolve()
      await finishForm.promise
      for await (const _chunk of raw) readForm.resolve()
      return {}
    })
    const refuseUpload = async () => {
      throw new Refusal('storage_file_type_unsupported')
    }
    api.get('/picture', refuseUpload)
    api.post('/picture', refuseUpload)
    api.post('/mine', { config: { scope: 'account' } }, async () => ({}))
    api.get('/users', { config: { scope: 'users.read' } }, async () => ({}))
    api.get(
      '/counted',
      { config: { counts: () => [{ name: 'counted', rule: [2, 60], key: 'all' }] } },
      async () => ({}),
    )
  }
  let fatal = 0
  const server = await makeServer(
    {
      log: makeLog('info', { write: (line) => void log.push(JSON.parse(line)) }),
      projectId: 'blog',
      publicUrl: 'http://localhost:3000',
      allowedOrigins: ['http://localhost:3000', 'https://friend.example'],
      trustedProxies: [],
      rateLimits: makeRateLimits({ isOn: true }),
      findViewer: async ({ headers }) =>
        headers.cookie === 'alice'
          ? ALICE
          : headers['x-appwrite-key']
            ? { role: 'key' }
            : { role: 'guest' },
      onFatal: () => fatal++,
      ...needs,
    },
    [routes],
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
    calls,
    log,
    server,
    started: start.promise,
    finishSlow: finish.resolve,
    formStarted: startForm.promise,
    finishForm: finishForm.resolve,
    /** Of what came, a piece has been read. */
    formRead: readForm.promise,
    fatal: () => fatal,
  }
}
