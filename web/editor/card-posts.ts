// The interface through which the editor's form finds the posts that a link card can show.
import type { Result } from '../api/client.ts'

/** A post of this blog, as a card shows it. */
export type CardPost = {
  path: string
  title: string
  /** About two lines; may be empty. */
  text: string
  /** A small version of its picture. The text gets a copy: the post may change or disappear. */
  imageAddress?: string | undefined
}

/** Finds posts that every reader may read, by the words or the address that the writer typed. */
export type FindPosts = (typed: string) => Promise<Result<CardPost[]>>
