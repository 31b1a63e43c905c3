// HTTP routes for files (api.md §4, §15.6). The headers of images are in image-responses.ts.

import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { invalidParam } from '#contract/errors.ts'
import { FileModel, OwnFiles } from '#contract/files.ts'
import { LIST_LIMIT_MAX, RATE } from '#contract/limits.ts'
import { keyOf, sendResponse } from '../cache/response-cache.ts'
import { LIST_LIMIT_DEFAULT } from '../database/queries.ts'
import { queueCallerOf } from '../http/connections.ts'
import {
  BOOLEAN_TEXT,
  binaryBody,
  call,
  listOf,
  multipartBody,
  NO_BODY,
  SEARCH_QUERY,
} from '../http/openapi.ts'
import { type CountCalls, countPerUser } from '../http/rate-limits.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { findQueryList, readParams, readSearch } from '../http/request-params.ts'
import { isCopyCurrent } from '../http/responses.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import { addAvatars } from './avatar-routes.ts'
import { openOriginal } from './blob-store.ts'
import type { FilesContext } from './context.ts'
import { requireCreator } from './file-access.ts'
import { changeFile, continuesUpload, readFile, readVisible, removeFile } from './file-changes.ts'
import { dispositionOf, FILE_NAME_MAX_CHARS } from './file-names.ts'
import {
  expiryOf,
  FILE_CACHE_SECONDS,
  type ImageHeaders,
  imageHeaders,
  sendBytes,
  sendDrawn,
  withoutContent,
} from './image-responses.ts'
import {
  listFiles,
  listOwnFiles,
  type OwnFilesRequest,
  removeOwnUnused,
} from './own-files-store.ts'
import {
  type PreviewParams,
  PreviewQuery,
  parseNumber,
  previewType,
  readPreviewParams,
} from './preview-params.ts'
import { previewKey } from './previews.ts'
import { FORM_LIMITS, findLaterChunk, readUploadForm, refuseTooLong } from './upload-form.ts'
import { createFile } from './uploads.ts'

const PREVIEW_CACHE_SECONDS = 30 * 24 * 60 * 60

type Query = Record<string, unknown>
type InBucket = { Params: { bucketId: string } }
type OfFile = { Params: { bucketId: string; fileId: string } }

const countCreate = countPerUser('file create', RATE.fileCreatePerUser)
const countWrite = countPerUser('file write', RATE.fileWritePerUser)

const BUCKET = '/storage/buckets/:bucketId/files'
const FILE = `${BUCKET}/:fileId`

const Changes = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FILE_NAME_MAX_CHARS,
      description: `Value must be a valid string of 1 to ${FILE_NAME_MAX_CHARS} chars`,
    }),
  ),
})

/** The routes of files and avatars. Only these, and the logo, accept multipart bodies. */
export function fileRoutes(context: FilesContext): Routes {
  return async (api) => {
    await api.register(async (scope: FastifyInstance) => {
      await scope.register(fastifyMultipart, { limits: FORM_LIMITS, throwFileSizeLimit: true })
      addUpload(scope, context)
    })
    addFiles(api, context)
    addOwnFiles(api, context)
    addBytes(api, context)
    addPreview(api, context)
    addAvatars(api, context.previews)
  }
}

function addUpload(api: FastifyInstance, context: FilesContext): void {
  /** Requests that continue an upload: the rate limit counts a file once, not each chunk. */
  const continuing = new WeakSet<object>()

  async function markContinuedUploads(request: FastifyRequest<InBucket>): Promise<void> {
    const { headers, params, viewer } = request
    const chunk = findLaterChunk(headers)
    if (chunk && (await continuesUpload(context, params.bucketId, viewer, chunk)))
      continuing.add(request)
  }

  const counts: CountCalls = (request) => (continuing.has(request) ? [] : countCreate(request))
  const options = { config: { counts }, preValidation: markContinuedUploads }
  const uploading = call(options, 'Uploads an image, or a chunk of one', {
    body: multipartBody(
      Type.Object({
        fileId: Type.String(),
        file: Type.String(),
        permissions: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    201: FileModel,
    refusals: [
      'user_unauthorized',
      'storage_file_empty',
      'storage_file_already_exists',
      'storage_invalid_content_range',
      'storage_invalid_appwrite_id',
      'storage_invalid_file',
      'storage_file_type_unsupported',
      'storage_invalid_file_size',
    ],
  })
  api.post<InBucket>(BUCKET, uploading, async (request, reply) => {
    const { viewer, params } = request
    requireCreator(context, params.bucketId, viewer)
    refuseTooLong(request)
    const upload = await readUploadForm(request, context.received)
    const caller = queueCallerOf(request, reply)
    return reply
      .code(201)
      .send(await createFile(context, params.bucketId, viewer, { ...upload, caller }))
  })
}

function addFiles(api: FastifyInstance, context: FilesContext): void {
  const listing = call({}, 'Files of the caller', {
    querystring: SEARCH_QUERY,
    200: listOf('files', FileModel),
  })
  api.get<InBucket>(BUCKET, listing, async ({ params, query, viewer }) =>
    listFiles(context, params.bucketId, viewer, {
      queries: findQueryList(query, 'queries'),
      search: readSearch(query),
    }),
  )

  const reading = call({}, 'A file of the caller', { 200: FileModel })
  api.get<OfFile>(FILE, reading, async ({ params, viewer }) =>
    readFile(context, params.bucketId, params.fileId, viewer),
  )

  const changing = call({ config: { counts: countWrite } }, 'Changes name and permissions', {
    body: Changes,
    200: FileModel,
    refusals: ['user_unauthorized'],
  })
  api.put<OfFile>(FILE, changing, async ({ params, body, viewer }) => {
    const { name } = readParams(Changes, body)
    const permissions = (body as { permissions?: unknown } | undefined)?.permissions
    return changeFile(context, params.bucketId, params.fileId, viewer, { name, permissions })
  })

  const deleting = call({ config: { counts: countWrite } }, 'Deletes a file', {
    204: NO_BODY,
    refusals: ['user_unauthorized'],
  })
  api.delete<OfFile>(FILE, deleting, async ({ params, viewer }, reply) => {
    await removeFile(context, params.bucketId, params.fileId, viewer)
    return reply.code(204).send()
  })
}

/** Calls that only this blog has. */
function addOwnFiles(api: FastifyInstance, context: FilesContext): void {
  const removing = { config: { scope: 'account', counts: countWrite } } as const
  const listingOwn = call({ config: { scope: 'account' } }, 'Files of the caller with their uses', {
    querystring: OwnFilesQuery,
    200: OwnFiles,
  })
  addReadRoute(api, '/account/files', listingOwn, async ({ viewer, query }) =>
    listOwnFiles(context, readUser(viewer).userId, readPage(query as Query)),
  )
  const deletingUnused = call(removing, 'Deletes all unused files of the caller', {
    200: Type.Object({ removed: Type.Integer() }),
  })
  api.delete('/account/files/unused', deletingUnused, async ({ viewer }) => ({
    removed: await removeOwnUnused(context, readUser(viewer).userId),
  }))
}

const OwnFilesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX })),
  cursor: Type.Optional(Type.String()),
  unused: Type.Optional(BOOLEAN_TEXT),
})

function readPage(query: Query): OwnFilesRequest {
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

function addBytes(api: FastifyInstance, context: FilesContext): void {
  async function sendFile(
    request: FastifyRequest<OfFile>,
    reply: FastifyReply,
    kind: 'inline' | 'attachment',
  ): Promise<FastifyReply> {
    const { params, viewer } = request
    const file = await readVisible(context, params.bucketId, params.fileId, viewer)
    const headers = {
      contentType: file.mimeType,
      disposition: dispositionOf(kind, file.name),
      etag: `"${file.signature}"`,
      cacheSeconds: FILE_CACHE_SECONDS,
      isPublic: file.isPublic,
    }
    return await sendBytes(request, reply, headers, {
      sizeBytes: file.sizeBytes,
      open: (range) => openOriginal(context, file, range),
    })
  }
  const sending = call({}, 'The stored bytes', {
    200: binaryBody('image/*'),
    refusals: ['storage_invalid_range'],
  })
  api.get<OfFile>(`${FILE}/view`, sending, (request, reply) => sendFile(request, reply, 'inline'))
  api.get<OfFile>(`${FILE}/download`, sending, (request, reply) =>
    sendFile(request, reply, 'attachment'),
  )
}

function addPreview(api: FastifyInstance, context: FilesContext): void {
  const { cache, previews } = context
  const previewing = call({}, 'The image in a size', {
    querystring: PreviewQuery,
    200: binaryBody('image/*'),
  })
  api.get<OfFile>(`${FILE}/preview`, previewing, async (request, reply) => {
    const { viewer, originalUrl } = request
    const { bucketId, fileId } = request.params
    const params = readPreviewParams(request.query as Query, request.headers.accept)
    const caller = queueCallerOf(request, reply)
    let isHit = true
    const draw = async (file: VisibleFile) => {
      const preview = await previews.read(file, params, caller)
      isHit = preview.isHit
      return preview.bytes
    }
    const key = viewer.role === 'guest' ? keyOf('guest', originalUrl, request.headers) : ''
    const response = await cache.readOrMake(key, async () => {
      const file = await readVisible(context, bucketId, fileId, viewer)
      const headers = previewHeaders(file, params)
      if (key === '' || !file.isPublic || isCopyCurrent(request, headers.etag))
        return { other: { file, headers } }
      const { expires: _expires, ...cachedHeaders } = imageHeaders(headers)
      return {
        body: await draw(file),
        tags: ['files'],
        etag: headers.etag,
        isCompressible: false,
        headers: { vary: 'Origin', ...withoutContent(cachedHeaders) },
        bodyHeaders: cachedHeaders,
      }
    })
    const cacheHeader = () => ({ 'x-appwrite-cache': isHit ? 'hit' : 'miss' })
    if ('other' in response) {
      const { file, headers } = response.other
      return await sendDrawn(request, reply, headers, async () => {
        const bytes = await draw(file)
        return { bytes, extra: cacheHeader() }
      })
    }
    reply.header('expires', expiryOf({ cacheSeconds: PREVIEW_CACHE_SECONDS, isPublic: true }))
    if (!isCopyCurrent(request, response.etag ?? '')) reply.headers(cacheHeader())
    return await sendResponse(cache, response, request, reply)
  })
}

type VisibleFile = Awaited<ReturnType<typeof readVisible>>

function previewHeaders(file: VisibleFile, params: PreviewParams): ImageHeaders {
  const type = previewType(file, params)
  const name = `${file.name.replace(/\.[^.]*$/, '')}.${type === 'jpeg' ? 'jpg' : type}`
  return {
    contentType: `image/${type}`,
    disposition: dispositionOf('inline', name),
    etag: `"${previewKey(file, params).slice(0, 32)}"`,
    cacheSeconds: PREVIEW_CACHE_SECONDS,
    isPublic: file.isPublic,
    ...(params.isNegotiated ? { extra: { vary: 'Origin, Accept' } } : {}),
  }
}
