// Makes a page of the blog a page of its exported site: it needs no server, no app and no other
// site. Links lead to files, pictures and style sheets are local, controls are gone or plain.
import render from 'dom-serializer'
import { type Document, Element, Text } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'
import { APP_WORDS } from '#contract/blog-links.ts'
import type { SiteFiles } from './site-files.ts'
import type { SiteLinks } from './site-links.ts'
import { listPageFile, relativeAddress } from './site-names.ts'

export type SiteParts = {
  publicUrl: string
  links: SiteLinks
  files: SiteFiles
  /** Lists that only the site has: file and title of each. */
  lists: readonly { file: string; title: string }[]
}

export type PageToLocalise = {
  /** The path of the page in the site. */
  file: string
  /** Of which list it is a page, for the links to the other pages. */
  list?: { file: string; page: number } | undefined
}

export type LocalPage = {
  root: Document
  /** Addresses of the blog with further comments on the post of this page. */
  moreComments: Set<string>
  /** The blog's address of the next page of the list. */
  next: string
}

/** An address that is a file of the site already. */
const LOCAL = 'site:'
/** The widths in which pictures are shown, in pixels of the picture: sharp, and not too large. */
const PICTURE_PX = 800
const WIDE_PICTURE_PX = 1120
const PICTURES_AT_ONCE = 4
const GONE_ELEMENTS = new Set(['script', 'noscript', 'style', 'select', 'template'])
const GONE_CLASSES = ['strips', 'toasts', 'new-posts', 'comments__panel', 'find__key', 'select']
const GONE_META = /^(?:og:url|og:image.*|twitter:image.*|article:.*)$/
const GONE_ATTRIBUTES =
  /^(?:data-(?:app|app-deferred|app-missing|discover|shortcut|static|player|frame|host|more)|aria-keyshortcuts|crossorigin)$/
/** The addresses of the bytes of files. */
const MEDIA = /^\/(?:v1|logo)\//

export async function localisePage(
  site: SiteParts,
  html: string,
  page: PageToLocalise,
): Promise<LocalPage> {
  const root = parseDocument(html)
  const sheets = all(root, isSheet).map(({ attribs }) => attribs.href ?? '')
  const local: LocalPage = { root, moreComments: new Set(), next: '' }
  removeParts(site, root)
  replaceControls(root)
  addListLinks(site, root)
  await localiseAddresses(site, page, local)
  removeEmptyParts(root)
  await completeHead(site, root, { file: page.file, sheets })
  return local
}

/** The text of a post in a feed. @param file that shows it */
export async function localiseText(site: SiteParts, html: string, file: string): Promise<string> {
  const root = parseDocument(html)
  await localiseAddresses(site, { file }, { root, moreComments: new Set(), next: '' }, true)
  return renderPage(root)
}

export function renderPage(root: Document): string {
  return render(root, { encodeEntities: 'utf8' })
}

// --- elements

export function all(root: Document | Element, test: (element: Element) => boolean): Element[] {
  return DomUtils.findAll(test, root.children)
}

export function hasClass({ attribs }: Element, name: string): boolean {
  return attribs.class?.split(' ').includes(name) ?? false
}

export function findClass(root: Document | Element, name: string): Element | undefined {
  return DomUtils.findOne((element) => hasClass(element, name), root.children) ?? undefined
}

function isInside(element: Element, names: readonly string[]): boolean {
  for (let node = element.parent; node instanceof Element; node = node.parent)
    if (names.some((name) => hasClass(node as Element, name))) return true
  return false
}

function textElement(name: string, attribs: Record<string, string>, text: string): Element {
  return new Element(name, attribs, [new Text(text)])
}

function isSheet({ name, attribs }: Element): boolean {
  return name === 'link' && attribs.rel === 'stylesheet'
}

function removeParts({ publicUrl }: SiteParts, root: Document): void {
  const isGone = (element: Element) => {
    const { name, attribs } = element
    if (name === 'link') return isGoneLink(publicUrl, attribs)
    if (name === 'meta') return GONE_META.test(attribs.property ?? attribs.name ?? '')
    if (attribs['data-static'] === '') return true
    return GONE_ELEMENTS.has(name) || GONE_CLASSES.some((gone) => hasClass(element, gone))
  }
  for (const element of all(root, isGone)) DomUtils.removeElement(element)
}

/** A canonical address stays only when the author named one elsewhere. */
function isGoneLink(publicUrl: string, { rel, type, href = '' }: Record<string, string>): boolean {
  if (rel === 'canonical') return href.startsWith(publicUrl)
  if (rel === 'alternate') return /oembed/.test(type ?? '') || href.endsWith('/comments.xml')
  return rel !== 'icon' && rel !== 'apple-touch-icon'
}

function replaceControls(root: Document): void {
  for (const button of all(root, ({ name }) => name === 'button')) {
    const { attribs, parent } = button
    if (hasClass(button, 'like-button')) replaceLikeButton(button)
    else if (parent instanceof Element && hasClass(parent, 'post-toolbar')) {
      button.name = 'a'
      button.attribs = { class: attribs.class ?? '', href: '/post' }
    } else if (parent instanceof Element && isThemeMenu(parent)) {
      button.attribs = {
        class: `${attribs.class} theme-button`,
        type: 'button',
        'aria-label': attribs['aria-label'] ?? '',
      }
      parent.children = [button]
    } else if (attribs.type !== 'submit' && !isServed(button)) DomUtils.removeElement(button)
  }
  for (const menu of all(root, (element) => hasClass(element, 'menu-anchor')))
    if (!isThemeMenu(menu)) DomUtils.removeElement(menu)
}

function isThemeMenu(element: Element): boolean {
  return hasClass(element, 'menu-anchor') && hasClass(element, 'header__wide')
}

/** The buttons that the script of the site serves. */
function isServed(button: Element): boolean {
  return hasClass(button, 'logo') || button.attribs.id === 'unfold-comment'
}

/** A plain number, as lists have it. */
function replaceLikeButton(button: Element): void {
  const text = findClass(button, 'visually-hidden')
  if (text) text.children = [new Text(button.attribs['data-static'] ?? '')]
  button.name = 'span'
  button.attribs = { class: 'stat' }
  const anchor = button.parent
  if (anchor instanceof Element) DomUtils.replaceElement(anchor, button)
}

/** In the footer, and in place of the dashboard. */
function addListLinks({ lists }: SiteParts, root: Document): void {
  const [first] = lists
  const bar = findClass(root, 'bottom-bar')
  const dashboard = bar && all(bar, ({ attribs }) => attribs.href === '/dashboard')[0]
  const name = dashboard && all(dashboard, ({ name }) => name === 'span').at(-1)
  if (dashboard && first && name) {
    dashboard.attribs.href = LOCAL + first.file
    name.children = [new Text(first.title)]
  }
  const footer = findClass(root, 'footer__links')
  if (!footer) return
  const present = new Set(
    all(footer, ({ name }) => name === 'a').map(({ attribs }) => attribs.href),
  )
  const header = findClass(root, 'header__pages')
  // Narrow pages have no links in the header.
  for (const link of header ? all(header, ({ name }) => name === 'a') : [])
    if (!present.has(link.attribs.href)) DomUtils.prependChild(footer, link.cloneNode(true))
  for (const { file, title } of lists)
    DomUtils.prependChild(footer, textElement('a', { href: LOCAL + file }, title))
}

function removeEmptyParts(root: Document): void {
  const comments = all(root, ({ attribs }) => attribs.id === 'comments')[0]
  if (comments && all(comments, isComment).length === 0) DomUtils.removeElement(comments)
  const beside = findClass(root, 'beside')
  if (beside && all(beside, ({ name }) => name === 'a').length === 0) DomUtils.removeElement(beside)
  const fold = all(root, ({ attribs }) => attribs.id === 'unfold-comment')[0]
  if (fold && !comments) DomUtils.removeElement(fold)
}

function isComment(element: Element): boolean {
  return hasClass(element, 'comment') || hasClass(element, 'comment--gone')
}

// --- addresses

async function localiseAddresses(
  site: SiteParts,
  page: PageToLocalise,
  local: LocalPage,
  isText = false,
): Promise<void> {
  const { root } = local
  const elements = all(root, () => true)
  const ids = new Set(elements.flatMap(({ attribs }) => attribs.id ?? []))
  const media: Element[] = []
  for (const element of elements) {
    const { name, attribs } = element
    if (/^(?:img|source|video|audio|track)$/.test(name)) media.push(element)
    for (const attribute of Object.keys(attribs))
      if (GONE_ATTRIBUTES.test(attribute)) delete attribs[attribute]
    if (name === 'a') await localiseLink({ site, page, local, ids, isText }, element)
    if (name === 'link') await localiseHeadLink(site, page, element)
    if (name === 'form')
      attribs.action = relativeAddress(page.file, (await site.links.findFile('/search', '')) ?? '')
  }
  for (let at = 0; at < media.length; at += PICTURES_AT_ONCE)
    await Promise.all(
      media.slice(at, at + PICTURES_AT_ONCE).map((item) => localiseMedia(site, page, item)),
    )
}

type LinkScope = {
  site: SiteParts
  page: PageToLocalise
  local: LocalPage
  ids: ReadonlySet<string>
  isText: boolean
}

async function localiseLink(scope: LinkScope, link: Element): Promise<void> {
  const { site, page, local, ids } = scope
  const { href, rel } = link.attribs
  if (href === undefined) return
  if (href.startsWith('#')) {
    if (!ids.has(fragmentOf(href))) unlink(link)
    return
  }
  if (href.startsWith(LOCAL)) {
    link.attribs.href = relativeAddress(page.file, href.slice(LOCAL.length))
    return
  }
  const url = ownUrl(site, href)
  if (!url) return
  if (url.hash === '#top') link.attribs.href = '#top'
  else if (MEDIA.test(url.pathname)) await localiseFile(scope, link, url)
  else if (page.list && (rel === 'prev' || rel === 'next')) {
    if (rel === 'next') local.next = url.pathname + url.search
    const number = page.list.page + (rel === 'next' ? 1 : -1)
    link.attribs.href = relativeAddress(page.file, listPageFile(page.list.file, number))
  } else await localisePageLink(scope, link, url)
}

async function localisePageLink(scope: LinkScope, link: Element, url: URL): Promise<void> {
  const { site, page, local, ids } = scope
  const file = await site.links.findFile(url.pathname, url.search)
  if (file === undefined) return loseLink(scope, link, url)
  if (/[?&](?:comments|thread)=/.test(url.search)) local.moreComments.add(url.pathname + url.search)
  const hash = file === page.file && !ids.has(fragmentOf(url.hash)) ? '' : url.hash
  const query = url.pathname === '/search' ? url.search : ''
  link.attribs.href = relativeAddress(page.file, file) + query + hash
}

/** The site does not have the page: what a person wrote leads to the blog, all else is removed. */
function loseLink({ site, isText }: LinkScope, link: Element, url: URL): void {
  if (isText || isInside(link, ['prose', 'comment__text'])) {
    link.attribs.href = site.publicUrl + url.pathname + url.search + url.hash
    return
  }
  const [, first = ''] = url.pathname.split('/')
  const isApps = APP_WORDS.includes(first) && !/^(?:author|post|tag)$/.test(first)
  const isInBar = isInside(link, ['header', 'footer', 'bottom-bar', 'beside', 'search-start'])
  if (!isApps && !isInBar) {
    unlink(link)
    return
  }
  const item = link.parent
  const isOnly = item instanceof Element && item.name === 'li'
  DomUtils.removeElement(isOnly ? item : link)
}

function unlink(link: Element): void {
  link.name = 'span'
  delete link.attribs.href
}

async function localiseFile({ site, page }: LinkScope, link: Element, url: URL): Promise<void> {
  const file = await site.files.picture(url.pathname + url.search)
  if (file === '') unlink(link)
  else link.attribs.href = relativeAddress(page.file, file)
}

async function localiseHeadLink(site: SiteParts, page: PageToLocalise, link: Element) {
  const { rel, href = '' } = link.attribs
  const url = ownUrl(site, href)
  if (!url) return
  const file =
    rel === 'alternate'
      ? await site.links.findFile(url.pathname, '')
      : MEDIA.test(url.pathname)
        ? await site.files.picture(url.pathname)
        : await site.files.asset(url.pathname)
  if (file) link.attribs.href = relativeAddress(page.file, file)
  else DomUtils.removeElement(link)
}

async function localiseMedia(site: SiteParts, page: PageToLocalise, element: Element) {
  const { name, attribs } = element
  const chosen = attribs.srcset ? chooseSource(attribs.srcset, name === 'source') : attribs.src
  for (const [attribute, address] of [
    [name === 'source' && attribs.srcset ? 'srcset' : 'src', chosen],
    ['poster', attribs.poster],
  ] as const) {
    const url = address && ownUrl(site, address)
    if (!url) continue
    const file = await site.files.picture(url.pathname + url.search)
    if (file) attribs[attribute] = relativeAddress(page.file, file)
    else if (name !== 'img') delete attribs[attribute]
    else DomUtils.replaceElement(element, textElement('span', {}, attribs.alt ?? ''))
  }
  delete attribs.sizes
  if (name !== 'source') delete attribs.srcset
}

/** One of the sizes in which the blog shows a picture. */
function chooseSource(srcset: string, isWide: boolean): string {
  const sizes = srcset.split(/,\s+/).map((part) => {
    const [address = '', width = ''] = part.trim().split(/\s+/)
    return { address, width: Number.parseInt(width, 10) }
  })
  const ordered = sizes.toSorted((a, b) => a.width - b.width)
  const least = isWide ? WIDE_PICTURE_PX : PICTURE_PX
  return (ordered.find(({ width }) => width >= least) ?? ordered.at(-1))?.address ?? ''
}

/** @returns undefined for an address of another site, and for one that is no web address */
function ownUrl({ publicUrl }: SiteParts, address: string): URL | undefined {
  if (!address.startsWith('/') && !address.startsWith(`${publicUrl}/`)) return undefined
  const url = URL.parse(address, publicUrl)
  return url?.origin === new URL(publicUrl).origin ? url : undefined
}

function fragmentOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

// --- the head

async function completeHead(
  { files }: SiteParts,
  root: Document,
  { file, sheets }: { file: string; sheets: string[] },
): Promise<void> {
  const html = all(root, ({ name }) => name === 'html')[0]
  const head = html && all(html, ({ name }) => name === 'head')[0]
  if (!head) return
  const names = await Promise.all([...new Set(sheets)].map((sheet) => files.asset(sheet)))
  for (const sheet of names) if (sheet) DomUtils.appendChild(head, sheetLink(file, sheet))
  const script = new Element('script', { src: relativeAddress(file, SITE_SCRIPT) })
  DomUtils.appendChild(head, script)
}

/** @param sheet a file of the site that the page `file` needs */
export function sheetLink(file: string, sheet: string): Element {
  return new Element('link', { rel: 'stylesheet', href: relativeAddress(file, sheet) })
}

/** Of the lists that only the site has. */
export const SITE_STYLE = 'assets/site.css'
export const SITE_SCRIPT = 'assets/site.js'
export const SEARCH_SCRIPT = 'assets/search.js'
