// The names of the files of an exported site: readable, and valid on every file system and host.
import { hash } from 'node:crypto'
import { addressSegment, type PostAddress } from '#contract/post-url.ts'

/** File systems allow 255 bytes, of which an id and the number of a page take a part. */
const WORDS_MAX_BYTES = 120

export const HOME = 'index.html'
export const SEARCH = 'search.html'
export const NOT_FOUND = '404.html'

export function postFile(post: PostAddress): string {
  return `post/${fileName(addressSegment(post), post.$id)}.html`
}

export function authorFile(userId: string): string {
  return `author/${fileName('', userId)}.html`
}

export function tagFile(key: string): string {
  return `tag/${fileName(key)}.html`
}

/** @param address of a page such as "About" */
export function pageFile(address: string): string {
  return `page/${fileName(address)}.html`
}

/** Another page of the same list or discussion. No name of {@link fileName} has a tilde. */
export function furtherFile(file: string, name: string): string {
  return file.replace(/\.html$/, `~${name}.html`)
}

export function listPageFile(file: string, page: number): string {
  return page === 1 ? file : furtherFile(file, String(page))
}

/**
 * Names that differ stay different where case is ignored: then, and where characters were replaced,
 * a checksum follows.
 */
function fileName(words: string, id = ''): string {
  const readable = shortenName(words)
  const name = [readable, id].filter(Boolean).join('-')
  const isExact = (readable === words || id !== '') && name === name.toLowerCase()
  return isExact ? name : `${name}-${hash('sha256', words + id).slice(0, 8)}`
}

/** Words as a part of a name. */
export function shortenName(words: string): string {
  let short = words.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
  while (Buffer.byteLength(short) > WORDS_MAX_BYTES) {
    const end = short.lastIndexOf('-')
    short = end > 0 ? short.slice(0, end) : [...short].slice(0, -1).join('')
  }
  return short
}

/** The address of a file of the site, as a page of the site names it. */
export function relativeAddress(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1)
  return up + to.split('/').map(encodeURIComponent).join('/')
}
