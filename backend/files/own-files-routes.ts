// HTTP of a person's own files (api.md §15.6): calls of this blog alone.
import type { FastifyInstance } from 'fastify'
import { invalidParam } from '#contract/errors.ts'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, RATE } from '#contract/limits.ts'
import { countPerUser } from '../http/rate-limits.ts'
import { readUser } from '../http/viewer.ts'
import type { Files } from './files.ts'
import type { OwnFilesPage } from './own-files.ts'
import { parseNumber } from './preview-params.ts'

const READING = { scope: 'account' } as const
const REMOVING = {
  scope: 'account',
  counts: countPerUser('file write', RATE.fileWritePerUser),
} as const

export function addOwnFiles(api: FastifyInstance, files: Files): void {
  api.get('/account/files', { config: READING }, async ({ viewer, query }) =>
    files.listOwn(readUser(viewer).userId, readPage(query as Record<string, unknown>)),
  )
  api.delete('/account/files/unused', { config: REMOVING }, async ({ viewer }) => ({
    removed: await files.removeOwnUnused(readUser(viewer).userId),
  }))
}

function readPage(query: Record<string, unknown>): OwnFilesPage {
  const { unused = 'false', cursor = '' } = query
  if (unused !== 'true' && unused !== 'false')
    throw invalidParam('unused', 'Value must be true or false')
  if (typeof cursor !== 'string' || !/^\d{0,15}$/.test(cursor))
    throw invalidParam('cursor', 'Value must be the cursor of an answer')
  return {
    isUnused: unused === 'true',
    cursor: cursor === '' ? undefined : Number(cursor),
    limit: parseNumber(query, 'limit', { min: 1, max: LIST_LIMIT_MAX }) ?? LIST_LIMIT_DEFAULT,
  }
}
