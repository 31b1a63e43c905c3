// The body of the post in the server's markup: the page contains it only once, and the app reads it
// from there. This file is small, because it is part of the app's entry.
import { createContext } from 'react'
import type { BodyMetadata } from '../api/page-data.ts'

/**
 * Stands for the body in the page's data. It never equals a stored body, because sanitised HTML has
 * no comments.
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
