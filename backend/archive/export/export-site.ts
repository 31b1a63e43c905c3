// The site of an archive: the blog's own pages, as a guest gets them, made files that open from a
// disk and from every static host. One page is in memory at a time. An export that was killed goes
// on where it was.
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Element, Text } from 'domhandler'
import { DomUtils } from 'htmlparser2'
import { tagPath } from '#contract/plain-text.ts'
import { postPath } from '#contract/post-url.ts'
import { siteWords } from '#contract/site-search.ts'
import { makePublicPosts } from '../../post-lists/public-posts.ts'
import { parseDetails } from '../../posts/post-details.ts'
import type { WritePart } from './export-options.ts'
import { readPage, type SiteExport, unexpected } from './read-page.ts'
import { localiseAtom, localiseJsonFeed } from './site-feeds.ts'
import { makeSiteFiles } from './site-files.ts'
import { makeSiteLinks, sitePostFile } from './site-links.ts'
import { siteLists, writeSiteLists } from './site-lists.ts'
import {
  authorFile,
  HOME,
  listPageFile,
  NOT_FOUND,
  pageFile,
  SEARCH,
  tagFile,
} from './site-names.ts'
import {
  all,
  findClass,
  type LocalPage,
  type PageToLocalise,
  renderPage,
  SEARCH_SCRIPT,
  SITE_SCRIPT,
  SITE_STYLE,
} from './site-page.ts'
import { writeSiteSearch } from './site-search.ts'
import * as store from './site-store.ts'
import { openSiteWork } from './site-work-store.ts'

export const SITE_FOLDER = 'site'
/** Beside the site until it is complete. */
const WORK_FOLDER = 'site.unfinished'
/** No page of a blog has this address: its own names are words. */
const MISSING_PATH = '/-/404'

export const exportSite: WritePart = async (context, request, options) => {
  const folder = join(request.folder, SITE_FOLDER)
  // The pages of a new blog lead to its setup.
  if (await context.site.isEmpty()) {
    await mkdir(folder, { recursive: true })
    return { counts: { posts: 0 } }
  }
  const workFolder = join(request.folder, WORK_FOLDER)
  if (!existsSync(workFolder)) await rm(folder, { recursive: true, force: true })
  await mkdir(workFolder, { recursive: true })
  const work = openSiteWork(join(workFolder, 'work.sqlite'))
  let posts: number
  try {
    const site = await prepareSite({ context, request, options, work }, { folder, workFolder })
    await writeFixedFiles(site)
    await writeLists(site)
    posts = await writePosts(site)
    for (const address of site.pages)
      await writePage(site, `/${encodeURIComponent(address)}`, { file: pageFile(address) })
    await writeSiteLists(site)
    await writeSiteSearch(work, site.files, options)
  } finally {
    work.close()
  }
  await rm(workFolder, { recursive: true })
  return { counts: { posts } }
}

async function prepareSite(
  parts: Pick<SiteExport, 'context' | 'request' | 'options' | 'work'>,
  folders: { folder: string; workFolder: string },
): Promise<SiteExport> {
  const { context, request, work } = parts
  const { db, publicUrl } = context
  const { ownerId } = request
  // Pages such as "About" are the blog's, not a person's.
  const pages = ownerId === undefined ? await makePublicPosts(db).listPages() : []
  const addresses = pages.map(({ address }) => address)
  return {
    ...parts,
    publicUrl,
    pages: addresses,
    links: makeSiteLinks(db, { ownerId, pages: new Set(addresses) }),
    files: makeSiteFiles(folders, request, work),
    lists: siteLists(request),
  }
}

async function writeFixedFiles(site: SiteExport): Promise<void> {
  const { files, request } = site
  const { script, searchScript, style } = request.staticSite
  await files.write(SITE_SCRIPT, `${script}\n`)
  await files.write(SEARCH_SCRIPT, `${searchScript}\n`)
  await files.write(SITE_STYLE, style)
  const search = await readPage(site, '/search', { file: SEARCH })
  const body = all(search.root, ({ name }) => name === 'body')[0]
  if (body) DomUtils.appendChild(body, new Element('script', { src: SEARCH_SCRIPT }))
  await files.write(SEARCH, renderPage(search.root))
  const missing = await readPage(site, MISSING_PATH, { file: NOT_FOUND }, 404)
  // Names the address that was requested here.
  const path = findClass(missing.root, 'mono')?.parent
  if (path instanceof Element) DomUtils.removeElement(path)
  await files.write(NOT_FOUND, renderPage(missing.root))
}

/** The list of all posts, of each author and of each tag, with their feeds. */
async function writeLists(site: SiteExport): Promise<void> {
  const { context, request } = site
  const { ownerId } = request
  const { db } = context
  if (ownerId !== undefined) {
    await writeList(site, `/author/${ownerId}`, HOME)
    return await writeFeeds(site, `/author/${ownerId}`, HOME)
  }
  await writeList(site, '/post', HOME)
  await writeFeeds(site, '', HOME)
  for await (const { key } of store.readAuthors(db)) {
    await writeList(site, `/author/${key}`, authorFile(key))
    await writeFeeds(site, `/author/${key}`, authorFile(key))
  }
  for await (const { key } of store.readTags(db, undefined)) {
    await writeList(site, tagPath(key), tagFile(key))
    await writeFeeds(site, tagPath(key), tagFile(key))
  }
}

async function writeList(site: SiteExport, path: string, file: string): Promise<void> {
  const { work } = site
  let address = path
  for (let page = 1; address !== ''; page++) {
    const pageFile = listPageFile(file, page)
    let next = work.findPage(pageFile)
    if (next === undefined) {
      const local = await readPage(site, address, { file: pageFile, list: { file, page } })
      await site.files.write(pageFile, renderPage(local.root))
      next = local.next
      work.addPage(pageFile, next)
    }
    address = next
  }
}

async function writeFeeds(site: SiteExport, list: string, listFile: string): Promise<void> {
  const { files, request, work } = site
  for (const [format, localise] of [
    ['xml', localiseAtom],
    ['json', localiseJsonFeed],
  ] as const) {
    const file = listFile === HOME ? `feed.${format}` : listFile.replace(/html$/, format)
    if (work.findPage(file) !== undefined) continue
    const { status, body } = await request.fetchPage(`${list}/feed.${format}`)
    if (status !== 200) throw unexpected(`${list}/feed.${format}`, status)
    await files.write(file, await localise(site, body.toString(), file))
    work.addPage(file, '')
  }
}

/** @returns how many there are */
async function writePosts(site: SiteExport): Promise<number> {
  const { context, request, options, work } = site
  const { ownerId } = request
  const total = await store.countPosts(context.db, ownerId)
  let done = 0
  for await (const post of store.readPosts(context.db, ownerId)) {
    const file = sitePostFile(post)
    if (work.findPage(file) !== post.updatedAt) await writePost(site, post, file)
    options.onProgress({ part: 'site', done: ++done, total: Math.max(done, total) })
  }
  return done
}

async function writePost(site: SiteExport, post: store.SitePostRow, file: string): Promise<void> {
  const { id, title, details, createdAt, updatedAt, userName } = post
  const path = postPath({ $id: id, title, addressWords: parseDetails(details).addressWords })
  const local = await readPage(site, path, { file })
  const written = new Set<string>()
  let waiting = [...local.moreComments]
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    const { pathname, search } = new URL(address, site.publicUrl)
    const commentsFile = await site.links.findFile(pathname, search)
    if (commentsFile === undefined || commentsFile === file || written.has(commentsFile)) continue
    written.add(commentsFile)
    const more = await readPage(site, address, { file: commentsFile })
    await site.files.write(commentsFile, renderPage(more.root))
    waiting = [...new Set([...waiting, ...more.moreComments])]
  }
  const titleWords = [...new Set(siteWords(title))]
  const text = textOf(local, ['prose', 'tags'])
  site.work.addPost({
    id,
    post: [file, title, userName, createdAt, descriptionOf(local), coverOf(local)],
    titleWords,
    words: [...new Set(siteWords(`${userName} ${text}`))].filter(
      (word) => !titleWords.includes(word),
    ),
  })
  await site.files.write(file, renderPage(local.root))
  site.work.addPage(file, updatedAt)
}

function textOf({ root }: LocalPage, classes: string[]): string {
  const words: string[] = []
  for (const name of classes) {
    const part = findClass(root, name)
    for (const node of part ? DomUtils.filter((node) => node instanceof Text, part.children) : [])
      words.push((node as Text).data)
  }
  return words.join(' ')
}

function descriptionOf({ root }: LocalPage): string {
  return all(root, ({ attribs }) => attribs.name === 'description')[0]?.attribs.content ?? ''
}

/** The file of the featured image; empty for none. */
function coverOf({ root }: LocalPage): string {
  const cover = findClass(root, 'featured-image')
  const image = cover && all(cover, ({ name }) => name === 'img')[0]
  return image?.attribs.src?.replace(/^(?:\.\.\/)+/, '') ?? ''
}

async function writePage(site: SiteExport, path: string, page: PageToLocalise): Promise<void> {
  const local = await readPage(site, path, page)
  await site.files.write(page.file, renderPage(local.root))
}
