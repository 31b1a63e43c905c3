// Loads the draft behind a preview link, the same on the server and in the browser.
import { data, type LoaderFunctionArgs } from 'react-router'
import type { PostPreviewDocument } from '#contract/preview-links.ts'
import { readPreview } from '../posts/preview-links-api.ts'
import type { ApiOf } from './post-loader.ts'

/** `preview` is null when the link has ended. */
export type DraftPreviewData = { preview: PostPreviewDocument | null }

const ENDED = 404

/** @throws a response with the failure's status, for the router's error screen */
export function makeDraftPreviewLoader(apiOf: ApiOf) {
  return async function loadDraftPreview(args: LoaderFunctionArgs) {
    const result = await readPreview(apiOf(args), args.params.secret ?? '')
    if (result.ok) return data({ preview: result.value } satisfies DraftPreviewData)
    const { code } = result.failure
    if (code === ENDED) return data({ preview: null } satisfies DraftPreviewData, { status: ENDED })
    throw data({ hasNoResponse: code === 0 }, { status: code || 503 })
  }
}
