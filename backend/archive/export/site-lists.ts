// The lists that only an exported site has: the archive by year, all authors, all tags. With an
// owner, also the posts of each tag, of which the blog's own page would show posts by others.
import { randomUUID } from 'node:crypto'
import { Text } from 'domhandler'
import { DomUtils } from 'htmlparser2'
import type { StaticListItem } from '#contract/pages.ts'
import type { ExportRequest } from './export-options.ts'
import { readPage, type SiteExport } from './read-page.ts'
import { sitePostFile } from './site-links.ts'
import { authorFile, listPageFile, relativeAddress, tagFile } from './site-names.ts'
import { all, renderPage, SITE_STYLE, sheetLink } from './site-page.ts'
import * as store from './site-store.ts'

const ITEMS_PER_PAGE = 500
const ARCHIVE = 'archive.html'
const TAGS = 'tags.html'
const AUTHORS = 'authors.html'

/** An item of a list below a title, which may be empty; `file` is where it leads to. */
type Entry = { group: string; file: string; item: Omit<StaticListItem, 'href'> }

export function siteLists({ staticSite, ownerId }: ExportRequest) {
  const { archive, tags, authors } = staticSite.titles
  return [
    { file: ARCHIVE, title: archive },
    { file: TAGS, title: tags },
    ...(ownerId === undefined ? [{ file: AUTHORS, title: authors }] : []),
  ]
}

export async function writeSiteLists(site: SiteExport): Promise<void> {
  const { context, request } = site
  const { ownerId, staticSite } = request
  const { db } = context
  const { titles } = staticSite
  const frames = new Map<number, Frame>()
  const write = async (file: string, title: string, entries: AsyncIterable<Entry>) =>
    writeList({ site, frames, file, title }, entries)
  await write(TAGS, titles.tags, listTags(site))
  if (ownerId === undefined) await write(AUTHORS, titles.authors, listAuthors(site))
  else
    for await (const { key, name } of store.readTags(db, ownerId))
      await write(tagFile(key), `#${name}`, listPosts(site, key))
  const years = new Map<string, number>()
  for await (const [year, entries] of byYear(listPosts(site))) {
    const counted = async function* () {
      for await (const entry of entries) {
        years.set(year, (years.get(year) ?? 0) + 1)
        yield entry
      }
    }
    await write(yearFile(year), year, counted())
  }
  await write(ARCHIVE, titles.archive, listYears(years))
}

function yearFile(year: string): string {
  return `archive/${year}.html`
}

async function* listYears(years: ReadonlyMap<string, number>): AsyncGenerator<Entry> {
  for (const [year, posts] of years)
    yield { group: '', file: yearFile(year), item: { text: year, posts } }
}

async function* listTags({ context, request }: SiteExport): AsyncGenerator<Entry> {
  for await (const { key, name, posts } of store.readTags(context.db, request.ownerId))
    yield { group: '', file: tagFile(key), item: { text: name, posts } }
}

async function* listAuthors({ context }: SiteExport): AsyncGenerator<Entry> {
  for await (const { key, name, posts } of store.readAuthors(context.db))
    yield { group: '', file: authorFile(key), item: { text: name, posts } }
}

/** The newest first, by month. */
async function* listPosts(site: SiteExport, tag?: string): AsyncGenerator<Entry> {
  const { context, request } = site
  const { ownerId, staticSite } = request
  const scope = tag === undefined ? { ownerId } : { ownerId, tag }
  for await (const post of store.readNewest(context.db, scope)) {
    const date = new Date(post.createdAt)
    const item = { text: post.title, author: post.userName, time: post.createdAt }
    const group = staticSite.month(date.getUTCMonth(), date.getUTCFullYear())
    yield { group, file: sitePostFile(post), item }
  }
}

/** Splits the posts by year; each year has to be read before the next one. */
async function* byYear(entries: AsyncGenerator<Entry>) {
  let next = await entries.next()
  const yearOf = ({ item }: Entry) => item.time?.slice(0, 4) ?? ''
  while (!next.done) {
    const year = yearOf(next.value)
    const ofYear = async function* (): AsyncGenerator<Entry> {
      for (; !next.done && yearOf(next.value) === year; next = await entries.next())
        yield next.value
    }
    yield [year, ofYear()] as const
  }
}

type Frame = { start: string; middle: string; end: string }
type ListToWrite = { site: SiteExport; frames: Map<number, Frame>; file: string; title: string }

async function writeList(list: ListToWrite, entries: AsyncIterable<Entry>): Promise<void> {
  let page = 1
  let waiting: Entry[] = []
  for await (const entry of entries) {
    if (waiting.length === ITEMS_PER_PAGE) {
      await writeListPage(list, waiting, { page: page++, isLast: false })
      waiting = []
    }
    waiting.push(entry)
  }
  await writeListPage(list, waiting, { page, isLast: true })
}

async function writeListPage(
  { site, frames, file: firstFile, title }: ListToWrite,
  entries: Entry[],
  { page, isLast }: { page: number; isLast: boolean },
): Promise<void> {
  const file = listPageFile(firstFile, page)
  const address = (target: string) => relativeAddress(file, target)
  const groups: { title: string; items: StaticListItem[] }[] = []
  for (const { group, file: target, item } of entries) {
    if (groups.at(-1)?.title !== group) groups.push({ title: group, items: [] })
    groups.at(-1)?.items.push({ href: address(target), ...item })
  }
  const html = site.request.staticSite.renderList({
    title,
    groups,
    newer: page > 1 ? address(listPageFile(firstFile, page - 1)) : undefined,
    older: isLast ? undefined : address(listPageFile(firstFile, page + 1)),
  })
  const depth = file.split('/').length
  const frame = frames.get(depth) ?? (await readFrame(site, file))
  frames.set(depth, frame)
  await site.files.write(file, frame.start + escapeText(title) + frame.middle + html + frame.end)
}

/** A page of the blog around a title and a main part of our own. */
async function readFrame(site: SiteExport, file: string): Promise<Frame> {
  const { root } = await readPage(site, '/search', { file })
  const { siteName } = await site.context.site.read()
  const [titleMark, mainMark] = [randomUUID(), randomUUID()]
  const head = all(root, ({ name }) => name === 'head')[0]
  if (head) DomUtils.appendChild(head, sheetLink(file, SITE_STYLE))
  for (const element of all(root, ({ name }) => name === 'title' || name === 'main'))
    element.children =
      element.name === 'main' ? [new Text(mainMark)] : [new Text(`${titleMark} · ${siteName}`)]
  const [start = '', rest = ''] = renderPage(root).split(titleMark)
  const [middle = '', end = ''] = rest.split(mainMark)
  return { start, middle, end }
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
