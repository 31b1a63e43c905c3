// The HTTP side of QR codes, flags and icons of brands (api.md §5).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidParam } from '#contract/errors.ts'
import {
  FILE_CACHE_SECONDS,
  ICON_SIDE_DEFAULT_PIXELS,
  ICON_SIDE_MAX_PIXELS,
  QR_MARGIN_MAX,
  QR_SIDE_DEFAULT_PIXELS,
  QR_SIDE_MAX_PIXELS,
  QR_TEXT_MAX_CHARS,
} from '#contract/limits.ts'
import { BRAND_SETS } from './brand-icons.ts'
import { sendDrawn } from './byte-answers.ts'
import { dispositionOf } from './file-names.ts'
import type { Files } from './files.ts'
import type { DrawnIcon, FlagLook } from './icons.ts'
import type { ImageAsker } from './image-queue.ts'
import { parseNumber } from './preview-params.ts'

type Query = Record<string, unknown>

export function addIcons(
  api: FastifyInstance,
  files: Files,
  askerOf: (request: FastifyRequest, reply: FastifyReply) => ImageAsker,
): void {
  api.get('/avatars/qr', async (request, reply) => {
    const query = request.query as Query
    const look = {
      text: readText(query),
      side:
        parseNumber(query, 'size', { min: 1, max: QR_SIDE_MAX_PIXELS }) ?? QR_SIDE_DEFAULT_PIXELS,
      margin: parseNumber(query, 'margin', { min: 0, max: QR_MARGIN_MAX }) ?? 1,
    }
    const isDownload = query.download === 'true' || query.download === '1'
    const drawn = await files.drawQr(look, askerOf(request, reply))
    return await send(request, reply, drawn, { name: 'qr.png', isDownload })
  })
  api.get<{ Params: { code: string } }>('/avatars/flags/:code', async (request, reply) => {
    const drawn = await files.drawFlag(readLook(request), askerOf(request, reply))
    return await send(request, reply, drawn, { name: 'flag.png', isDownload: false })
  })
  for (const set of BRAND_SETS)
    api.get<{ Params: { code: string } }>(`/avatars/${set}/:code`, async (request, reply) => {
      const look = { set, ...readLook(request) }
      const drawn = await files.drawBrand(look, askerOf(request, reply))
      return await send(request, reply, drawn, { name: `${look.code}.png`, isDownload: false })
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
  { bytes, etag }: DrawnIcon,
  { name, isDownload }: { name: string; isDownload: boolean },
): Promise<FastifyReply> {
  const headers = {
    contentType: 'image/png',
    disposition: dispositionOf(isDownload ? 'attachment' : 'inline', name),
    etag,
    cacheSeconds: FILE_CACHE_SECONDS,
    isPublic: true,
  }
  return sendDrawn(request, reply, headers, async () => ({ bytes }))
}

function readText({ text }: Query): string {
  if (typeof text !== 'string' || text === '' || text.length > QR_TEXT_MAX_CHARS)
    throw invalidParam('text', `Value must be a valid string of 1 to ${QR_TEXT_MAX_CHARS} chars`)
  return text
}
