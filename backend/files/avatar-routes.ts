// The HTTP side of drawn initials, QR codes, flags and icons of brands (api.md §5).

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidParam } from '#contract/errors.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import type { Viewer } from '../http/viewer.ts'
import { FILE_CACHE_SECONDS, sendDrawn } from './byte-answers.ts'
import { dispositionOf } from './file-names.ts'
import type { Files } from './files.ts'
import type { ImageAsker } from './image-queue.ts'
import { BRAND_SETS, type IconLook } from './own-drawings.ts'
import { parseColor, parseNumber, parseText } from './preview-params.ts'

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
type OfCode = { params: { code: string }; viewer: Viewer }

/** A drawing to be sent. Who is signed in decides on one that is not public. */
type Drawing = {
  name: string
  isDownload?: boolean
  isPublic?: boolean
  draw(asker: ImageAsker): Promise<Buffer>
}

export function addAvatars(
  api: FastifyInstance,
  files: Files,
  askerOf: (request: FastifyRequest, reply: FastifyReply) => ImageAsker,
): void {
  function add(path: string, read: (query: Query, request: OfCode) => Drawing): void {
    api.get<{ Params: { code: string } }>(`/avatars/${path}`, async (request, reply) => {
      const { draw, ...sent } = read(request.query as Query, request)
      const { name, isDownload = false, isPublic = true } = sent
      const bytes = await draw(askerOf(request, reply))
      const headers = {
        contentType: 'image/png',
        disposition: dispositionOf(isDownload ? 'attachment' : 'inline', name),
        etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
        cacheSeconds: isPublic ? FILE_CACHE_SECONDS : 0,
        isPublic,
      }
      return await sendDrawn(request, reply, headers, async () => ({ bytes }))
    })
  }

  add('initials', (query, { viewer }) => {
    const given = parseGivenName(query)
    const range = { min: 0, max: INITIALS_SIDE_MAX_PIXELS }
    const look = {
      name: given ?? nameOf(viewer),
      width: parseNumber(query, 'width', range) ?? 0,
      height: parseNumber(query, 'height', range) ?? 0,
      background: parseColor(query, 'background'),
    }
    const draw = (asker: ImageAsker) => files.drawInitials(look, asker)
    return { name: 'initials.png', isPublic: given !== undefined, draw }
  })
  add('qr', (query) => {
    const side = parseNumber(query, 'size', { min: 1, max: QR_SIDE_MAX_PIXELS })
    const margin = parseNumber(query, 'margin', { min: 0, max: QR_MARGIN_MAX }) ?? 1
    const look = { text: readText(query), side: side ?? QR_SIDE_DEFAULT_PIXELS, margin }
    const isDownload = query.download === 'true' || query.download === '1'
    return { name: 'qr.png', isDownload, draw: (asker) => files.drawQr(look, asker) }
  })
  add('flags/:code', (query, request) => {
    const look = readLook(query, request)
    return { name: 'flag.png', draw: (asker) => files.drawFlag(look, asker) }
  })
  for (const set of BRAND_SETS)
    add(`${set}/:code`, (query, request) => {
      const look = readLook(query, request)
      return { name: `${look.code}.png`, draw: (asker) => files.drawBrand(set, look, asker) }
    })
}

function readLook(query: Query, { params }: OfCode): IconLook {
  const range = { min: 0, max: ICON_SIDE_MAX_PIXELS }
  // Drawn without loss whatever is asked for; read so that a wrong value is told.
  parseNumber(query, 'quality', { min: -1, max: 100 })
  return {
    code: params.code.toLowerCase(),
    width: parseNumber(query, 'width', range) || ICON_SIDE_DEFAULT_PIXELS,
    height: parseNumber(query, 'height', range) || ICON_SIDE_DEFAULT_PIXELS,
  }
}

function readText(query: Query): string {
  const rule = `Value must be a valid string of 1 to ${QR_TEXT_MAX_CHARS} chars`
  const text = parseText(query, 'text', { maxChars: QR_TEXT_MAX_CHARS, rule })
  if (text === undefined) throw invalidParam('text', rule)
  return text
}

function parseGivenName(query: Query): string | undefined {
  const rule = `Value must be a valid string and no longer than ${NAME_MAX_CHARS} chars`
  return parseText(query, 'name', { maxChars: NAME_MAX_CHARS, rule })
}

function nameOf(viewer: Viewer): string {
  return viewer.role === 'user' ? viewer.name || viewer.email : ''
}
