// stub, replaced by the pages work
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

export type Pages = { render: (request: Request) => Promise<Response> }

export async function addPages(app: FastifyInstance, { pages }: Config & { pages: Pages | undefined }): Promise<void> {
  if (!pages) return
  app.get('/*', async () => '')
}
