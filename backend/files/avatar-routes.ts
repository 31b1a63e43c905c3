// The HTTP side of drawn initials, QR codes, flags and icons of brands (api.md §5).

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidParam } from '#contract/errors.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import type { Viewer } from '../http/viewer.ts'
import { FILE_CACHE_SECONDS, sendDrawn } from './byte-answers.ts'
import { dispositionOf } from './file-names.ts'
import type { Files } from './files.ts'
import { BRAND_SETS, type FlagLook } from './icons.ts'
import type { ImageAsker } from './image-queue.ts'
import { parseColor, parseNumber } from './preview-params.ts'

const INITIALS_SIDE_MAX_PIXELS = 2000
/** Of flags. */
const ICON_SIDE_MAX_PIXELS = 2000
const ICON_SIDE_DEFAULT_PIXELS = 100
const QR_TEXT_MAX_CHARS = 512
const QR_SIDE_MAX_PIXELS = 1000
const QR_SIDE_DEFAULT_PIXELS = 400
/** In the squares of the code. */
const QR_MARGIN_MAX = 10

type Query = Record<string, unknown>

export function addAvatars(
  api: FastifyInstance,
  files: Files,
  askerOf: (request: FastifyRequest, reply: FastifyReply) => ImageAsker,
): void {
  api.get('/avatars/initials', async (request, reply) => {
    const query = request.query as Query
    const given = parseGivenName(query)
    const range = { min: 0, max: INITIALS_SIDE_MAX_PIXELS }
    const look = {
      name: given ?? nameOf(request.viewer),
      width: parseNumber(query, 'width', range) ?? 0,
      height: parseNumber(query, 'height', range) ?? 0,
      background: parseColor(query, 'background'),
    }
    const bytes = await files.drawInitials(look, askerOf(request, reply))
    // Whose initials they are depends on who is signed in when no name is given.
    const isPublic = given !== undefined
    return await send(request, reply, bytes, { name: 'initials.png', isPublic })
  })
  api.get('/avatars/qr', async (request, reply) => {
    const query = request.query as Query
    const look = {
      text: readText(query),
      side:
        parseNumber(query, 'size', { min: 1, max: QR_SIDE_MAX_PIXELS }) ?? QR_SIDE_DEFAULT_PIXELS,
      margin: parseNumber(query, 'margin', { min: 0, max: QR_MARGIN_MAX }) ?? 1,
    }
    const isDownload = query.download === 'true' || query.download === '1'
    const bytes = await files.drawQr(look, askerOf(request, reply))
    return await send(request, reply, bytes, { name: 'qr.png', isDownload })
  })
  api.get<{ Params: { code: string } }>('/avatars/flags/:code', async (request, reply) => {
    const bytes = await files.drawFlag(readLook(request), askerOf(request, reply))
    return await send(request, reply, bytes, { name: 'flag.png' })
  })
  for (const set of BRAND_SETS)
    api.get<{ Params: { code: string } }>(`/avatars/${set}/:code`, async (request, reply) => {
      const look = { set, ...readLook(request) }
      const bytes = await files.drawBrand(look, askerOf(request, reply))
      return await send(request, reply, bytes, { name: `${look.code}.png` })
    })
}

function readLook(request: { params: { code: string }; query: unknown }): FlagLook {
  const query = request.query as Query
  const range = { min: 0, max: ICON_SIDE_MAX_PIXELS }
  // Drawn without loss whatever is asked for; read so that a wrong value is told.
  parseNumber(query, 'quality', { min: -1, max: 100 })
  return {
    code: request.params.code.toLowerCase(),
    width: parseNumber(query, 'width', range) || ICON_SIDE_DEFAULT_PIXELS,
    height: parseNumber(query, 'height', range) || ICON_SIDE_DEFAULT_PIXELS,
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  { name, isDownload = false, isPublic = true }: SentAs,
): Promise<FastifyReply> {
  const headers = {
    contentType: 'image/png',
    disposition: dispositionOf(isDownload ? 'attachment' : 'inline', name),
    etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
    cacheSeconds: isPublic ? FILE_CACHE_SECONDS : 0,
    isPublic,
  }
  return sendDrawn(request, reply, headers, async () => ({ bytes }))
}

type SentAs = { name: string; isDownload?: boolean; isPublic?: boolean }

function readText({ text }: Query): string {
  if (typeof text !== 'string' || text === '' || text.length > QR_TEXT_MAX_CHARS)
    throw invalidParam('text', `Value must be a valid string of 1 to ${QR_TEXT_MAX_CHARS} chars`)
  return text
}

function parseGivenName({ name }: Query): string | undefined {
  if (name === undefined || name === '') return undefined
  if (typeof name !== 'string' || name.length > NAME_MAX_CHARS)
    throw invalidParam(
      'name',
      `Value must be a valid string and no longer than ${NAME_MAX_CHARS} chars`,
    )
  return name
}

function nameOf(viewer: Viewer): string {
  return viewer.role === 'user' ? viewer.name || viewer.email : ''
}
