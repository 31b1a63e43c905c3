// The body of the post in the server's markup: it is in the page only once, and the app reads it
// from there. Small, because it is part of the app's entry.
import { createContext } from 'react'
import type { BodyMetadata } from '../api/page-data.ts'

/**
 * Replaces the body in the page's data. No stored body is the same: sanitised HTML has no comments.
 */
export const SERVED_BODY_MARKER = '<!-- in the page -->'

/** The body of the post in the server's markup. */
export type ServedBody = {
  html: string
  metadata: BodyMetadata
  /** The body as the page shows it, if it need not be derived from `html`. */
  pageHtml?: string
}

export const ServedBodyContext = createContext<ServedBody | undefined>(undefined)
