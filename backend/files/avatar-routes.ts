// HTTP routes for drawn initials (api.md §5).

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import { initialsOf } from '#contract/plain-text.ts'
import { queueCallerOf } from '../http/connections.ts'
import { binaryBody, call } from '../http/openapi.ts'
import type { Viewer } from '../http/viewer.ts'
import { dispositionOf } from './file-names.ts'
import { FILE_CACHE_SECONDS, sendDrawn } from './image-responses.ts'
import { backgroundOf } from './initials.ts'
import { parseColor, parseNumber, parseText } from './preview-params.ts'
import type { Previews } from './previews.ts'

const SIDE_MAX_PIXELS = 2000
const SIDE_DEFAULT_PIXELS = 500

type Query = Record<string, unknown>

const side = Type.Optional(Type.Integer({ minimum: 0, maximum: SIDE_MAX_PIXELS }))
const InitialsQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: NAME_MAX_CHARS })),
  width: side,
  height: side,
  background: Type.Optional(Type.String()),
})

export function addAvatars(api: FastifyInstance, previews: Previews): void {
  const drawing = call({}, 'Drawn initials', {
    querystring: InitialsQuery,
    200: binaryBody('image/png'),
  })
  api.get<{ Querystring: Query }>('/avatars/initials', drawing, async (request, reply) => {
    const { viewer, query } = request
    const requestedName = parseRequestedName(query)
    const initials = initialsOf(requestedName ?? nameOf(viewer))
    const size = { width: readSide(query, 'width'), height: readSide(query, 'height') }
    const color = parseColor(query, 'background') ?? backgroundOf(initials)
    const options = { initials, size, color }
    const caller = queueCallerOf(request, reply)
    const bytes = await previews.drawGenerated('initials', options, caller, async () => ({
      options,
    }))
    // Shared caches may not store the initials of the viewer.
    const isPublic = requestedName !== undefined
    const headers = {
      contentType: 'image/png',
      disposition: dispositionOf('inline', 'initials.png'),
      etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
      cacheSeconds: isPublic ? FILE_CACHE_SECONDS : 0,
      isPublic,
    }
    return await sendDrawn(request, reply, headers, async () => ({ bytes }))
  })
}

/** 0 stands for the default. */
function readSide(query: Query, name: 'width' | 'height'): number {
  return parseNumber(query, name, { min: 0, max: SIDE_MAX_PIXELS }) || SIDE_DEFAULT_PIXELS
}

function parseRequestedName(query: Query): string | undefined {
  const rule = `Value must be a valid string and no longer than ${NAME_MAX_CHARS} chars`
  return parseText(query, 'name', { maxChars: NAME_MAX_CHARS, rule })
}

function nameOf(viewer: Viewer): string {
  return viewer.role === 'user' ? viewer.name || viewer.email : ''
}
