// A draft: the unsaved text of a post, kept on the device. Knows nothing of where, nor of forms.
import { KEPT_DRAFTS_PREFIX } from '../head/page-scripts.ts'

/**
 * What was in the form. `id` names one opening of the form, so that two windows never overwrite
 * each other.
 */
export type Draft = {
  id: string
  title: string
  slug: string
  status: string
  content: string
  /** As they were typed; absent when they are those of the post. */
  tags?: string[] | undefined
  /** ISO 8601 */
  changedAt: string
  /** `$updatedAt` of the post that was being changed; absent for a new one. */
  basedOn?: string | undefined
  /** A featured image was chosen that the server does not have; it is kept beside the text. */
  hasImage?: boolean
  /**
   * A new post that was sent, and whose answer had not come: it may be stored, under this slug.
   */
  sent?: SentDraft | undefined
}

export type SentDraft = { slug: string; data: { title: string; featuredImage: string } }

/** @param postId absent for a post that does not exist yet */
export type DraftOwner = { userId: string; postId?: string | undefined }

/** Where a draft is kept; without its id, how the keys of this owner's drafts begin. */
export function draftKey({ userId, postId = '' }: DraftOwner, id = ''): string {
  return `${KEPT_DRAFTS_PREFIX}${userId}/${postId}/${id}`
}

/** How the keys begin of all drafts of this person, or only of those for one post. */
export function draftKeyPrefix(owner: DraftOwner): string {
  return owner.postId === undefined ? `${KEPT_DRAFTS_PREFIX}${owner.userId}/` : draftKey(owner)
}

/** Also works where a page has no secure origin, unlike `crypto.randomUUID`. */
export function makeDraftId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(3))
  return Array.from(parts, (part) => part.toString(36)).join('')
}

/** undefined for what another version of the site may have left, or for a text that was cut. */
export function parseDraft(text: string): Draft | undefined {
  try {
    const draft = JSON.parse(text) as Partial<Record<keyof Draft, unknown>>
    const { id, title, slug, content, changedAt, status } = draft
    const isWhole = [id, title, slug, content, changedAt, status].every(
      (value) => typeof value === 'string',
    )
    const isSound = draft.sent === undefined || isSent(draft.sent)
    const hasTags = draft.tags === undefined || isTexts(draft.tags)
    return isWhole && isSound && hasTags ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isSent(value: unknown): value is SentDraft {
  const { slug, data } = (value ?? {}) as Partial<SentDraft>
  return [slug, data?.title, data?.featuredImage].every((part) => typeof part === 'string')
}
