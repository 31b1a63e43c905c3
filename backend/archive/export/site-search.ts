// Writes the search index of an exported site: one script for a small blog, else also scripts with
// the words of each beginning, and with some posts each.
import { type FoundPost, type SiteIndex, type WordUse, wordsFileOf } from '#contract/site-search.ts'
import type { SiteFiles } from './site-files.ts'
import type { SiteWork } from './site-work-store.ts'

/** Uses of words that one file may have: about a megabyte. */
const USES_MAX = 200_000
const POSTS_PER_FILE = 200
/** In a large blog, a word of more than this share of the posts does not narrow a search. */
const COMMON_SHARE = 0.25

type Options = { usesMax?: number; signal: AbortSignal }

export async function writeSiteSearch(
  work: SiteWork,
  files: SiteFiles,
  { usesMax = USES_MAX, signal }: Options,
): Promise<void> {
  const total = work.numberPosts()
  const index: SiteIndex = { total, postsPerFile: POSTS_PER_FILE }
  if (work.countUses() <= usesMax) {
    index.words = [...groupByWord(work.uses(), Number.POSITIVE_INFINITY)]
    index.posts = [...work.posts()]
  } else {
    await writeWords(work, files, { most: total * COMMON_SHARE, signal })
    await writePosts(work, files)
  }
  await files.write('search-index.js', part('index', index))
}

async function writeWords(
  work: SiteWork,
  files: SiteFiles,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<void> {
  let name = ''
  let uses: WordUse[] = []
  const flush = async () => {
    if (uses.length > 0) await files.write(`search/${name}.js`, part(name, uses))
    uses = []
  }
  for (const use of groupByWord(work.uses(), most)) {
    signal.throwIfAborted()
    const [word] = use
    if (wordsFileOf(word) !== name) await flush()
    name = wordsFileOf(word)
    uses.push(use)
  }
  await flush()
}

async function writePosts(work: SiteWork, files: SiteFiles): Promise<void> {
  let number = 0
  let posts: FoundPost[] = []
  const flush = async () => {
    const name = `posts-${number++}`
    if (posts.length > 0) await files.write(`search/${name}.js`, part(name, posts))
    posts = []
  }
  for (const post of work.posts()) {
    posts.push(post)
    if (posts.length === POSTS_PER_FILE) await flush()
  }
  await flush()
}

/** @param most posts of a word that still narrows a search */
function* groupByWord(uses: Iterable<[string, number]>, most: number): Generator<WordUse> {
  let word = ''
  let posts: number[] = []
  const group = (): WordUse => [word, posts.length > most ? null : posts]
  for (const [next, use] of uses) {
    if (next !== word && posts.length > 0) {
      yield group()
      posts = []
    }
    word = next
    posts.push(use)
  }
  if (posts.length > 0) yield group()
}

function part(name: string, value: unknown): string {
  return `searchPart(${JSON.stringify(name)},${JSON.stringify(value)})\n`
}
