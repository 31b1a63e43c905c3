// Who a page is for, also while that cannot be found out.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isFetchedElsewhere } from '../http/origins.ts'
import type { NoteUnavailable } from '../http/unavailable-log.ts'
import type { FindViewer, Viewer } from '../http/viewer.ts'

export type PageViewerNeeds = { findViewer: FindViewer; noteUnavailable: NoteUnavailable }

/**
 * `failure` is why it is not known who is asking, without a `viewer` then; `isGuest` says that it
 * is nobody.
 */
type PageViewer = {
  isSignedIn: boolean
  isGuest: boolean
  viewer?: Viewer
  failure?: Refusal
}

/**
 * While the database is away nobody is signed out: a page for somebody with a session stays one, so
 * that the browser keeps what it has and asks again.
 */
export async function findPageViewer(
  { findViewer, noteUnavailable }: PageViewerNeeds,
  request: FastifyRequest,
): Promise<PageViewer> {
  if (isFetchedElsewhere(request.headers)) return { isSignedIn: false, isGuest: false }
  try {
    const viewer = await findViewer(request)
    const isSignedIn = viewer.role === 'user'
    return { isSignedIn, isGuest: !isSignedIn, viewer }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status !== 503) return { isSignedIn: false, isGuest: false }
    noteUnavailable(error, 'pages')
    return { isSignedIn: true, isGuest: false, failure: error }
  }
}
