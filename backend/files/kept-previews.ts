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
import { type ImageHeaders, imageHeaders, withoutContent } from './byte-answers.ts'
import type { KnownFiles, VisibleFile } from './known-files.ts'
import { acceptsWebp } from './preview-params.ts'

/** A preview as its route has just answered it. */
export type AnsweredPreview = {
  file: VisibleFile
  /** Of the preview store. */
  key: string
  headers: ImageHeaders
}

export type KeptPreviewsNeeds = {
  known: Pick<KnownFiles, 'isCurrent'>
  /** The bytes, if they are in memory. */
  peek: (key: string) => Buffer | undefined
}

export type KeptPreviews = {
  /** @param request names its project in its address: otherwise a header says which one it is */
  note(request: IncomingMessage, answered: AnsweredPreview): void
  find(request: IncomingMessage): EarlyAnswer | undefined
}

const ROUTE = '/v1/storage/buckets/:bucketId/files/:fileId/preview'

export function makeKeptPreviews({ known, peek }: KeptPreviewsNeeds): KeptPreviews {
  const kept = new LRUCache<string, AnsweredPreview>({ max: KEPT_PREVIEW_ADDRESSES_MAX })
  return {
    note(request, answered) {
      const isShort = (request.url ?? '').length <= KEPT_PREVIEW_ADDRESS_MAX_CHARS
      if (isShort && answered.headers.isPublic) kept.set(keyOf(request), answered)
    },
    find(request) {
      const found = kept.get(keyOf(request))
      if (!found || !known.isCurrent(found.file)) return undefined
      const { key, headers } = found
      const vary = { vary: 'Origin' }
      if (isCopyCurrent(request, headers.etag)) {
        const unchanged = withoutContent({ ...vary, ...imageHeaders(headers) })
        return { status: 304, headers: unchanged, bytes: undefined, route: ROUTE }
      }
      const bytes = peek(key)
      if (!bytes) return undefined
      const all = {
        ...vary,
        ...imageHeaders(headers),
        'x-appwrite-cache': 'hit',
        'content-length': bytes.length,
      }
      return { status: 200, headers: all, bytes, route: ROUTE }
    },
  }
}

/** No address has a space in it. */
function keyOf({ url = '', headers }: IncomingMessage): string {
  return acceptsWebp(headers.accept) ? url : `${url} other`
}
