// The text of the post that a page was sent with: it stands in the page once, where it is read, and
// the app takes it from there. Small, because the app's entry has it.
import { createContext } from 'react'
import type { PostTexts } from '../api/site-settings.ts'

/**
 * Stands for a body that is in the page already. No stored body is the same: they
 * hold no comments.
 */
export const SERVED_BODY = '<!-- in the page -->'

/** The text of the one post that the page was sent with. */
export type ServedTexts = {
  html: string
  texts: PostTexts
  /** The body as the page shows it, where it need not be made of `html`. */
  shown?: string
}

export const ServedTextsContext = createContext<ServedTexts | undefined>(undefined)
