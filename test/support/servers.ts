// Servers and databases for a run of tests, each started when the first test requests it.
// `find-servers.ts` asks from the workers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { migrateSqlite } from './migrated-sqlite.ts'
import { startPostgres } from './postgres.ts'
import { hasSwift, startSwift } from './swift.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Workers request a server here: `${serversUrl}/postgres` answers once it runs. */
    serversUrl: string
    /** Whether an S3 server is available. */
    hasS3: boolean
  }
}

/** `answer` is the address or path that tests get. */
type Started = { answer: string; stop: () => Promise<void> }

export default async function serveOnDemand(project: TestProject): Promise<() => Promise<void>> {
  const starts: Record<string, () => Promise<Started>> = {
    '/postgres': startPostgres,
    '/sqlite': migrateSqlite,
    '/s3': startSwift,
  }
  const started = new Map<string, Promise<Started>>()
  const server = createServer(async ({ url = '' }, response) => {
    const start = starts[url]
    if (!start) return void response.writeHead(404).end()
    const starting = started.get(url) ?? start()
    started.set(url, starting)
    await starting.then(
      ({ answer }) => response.end(answer),
      (error) => {
        started.delete(url)
        response.writeHead(500).end(String(error))
      },
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  project.provide('serversUrl', `http://127.0.0.1:${port}`)
  // The check installs the package if it is missing.
  const isQuick = project.config.tagsFilter?.includes('!more')
  project.provide('hasS3', !isQuick && hasSwift())
  return async () => {
    server.close()
    const ends = await Promise.allSettled([...started.values()])
    for (const end of ends) if (end.status === 'fulfilled') await end.value.stop()
  }
}
