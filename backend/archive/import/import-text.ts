// The text of an imported post: its pictures are stored here, and its links lead to posts here.
import type { ImportIssue } from '#contract/archive.ts'
import type { ArchiveContext } from '../context.ts'
import { findAddress } from '../old-addresses.ts'
import type { SourcePicture, SourcePost } from '../sources/source.ts'
import { type FetchFailure, isFailure } from './fetch-picture.ts'
import { normaliseAddress, type OldSite, toFullAddress } from './old-site.ts'
import {
  type FoundPicture,
  findPicture,
  type makePictures,
  type StoredPicture,
} from './pictures.ts'
import { type Attributes, findAddresses, rewriteHtml } from './rewrite-html.ts'
import type { Staging } from './staging-store.ts'

export type TextImport = {
  staging: Staging
  site: OldSite
  /** Undefined leaves the pictures at their old place. */
  pictures: ReturnType<typeof makePictures> | undefined
  report: (issue: Pick<ImportIssue, 'what' | 'name' | 'reason' | 'detail'>) => void
  signal: AbortSignal
}

/**
 * @returns the HTML, not cleaned yet, and the file that is its cover; empty for none
 */
export async function importText(
  context: ArchiveContext,
  texts: TextImport,
  { post, userId }: { post: SourcePost; userId: string },
): Promise<{ html: string; cover: string }> {
  const { staging, site, pictures, signal } = texts
  const addresses = findAddresses(post.html)
  const found = new Map<string, FoundPicture>()
  const coverUrl = post.cover?.url
  for (const address of [...addresses.pictures, ...(coverUrl ? [coverUrl] : [])]) {
    const picture = pictures && findPicture(staging, site, address, post.url)
    if (picture) found.set(address, picture)
  }
  const stored = await pictures?.storeAll([...found.values()], userId, signal)
  const results = new Map<string, StoredPicture>()
  for (const [address, { source }] of found) {
    const result = stored?.get(source.key)
    if (result && !isFailure(result)) results.set(address, result)
    else if (result) reportFailure(texts, address, result)
  }
  const links = await findLinks(context, texts, post, addresses.links)
  const html = rewriteHtml(post.html, {
    picture: (attributes) => rewritePicture(context, texts, post, { attributes, results, found }),
    link: (href) => links.get(href) ?? linkToPicture(context, texts, post, { href, stored }),
  })
  const cover = coverUrl === undefined ? undefined : results.get(coverUrl)
  return withCover(html, post.cover, cover)
}

function reportFailure({ report }: TextImport, address: string, failure: FetchFailure): void {
  const name = address.startsWith('data:') ? 'data:' : address.replace(/^tree:/, '')
  report({ what: 'picture', name, ...failure })
}

/** A cover that could not be stored stays as a link in the text. */
function withCover(html: string, cover: SourcePicture | undefined, stored?: StoredPicture) {
  const isLost = cover && !stored && /^https?:/.test(cover.url)
  const link = isLost ? rewriteHtml('<p><img src=""></p>', coverLink(cover)) : ''
  return { html: link + html, cover: stored?.fileId ?? '' }
}

function coverLink({ url, alt }: SourcePicture) {
  return { picture: () => ({ src: url, alt }), link: () => undefined }
}

function viewAddress(
  { contentBucketId, projectId }: ArchiveContext,
  { fileId, width, height, type }: StoredPicture,
): string {
  const hints = new URLSearchParams({
    project: projectId,
    width: String(width),
    height: String(height),
    type,
  })
  return `/v1/storage/buckets/${contentBucketId}/files/${fileId}/view?${hints}`
}

type Rewritten = {
  attributes: Attributes
  results: Map<string, StoredPicture>
  found: Map<string, FoundPicture>
}

function rewritePicture(
  context: ArchiveContext,
  { staging, site }: TextImport,
  post: SourcePost,
  { attributes, results, found }: Rewritten,
): Attributes | null | undefined {
  const { src = '', alt: ownAlt = '' } = attributes
  const stored = results.get(src)
  const full = toFullAddress(site, src, post.url)
  const alt = ownAlt || staging.findAlt(found.get(src)?.source.key ?? full?.href ?? src)
  if (!stored) {
    return full ? { ...attributes, src: full.href, alt } : null
  }
  const { width, height } = stored
  const chosen = /^\d{1,4}$/.test(attributes.width ?? '') ? Number(attributes.width) : 0
  // A smaller version that was shown as it is stays small.
  const shown = chosen > 0 && chosen < width ? chosen : width
  return {
    src: viewAddress(context, stored),
    alt,
    ...(attributes.title ? { title: attributes.title } : {}),
    width: String(shown),
    height: String(Math.max(1, Math.round((height * shown) / width))),
  }
}

const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp)$/i

/** A link around a picture that leads to the picture itself. */
function linkToPicture(
  context: ArchiveContext,
  { staging, site, pictures }: TextImport,
  post: SourcePost,
  link: { href: string; stored: Map<string, StoredPicture | FetchFailure> | undefined },
): string | undefined {
  const { href, stored } = link
  if (!pictures || !PICTURE_NAME.test(href.split(/[?#]/, 1)[0] ?? '')) return undefined
  const key = findPicture(staging, site, href, post.url)?.source.key
  const result = key === undefined ? undefined : stored?.get(key)
  return result && !isFailure(result) ? viewAddress(context, result) : undefined
}

/** Where the links of a text lead from here. */
async function findLinks(
  { db }: ArchiveContext,
  { staging, site }: TextImport,
  post: SourcePost,
  hrefs: string[],
): Promise<Map<string, string>> {
  const links = new Map<string, string>()
  for (const href of new Set(hrefs)) {
    const [, fragment = ''] = /(#[^#]*)$/.exec(href) ?? []
    const target = href.slice(0, href.length - fragment.length)
    if (target === '' || /^(?!tree:|https?:)[a-z][a-z0-9+.-]*:/i.test(target)) continue
    if (target.startsWith('tree:')) {
      const path = staging.findPath(target)
      if (path !== undefined) links.set(href, path + fragment)
      continue
    }
    const url = toFullAddress(site, target, post.url)
    const isRelative = !/^(?:https?:)?\/\//i.test(target)
    const isOwn = url && (site.hosts.has(url.host) || (isRelative && site.hosts.size === 0))
    const ownPath = isOwn ? url.pathname + url.search : !url && target.startsWith('/') ? target : ''
    const address = ownPath === '' ? undefined : normaliseAddress(ownPath)
    const postId = address && (await findAddress(db, address))?.postId
    const path = address && (staging.findPath(address) ?? (postId && `/post/${postId}`))
    if (path) links.set(href, path + fragment)
    else if (url && isRelative) links.set(href, url.href + fragment)
  }
  return links
}
