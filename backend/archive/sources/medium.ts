// Medium: the zip of an export, or its folder. Each post is a page of HTML.
import { DomUtils } from 'htmlparser2'
import { convertDocument, writeText } from './convert-html.ts'
import { findMarked, readText } from './file-tree.ts'
import {
  Element,
  elementsIn,
  findByClass,
  findByName,
  findFirst,
  hasClass,
  type ParentNode,
  parseHtml,
  textIn,
} from './html-nodes.ts'
import type { FileTree, ImportSink, ReadOptions, Source, SourcePost } from './source.ts'
import { decodeAddress, distinct, emptyPost, lineOf, pathOf, toIsoDate } from './source-values.ts'

const POST_FILE = /(?:^|\/)posts\/([^/]+)\.html$/i
const PROFILE_FILE = /(?:^|\/)profile\/profile\.html$/i
const MARK = /<article class="h-entry">/
const FILE_MAX_BYTES = 8_000_000
const ID_END = /-?([0-9a-f]{8,14})$/
const EMPTY = /^(?:mixtapeImage|aspectRatioPlaceholder-fill)$/
/** A response has the beginning of its text as its title. */
const RESPONSE_MIN_CHARS = 3

export const medium: Source = { kind: 'medium', recognise, read }

async function recognise(tree: FileTree): Promise<boolean> {
  for await (const _file of findMarked(tree, POST_FILE, MARK)) return true
  return false
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const profile = await readProfile(tree, sink, options)
  let done = 0
  let total = 0
  for await (const _file of tree.list()) total++
  for await (const { path, sizeBytes } of tree.list()) {
    options.signal.throwIfAborted()
    sink.progress(++done, total)
    if (PROFILE_FILE.test(path)) continue
    if (!POST_FILE.test(path)) sink.leaveOut({ what: 'file', name: path, reason: 'notAPost' })
    else if (sizeBytes > FILE_MAX_BYTES)
      sink.leaveOut({ what: 'file', name: path, reason: 'tooLong' })
    else readPost(await readText(tree, path, FILE_MAX_BYTES), path, sink, profile)
  }
}

type Profile = { user: string; name: string; email: string }

/** The person whose export it is, by the name in the site's addresses. */
async function readProfile(tree: FileTree, sink: ImportSink, { oldAddress }: ReadOptions) {
  const profile: Profile = { user: '', name: '', email: '' }
  const site = { program: 'Medium', name: '', description: '', url: oldAddress }
  for await (const { path } of tree.list()) {
    if (!PROFILE_FILE.test(path)) continue
    const document = parseHtml(await readText(tree, path, FILE_MAX_BYTES))
    const url = findByClass(document, /^u-url$/)?.attribs.href ?? ''
    const lines = elementsIn(document).filter(({ name }) => name === 'li')
    const [email = ''] = lines.flatMap(
      (line) => /Email address:\s*(\S+@\S+)/.exec(textIn(line))?.[1] ?? [],
    )
    profile.user = userIn(url)
    profile.email = email
    site.name = lineIn(findByClass(document, /^p-name$/))
    profile.name = site.name
    site.url ||= url
  }
  sink.site(site)
  return profile
}
function lineIn(element: Element | undefined): string {
  return element ? lineOf(textIn(element)) : ''
}

/** `@name` */
function userIn(address: string): string {
  return /\/(@[^/?#]+)/.exec(address)?.[1] ?? ''
}

function readPost(html: string, path: string, sink: ImportSink, profile: Profile): void {
  const post = emptyPost('')
  let document: ParentNode | undefined
  let body: Element | undefined
  const write = () => {
    document = parseHtml(html)
    fillPost(post, document, path)
    body = findField(document, 'body')
    if (!body || isResponse(body, post)) return ''
    takeOutTitle(body, post)
    return convertDocument(body, { dropped: EMPTY })
  }
  if (!writeText(sink, post, path, write) || !document) return
  if (!body) return void sink.leaveOut({ what: 'file', name: path, reason: 'unreadable' })
  if (isResponse(body, post)) {
    const detail = 'response'
    return void sink.leaveOut({ what: 'comment', name: post.title, reason: 'notAPost', detail })
  }
  const author = findByClass(document, /^p-author$/)
  // A draft names nobody: it is of the person whose export it is.
  if (author || profile.user) {
    const name = author ? lineIn(author) : profile.name
    const user = author ? userIn(author.attribs.href ?? '') : profile.user
    const key = user || name
    post.authors = [key]
    sink.person({ key, name, email: user === profile.user ? profile.email : '' })
  }
  sink.post(post)
}

function findField(document: ParentNode, name: string): Element | undefined {
  return findFirst(document, ({ attribs }) => attribs['data-field'] === name)
}

/** Of somebody else's post: it has no heading, and its title is how it begins. */
function isResponse(body: Element, { title, excerpt, tags }: SourcePost): boolean {
  if (excerpt !== '' || tags.length > 0) return false
  const first = findByClass(body, /^graf$/)
  const start = title.replace(/…$/, '')
  return (
    first?.name === 'p' && start.length >= RESPONSE_MIN_CHARS && lineIn(first).startsWith(start)
  )
}

function fillPost(post: SourcePost, document: ParentNode, path: string): void {
  const [, fileName = ''] = POST_FILE.exec(path) ?? []
  post.key = ID_END.exec(fileName)?.[1] ?? fileName
  post.title = lineIn(findByClass(document, /^p-name$/)) || lineIn(findByName(document, 'title'))
  post.excerpt = lineIn(findField(document, 'subtitle'))
  const tags = elementsIn(document).filter((element) => hasClass(element, /^p-tag$/))
  post.tags = distinct(tags.map(lineIn))
  const time = findByClass(document, /^dt-published$/)
  post.createdAt = toIsoDate(time?.attribs.datetime ?? '')
  const isDraft = post.createdAt === '' || fileName.startsWith('draft_')
  post.status = isDraft ? 'draft' : 'published'
  post.publishedAt = isDraft ? '' : post.createdAt
  const short = findFirst(
    document,
    ({ attribs }) => attribs.href?.endsWith(`/p/${post.key}`) ?? false,
  )
  const canonical = findByClass(document, /^p-canonical$/)
  fillAddresses(post, canonical?.attribs.href ?? '', short?.attribs.href ?? '')
}

function fillAddresses(post: SourcePost, canonical: string, short: string): void {
  const isMediums = /^https:\/\/(?:[\w-]+\.)?medium\.com\//.test(canonical)
  post.url = canonical || short
  const path = pathOf(canonical, '')
  const last = path.split('/').at(-1) ?? ''
  post.addresses = distinct([path, last && `/${last}`, pathOf(short, '')])
  post.addressWords = decodeAddress(last).replace(ID_END, '')
  // A canonical address elsewhere is where the text was first.
  if (canonical !== '' && !isMediums && !ID_END.test(last)) post.canonicalUrl = canonical
}

/** And the subtitle, and the line before the first part. */
function takeOutTitle(body: ParentNode, { title, excerpt }: SourcePost): void {
  const elements = elementsIn(body)
  for (const element of elements)
    if (hasClass(element, /^markup--mixtapeEmbed-em$/)) element.children.push(new Element('br', {}))
  const grafs = elements.filter((element) => hasClass(element, /^graf$/)).slice(0, 3)
  for (const element of grafs) {
    const text = lineIn(element)
    const isTitle = hasClass(element, /^graf--title$/) || text === title
    const isSubtitle = hasClass(element, /^graf--subtitle$/) && text === excerpt
    if (/^h\d$/.test(element.name) && (isTitle || isSubtitle)) DomUtils.removeElement(element)
  }
  const divider = findByClass(body, /^section-divider$/)
  if (divider) DomUtils.removeElement(divider)
  // Headings begin at the third level.
  if (elements.some(({ name }) => name === 'h1' || name === 'h2')) return
  for (const element of elements)
    if (element.name === 'h3' || element.name === 'h4')
      element.name = element.name === 'h3' ? 'h2' : 'h3'
}
