// The HTTP side of drawn initials, QR codes, and letters where others draw flags and logos (api.md
// §5).

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import { initialsOf } from '#contract/plain-text.ts'
import { queueCallerOf } from '../http/connections.ts'
import type { Viewer } from '../http/viewer.ts'
import { dispositionOf } from './file-names.ts'
import type { ImageJobs } from './image-child.ts'
import { FILE_CACHE_SECONDS, sendDrawn } from './image-responses.ts'
import { backgroundOf } from './initials.ts'
import { parseColor, parseNumber, parseText } from './preview-params.ts'
import type { Previews } from './previews.ts'

const SIDE_MAX_PIXELS = 2000
const QR_TEXT_MAX_CHARS = 512
const QR_SIDE_MAX_PIXELS = 1000
const QR_SIDE_DEFAULT_PIXELS = 400
/** In the squares of the code. */
const QR_MARGIN_MAX = 10
/** Codes of countries, browsers and credit cards. */
const CODE = /^[a-z-]{2,20}$/i

type Query = Record<string, unknown>
type Asked = { query: Query; code: string; viewer: Viewer }

/** A drawing to be sent. Who is signed in decides on one that is not public. */
type Drawing = {
  name: string
  isDownload?: boolean
  isPublic?: boolean
  job: 'initials' | 'qr'
  order: Parameters<ImageJobs['initials' | 'qr']>[1]
}

export function addAvatars(api: FastifyInstance, previews: Previews): void {
  function add(path: string, read: (asked: Asked) => Drawing): void {
    api.get<{ Params: { code: string } }>(`/avatars/${path}`, async (request, reply) => {
      const { viewer, params, query } = request
      const drawing = read({ viewer, ...params, query: query as Query })
      const { job, order, name, isDownload = false, isPublic = true } = drawing
      const caller = queueCallerOf(request, reply)
      const bytes = await previews.drawOwn(job, order, caller, async () => ({ order }))
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

  add('initials', ({ query, viewer }) => {
    const given = parseGivenName(query)
    const initials = initialsOf(given ?? nameOf(viewer))
    const size = readSize(query, 500)
    const color = parseColor(query, 'background') ?? backgroundOf(initials)
    const isPublic = given !== undefined
    return { name: 'initials.png', isPublic, job: 'initials', order: { initials, size, color } }
  })
  add('qr', ({ query }) => {
    const side = parseNumber(query, 'size', { min: 1, max: QR_SIDE_MAX_PIXELS })
    const margin = parseNumber(query, 'margin', { min: 0, max: QR_MARGIN_MAX }) ?? 1
    const order = { text: readText(query), side: side ?? QR_SIDE_DEFAULT_PIXELS, margin }
    const isDownload = query.download === 'true' || query.download === '1'
    return { name: 'qr.png', isDownload, job: 'qr', order }
  })
  for (const set of ['flags', 'browsers', 'credit-cards'])
    add(`${set}/:code`, ({ query, code }) => {
      if (!CODE.test(code)) throw new Refusal('avatar_not_found')
      // Always drawn without loss; the parameter is only validated.
      parseNumber(query, 'quality', { min: -1, max: 100 })
      const initials = code.toUpperCase()
      const order = { initials, size: readSize(query, 100), color: backgroundOf(initials) }
      return { name: `${code.toLowerCase()}.png`, job: 'initials', order }
    })
}

/** 0 is the default, too. */
function readSize(query: Query, defaultPixels: number) {
  const range = { min: 0, max: SIDE_MAX_PIXELS }
  return {
    width: parseNumber(query, 'width', range) || defaultPixels,
    height: parseNumber(query, 'height', range) || defaultPixels,
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
