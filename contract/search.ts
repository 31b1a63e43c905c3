// Shapes of the search for posts (api.md §15.17).
import type { PostDocument } from './posts.ts'

/** A piece of plain text; a hit is what was searched for. */
export type TextPart = { text: string; isHit: boolean }

/** A post that was found. */
export type SearchResult = Pick<
  PostDocument,
  | '$id'
  | '$createdAt'
  | '$updatedAt'
  | 'title'
  | 'status'
  | 'userid'
  | 'userName'
  | 'ownImage'
  | 'imageColor'
> & {
  /** The operator hides it: only its author finds it. */
  hidden: boolean
  /** The whole title, and the piece of the text around what was found. */
  titleParts: TextPart[]
  snippet: TextPart[]
}

/** One page; `total` is the number of all that were found, counted up to 1,000. */
export type SearchResults = { total: number; documents: SearchResult[] }
