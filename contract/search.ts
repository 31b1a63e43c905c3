// Shapes of the search for posts (api.md §15.17).
import type { PostDocument } from './posts.ts'

/** A piece of plain text; a hit matches the search. */
export type TextPart = { text: string; isHit: boolean }

export type SearchResult = Pick<
  PostDocument,
  | '$id'
  | '$createdAt'
  | '$updatedAt'
  | 'title'
  | 'addressWords'
  | 'status'
  | 'userid'
  | 'userName'
  | 'ownImage'
  | 'imageColor'
  | 'page'
> & {
  /** An operator has hidden it: only its author finds it. */
  hidden: boolean
  /** The whole title, and the text around the first hits. */
  titleParts: TextPart[]
  snippet: TextPart[]
}

/** One page; `total` is the number of results, counted up to 1,000. */
export type SearchResults = { total: number; documents: SearchResult[] }
