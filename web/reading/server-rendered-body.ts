// The text of the post that a page was sent with: it stands in the page once, where it is read, and
// the app takes it from there. Small, because the app's entry has it.
import { createContext } from 'react'
import type { BodyMetadata } from '../api/page-data.ts'

/**
 * Stands for a body that is in the page already. No stored body is the same: they
 * hold no comments.
 */
export const SERVED_BODY_MARKER = '<!-- in the page -->'

/** The text of the one post that the page was sent with. */
export type ServedBody = {
  html: string
  metadata: BodyMetadata
  /** The body as the page shows it, where it need not be made of `html`. */
  pageHtml?: string
}

export const ServedBodyContext = createContext<ServedBody | undefined>(undefined)
