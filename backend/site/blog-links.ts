// The arrangement of the blog's pages and links (contract/blog-links.ts), stored as one value.
// Pages that it does not name come after it.
import { createHash } from 'node:crypto'
import { type BlogLink, type BlogLinks, LINK_NAME_MAX_CHARS } from '#contract/blog-links.ts'
import { graphemesOf } from '#contract/graphemes.ts'
import type { Database } from '../database/schema.ts'
import * as store from './store.ts'

/** The name of the value. */
export const LINKS = 'links'

type Shown = { inHeader: boolean; inFooter: boolean }
/** A page, by its id, or a link. */
export type StoredLink = Shown & ({ page: string } | { name: string; to: string })

export function parseLinks(value: string | undefined): StoredLink[] {
  return value === undefined ? [] : JSON.parse(value)
}

/** @param value as stored */
export function arrangeLinks(value: string | undefined, pages: store.PageRow[]): BlogLink[] {
  const links = parseLinks(value)
  const placed = links.flatMap((link) => {
    const { inHeader, inFooter } = link
    if ('page' in link) {
      const page = pages.find(({ id }) => id === link.page)
      return page ? [toLink(page, { inHeader, inFooter })] : []
    }
    const { name, to } = link
    return [{ $id: to, isPage: false, name, to, status: 'active' as const, inHeader, inFooter }]
  })
  const others = pages.filter(({ id }) => !placed.some(({ $id }) => $id === id))
  return [...placed, ...others.map((page) => toLink(page, { inHeader: false, inFooter: false }))]
}

function toLink({ id, title, address, status, isHidden }: store.PageRow, shown: Shown): BlogLink {
  return {
    $id: id,
    isPage: true,
    name: shortName(title),
    to: `/${encodeURIComponent(address)}`,
    status: isHidden ? 'hidden' : status === 'active' ? 'active' : 'inactive',
    inHeader: shown.inHeader,
    inFooter: shown.inFooter,
  }
}

/** Titles may be longer than names of links. */
function shortName(title: string): string {
  const letters = graphemesOf(title)
  if (letters.length <= LINK_NAME_MAX_CHARS) return title
  return `${letters
    .slice(0, LINK_NAME_MAX_CHARS - 1)
    .join('')
    .trimEnd()}…`
}

/** All pages and links, inactive pages too. */
export async function readLinks(db: Database): Promise<BlogLinks> {
  const value = await store.findValue(db, LINKS)
  return { version: versionOf(value), list: arrangeLinks(value, await store.listPages(db)) }
}

function versionOf(value = ''): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16)
}

/** @param links must have been checked (operator/arrange-links.ts) */
export async function writeLinks(tx: Database, links: StoredLink[]): Promise<void> {
  await store.writeValue(tx, LINKS, JSON.stringify(links))
}

/** Counts the links that are no pages. */
export async function countLinks(tx: Database): Promise<number> {
  return parseLinks(await store.findValue(tx, LINKS)).filter((link) => !('page' in link)).length
}
