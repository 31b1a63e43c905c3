// Previews that everybody may see, answered from memory before a route is asked: which address
// shows which file in which look. The bytes are those of the preview store, and what is known of
// the file must still hold. Anything else is left to the route.
import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import {
  KEPT_PREVIEW_ADDRESS_MAX_CHARS,
  KEPT_PREVIEW_ADDRESSES_MAX,
} from '#contract/server-limits.ts'
import { isCopyCurrent } from '../http/conditional.ts'
import type { EarlyAnswer } from '../http/early-answers.ts'
import { FILLED, type Head, prepareHead } from '../http/prepared-heads.ts'
import { expiryOf, type ImageHeaders, imageHeaders, withoutContent } from './byte-answers.ts'
import type { KnownFiles, VisibleFile } from './known-files.ts'
import { acceptsWebp } from './preview-params.ts'

/** A preview as its route has just answered it. */
export type AnsweredPreview = {
  file: VisibleFile
  /** Of the preview store. */
  key: string
  headers: ImageHeaders
  /** The project that a header named; undefined where the address names it. */
  project: string | undefined
}

type Kept = AnsweredPreview & { heads: { unchanged?: Head; whole?: Head } }

export type KeptPreviewsNeeds = {
  known: Pick<KnownFiles, 'isCurrent'>
  /** The bytes, if they are in memory. */
  peek: (key: string) => Buffer | undefined
}

export type KeptPreviews = {
  note(request: IncomingMessage, answered: AnsweredPreview): void
  find(request: IncomingMessage): EarlyAnswer | undefined
}

const ROUTE = '/v1/storage/buckets/:bucketId/files/:fileId/preview'

export function makeKeptPreviews({ known, peek }: KeptPreviewsNeeds): KeptPreviews {
  const kept = new LRUCache<string, Kept>({ max: KEPT_PREVIEW_ADDRESSES_MAX })
  const readExpiry = makeExpiry()
  return {
    note(request, answered) {
      const isShort = (request.url ?? '').length <= KEPT_PREVIEW_ADDRESS_MAX_CHARS
      if (isShort && answered.headers.isPublic) kept.set(keyOf(request), { ...answered, heads: {} })
    },
    find(request) {
      const found = kept.get(keyOf(request))
      if (!found || !known.isCurrent(found.file)) return undefined
      const { key, headers, heads, project } = found
      if (project !== undefined && request.headers['x-appwrite-project'] !== project)
        return undefined
      const piece = readExpiry(headers)
      if (isCopyCurrent(request, headers.etag)) {
        heads.unchanged ??= prepareHead(304, withoutContent(headersOf(headers)))
        return { head: heads.unchanged, piece, bytes: undefined, route: ROUTE }
      }
      const bytes = peek(key)
      if (!bytes) return undefined
      heads.whole ??= prepareHead(200, {
        ...headersOf(headers),
        'x-appwrite-cache': 'hit',
        'content-length': String(bytes.length),
      })
      return { head: heads.whole, piece, bytes, route: ROUTE }
    },
  }
}

function headersOf(headers: ImageHeaders): Record<string, string> {
  return { vary: 'Origin', ...imageHeaders(headers), expires: FILLED }
}

/** Made once a second. All have the same time to live. */
function makeExpiry(): (headers: ImageHeaders) => string {
  let second = 0
  let expires = ''
  return (headers) => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      second = now
      expires = expiryOf(headers)
    }
    return expires
  }
}

/** No address has a space in it. */
function keyOf({ url = '', headers }: IncomingMessage): string {
  return acceptsWebp(headers.accept) ? url : `${url} other`
}
