// `GET /healthz`, outside the API: for load balancers and monitors. Tells no details.
import { access, constants } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { isReachable } from '../database/database.ts'
import type { Database } from '../database/schema.ts'

export type HealthNeeds = { db: Database; dataDir: string }

export function addHealthCheck(app: FastifyInstance, needs: HealthNeeds): void {
  app.get('/healthz', async (_request, reply) => {
    const isWell = await isAlive(needs)
    return reply
      .code(isWell ? 200 : 503)
      .type('text/plain')
      .send(isWell ? 'ok' : 'unavailable')
  })
}

/** The database answers and the data folder can be written. */
async function isAlive({ db, dataDir }: HealthNeeds): Promise<boolean> {
  const isWritable = access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  return (await isReachable(db)) && (await isWritable)
}
