// HTTP routes for imports and exports (api.md §15.28): of one's own posts below `/account`, of the
// whole blog below `/operator`.

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  IMPORT_PIECE_BYTES,
  ImportCheckRequest,
  ImportChoices,
  NewExport,
  NewImport,
} from '#contract/archive.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { binaryBody, call, NO_BODY, OBJECT } from '../http/openapi.ts'
import { type CountCalls, countPerUser } from '../http/rate-limits.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser, type Scope } from '../http/viewer.ts'
import type { RunsContext } from './runs/context.ts'
import { createExport, deleteExport, downloadExport, listExports } from './runs/exports.ts'
import * as imports from './runs/imports.ts'
import { mayStillRead, type RunCaller } from './runs/owner.ts'

/** An upload or a download may take long, so the caller's right is checked again meanwhile. */
const CHECK_RIGHT_EVERY_MS = 5000

type OfImport = { Params: { importId: string } }
type OfPiece = { Params: { importId: string; number: string } }
type OfExport = { Params: { exportId: string } }

/** The calls of one kind of owner: their prefix, who may call them, and for whom. */
type Part = {
  prefix: '/account' | '/operator'
  reading: RouteConfig
  writing: RouteConfig
  callerOf: (request: Pick<FastifyRequest, 'viewer'>) => RunCaller
}
type RouteConfig = { scope: Scope; isForOperators?: boolean }

const PARTS: Part[] = [
  {
    prefix: '/account',
    reading: { scope: 'account' },
    writing: { scope: 'account' },
    callerOf({ viewer }) {
      const user = readUser(viewer)
      return { viewer: user, ownerId: user.userId }
    },
  },
  {
    prefix: '/operator',
    reading: { scope: 'users.read', isForOperators: true },
    writing: { scope: 'users.write', isForOperators: true },
    callerOf: ({ viewer }) => ({ viewer, ownerId: null }),
  },
]

const counted = (config: RouteConfig, counts: CountCalls) => ({ config: { ...config, counts } })
const countCreate = countPerUser('import create', RATE.importPerUser)
const countPiece = countPerUser('import piece', RATE.importPiecePerUser)
const countChange = countPerUser('import change', RATE.importChangePerUser)
const countExport = countPerUser('archive export', RATE.exportPerUser)
const countDownload = countPerUser('archive download', RATE.exportPerUser)

/** @throws (the returned function) once the caller may not read this any more */
function makeRequireRight(
  { resolveViewer }: RunsContext,
  request: FastifyRequest,
  caller: RunCaller,
) {
  let checkedAtMs = performance.now()
  return async (isDue = performance.now() - checkedAtMs >= CHECK_RIGHT_EVERY_MS) => {
    if (!isDue) return
    if (!mayStillRead(caller, await resolveViewer(request))) throw new Refusal('user_unauthorized')
    checkedAtMs = performance.now()
  }
}

export function archiveRoutes(context: RunsContext): Routes {
  return async (api) => {
    for (const part of PARTS) {
      addImports(api, context, part)
      addImportSteps(api, context, part)
      addIssues(api, context, part)
      addExports(api, context, part)
      await api.register(async (scope: FastifyInstance) => addPieces(scope, context, part))
    }
  }
}

function addImports(api: FastifyInstance, context: RunsContext, part: Part): void {
  const { prefix, reading, writing, callerOf } = part
  const path = `${prefix}/imports`
  const listing = call({ config: reading }, 'Imports, newest first', { 200: OBJECT })
  addReadRoute(api, path, listing, async (request) =>
    imports.listImports(context, callerOf(request)),
  )
  const creating = call(counted(writing, countCreate), 'Begins the upload of an export', {
    body: NewImport,
    201: OBJECT,
    refusals: ['user_is_reader', 'import_active', 'storage_invalid_file_size', 'archive_no_room'],
  })
  api.post(path, creating, async (request, reply) => {
    const body = readParams(NewImport, request.body)
    return reply.code(201).send(await imports.createImport(context, callerOf(request), body))
  })
  const readingOne = call({ config: reading }, 'An import', { 200: OBJECT })
  api.get<OfImport>(`${path}/:importId`, readingOne, async (request) =>
    imports.readImport(context, callerOf(request), request.params.importId),
  )
  const discarding = call(counted(writing, countChange), 'Discards an upload, keeps its posts', {
    204: NO_BODY,
    refusals: ['import_at_another_step'],
  })
  api.delete<OfImport>(`${path}/:importId`, discarding, async (request, reply) => {
    await imports.discardImport(context, callerOf(request), request.params.importId)
    return reply.code(204).send()
  })
}

/** The only routes that take plain bytes. */
function addPieces(api: FastifyInstance, context: RunsContext, part: Part): void {
  api.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  )
  const options = {
    ...counted(part.writing, countPiece),
    bodyLimit: IMPORT_PIECE_BYTES,
  }
  const uploading = call(options, 'Uploads a piece of an export', {
    body: binaryBody('application/octet-stream'),
    200: OBJECT,
    refusals: [
      'user_is_reader',
      'import_at_another_step',
      'import_incomplete',
      'storage_invalid_file_size',
      'archive_no_room',
    ],
  })
  const path = `${part.prefix}/imports/:importId/pieces/:number`
  api.put<OfPiece>(path, uploading, async (request) => {
    const { importId: id, number } = request.params
    if (!/^\d{1,4}$/.test(number)) throw invalidParam('number', 'Value must be a valid number')
    if (!(request.body instanceof Readable)) throw new Refusal('storage_file_empty')
    const caller = part.callerOf(request)
    const requireRight = makeRequireRight(context, request, caller)
    const piece = { id, number: Number(number), bytes: request.body }
    try {
      return await imports.uploadPiece(context, caller, piece, () => requireRight(true))
    } catch (error) {
      // The rest is read, so that the client receives the answer.
      request.body.resume()
      throw error
    }
  })
}

function addImportSteps(api: FastifyInstance, context: RunsContext, part: Part): void {
  const { prefix, writing, callerOf } = part
  const path = `${prefix}/imports/:importId`
  const options = counted(writing, countChange)
  const checking = call(options, 'Begins the dry run', {
    body: ImportCheckRequest,
    200: OBJECT,
    refusals: ['user_is_reader', 'import_at_another_step', 'import_incomplete'],
  })
  api.post<OfImport>(`${path}/check`, checking, async (request) => {
    const body = readParams(ImportCheckRequest, request.body ?? {})
    return imports.checkUpload(context, callerOf(request), request.params.importId, body)
  })
  const starting = call(options, 'Begins the import', {
    body: ImportChoices,
    200: OBJECT,
    refusals: ['user_is_reader', 'import_at_another_step'],
  })
  api.post<OfImport>(`${path}/start`, starting, async (request) => {
    const choices = readParams(ImportChoices, request.body)
    return imports.startImport(context, callerOf(request), request.params.importId, choices)
  })
  const steps = {
    pause: [imports.pauseImport, 'Pauses the import'],
    resume: [imports.resumeImport, 'Goes on with the import'],
    undo: [imports.undoImportRun, 'Removes what was imported'],
  } as const
  for (const [step, [change, summary]] of Object.entries(steps)) {
    const changing = call(options, summary, {
      200: OBJECT,
      refusals: ['user_is_reader', 'import_at_another_step'],
    })
    api.post<OfImport>(`${path}/${step}`, changing, async (request) =>
      change(context, callerOf(request), request.params.importId),
    )
  }
}

function addIssues(api: FastifyInstance, context: RunsContext, part: Part): void {
  const { prefix, reading, callerOf } = part
  // No HEAD: it would read all issues and discard them.
  const options = { config: reading, exposeHeadRoute: false }
  const listing = call(options, 'What an import leaves out or changes', {
    200: binaryBody('text/csv'),
  })
  const path = `${prefix}/imports/:importId/issues.csv`
  api.get<OfImport>(path, listing, async (request, reply) => {
    const { importId } = request.params
    const lines = await imports.streamIssues(context, callerOf(request), importId)
    reply.type('text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="import-issues.csv"')
    return reply.send(Readable.from(lines))
  })
}

function addExports(api: FastifyInstance, context: RunsContext, part: Part): void {
  const { prefix, reading, writing, callerOf } = part
  const path = `${prefix}/exports`
  const listing = call({ config: reading }, 'Exports, newest first', { 200: OBJECT })
  addReadRoute(api, path, listing, async (request) => listExports(context, callerOf(request)))
  const creating = call(counted(writing, countExport), 'Begins an export', {
    body: NewExport,
    202: OBJECT,
    refusals: ['export_active', 'archive_no_room'],
  })
  api.post(path, creating, async (request, reply) => {
    const body = readParams(NewExport, request.body)
    return reply.code(202).send(await createExport(context, callerOf(request), body))
  })
  // No HEAD: it would count as a download.
  const options = { ...counted(writing, countDownload), exposeHeadRoute: false }
  const downloading = call(options, 'A finished export', { 200: binaryBody('application/zip') })
  api.get<OfExport>(`${path}/:exportId/download`, downloading, async (request, reply) => {
    const caller = callerOf(request)
    const requireRight = makeRequireRight(context, request, caller)
    const id = request.params.exportId
    const download = await downloadExport(context, caller, {
      id,
      requireRight: () => requireRight(),
    })
    reply.type('application/zip').header('content-length', download.sizeBytes)
    reply.header('content-disposition', `attachment; filename="${download.name}"`)
    return reply.send(download.bytes)
  })
  const deleting = call(counted(writing, countChange), 'Deletes an export', { 204: NO_BODY })
  api.delete<OfExport>(`${path}/:exportId`, deleting, async (request, reply) => {
    await deleteExport(context, callerOf(request), request.params.exportId)
    return reply.code(204).send()
  })
}
