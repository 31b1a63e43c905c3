// Reads the posts of a seeded blog from seed/posts: lines of `name: value`, an empty line, and
// HTML.
import { readdirSync, readFileSync } from 'node:fs'
import type { PersonKey } from './people.ts'

export type SeedPost = {
  author: PersonKey
  title: string
  /** Age on the day of seeding, in days; the fraction is the time of day. */
  daysAgo: number
  /** The featured image, a name in seed/pictures without `.jpg`; optional for drafts. */
  picture: string | undefined
  status: string
  tags: string[]
  likedBy: PersonKey[]
  content: string
}

const FOLDER = new URL('posts/', import.meta.url)

/** The oldest first. */
export function readSeedPosts(): SeedPost[] {
  return readdirSync(FOLDER)
    .map((name) => readPost(readFileSync(new URL(name, FOLDER), 'utf8')))
    .sort((a, b) => b.daysAgo - a.daysAgo)
}

function readPost(text: string): SeedPost {
  const headEnd = text.indexOf('\n\n')
  const values = new Map(
    text
      .slice(0, headEnd)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const list = (name: string) => values.get(name)?.split(', ') ?? []
  return {
    author: values.get('author') as PersonKey,
    title: values.get('title') ?? '',
    daysAgo: Number(values.get('days ago')),
    picture: values.get('picture'),
    status: values.get('status') ?? 'active',
    tags: list('tags'),
    likedBy: list('liked by') as PersonKey[],
    content: text.slice(headEnd).trim(),
  }
}

/** A picture of seed/pictures. */
export function readPicture(file: string): Buffer {
  return readFileSync(new URL(`pictures/${file}`, import.meta.url))
}
