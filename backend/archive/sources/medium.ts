// Medium: the zip of an export, or its folder. Each post is a page of HTML.
import { convertDocument } from './convert-html.ts'
import { readBeginning } from './file-tree.ts'
import {
  type Element,
  elementsIn,
  findByName,
  findFirst,
  hasClass,
  type ParentNode,
  parseHtml,
  textIn,
} from './html-nodes.ts'
import { readText } from './read-texts.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  type SourcePost,
  SourceProblem,
} from './source.ts'
import { distinct, emptyPost, lineOf, pathOf, toIsoDate } from './source-values.ts'

const POST_FILE = /(?:^|\/)posts\/([^/]+)\.html$/i
const PROFILE_FILE = /(?:^|\/)profile\/profile\.html$/i
const MARK = /<article class="h-entry">/
const BEGINNING_BYTES = 8192
const FILE_MAX_BYTES = 8_000_000
/** Files that are looked into before it is certain that it is none. */
const TRIES_MAX = 20
const ID_END = /-?([0-9a-f]{8,14})$/
const EMPTY = /^(?:mixtapeImage|aspectRatioPlaceholder-fill)$/
/** A response has the beginning of its text as its title. */
const RESPONSE_MIN_CHARS = 3

export const medium: Source = { kind: 'medium', recognise, read }

async function recognise(tree: FileTree): Promise<boolean> {
  let tries = 0
  for await (const { path } of tree.list()) {
    if (!POST_FILE.test(path)) continue
    const beginning = await readBeginning(tree, path, BEGINNING_BYTES)
    if (MARK.test(beginning.toString('utf8'))) return true
    if (++tries >= TRIES_MAX) return false
  }
  return false
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const emails = await readProfile(tree, sink, options)
  const people = new Set<string>()
  let done = 0
  let total = 0
  for await (const _file of tree.list()) total++
  for await (const { path, sizeBytes } of tree.list()) {
    options.signal.throwIfAborted()
    sink.progress(++done, total)
    if (PROFILE_FILE.test(path)) continue
    const leaveOut = (reason: 'notAPost' | 'tooLong' | 'unreadable', detail = '') =>
      sink.leaveOut({ what: 'file', name: path, reason, post: '', detail })
    if (!POST_FILE.test(path)) leaveOut('notAPost')
    else if (sizeBytes > FILE_MAX_BYTES) leaveOut('tooLong')
    else
      try {
        const document = parseHtml(await readText(tree, path, FILE_MAX_BYTES))
        readPost(document, path, sink, { people, emails })
      } catch (error) {
        if (!(error instanceof SourceProblem)) throw error
        leaveOut('unreadable', error.message)
      }
  }
}

/** @returns the address of the person whose export it is, by the name in the site's addresses */
async function readProfile(tree: FileTree, sink: ImportSink, { oldAddress }: ReadOptions) {
  const emails = new Map<string, string>()
  const site = { program: 'Medium', name: '', description: '', url: oldAddress }
  for await (const { path } of tree.list()) {
    if (!PROFILE_FILE.test(path)) continue
    const document = parseHtml(await readText(tree, path, FILE_MAX_BYTES))
    const url = findFirst(document, (element) => hasClass(element, /^u-url$/))?.attribs.href ?? ''
    const email = /Email address:\s*([^\s<]+@[^\s<]+)/.exec(textIn(document))?.[1] ?? ''
    emails.set(userIn(url), email)
    site.name ||= lineIn(document, /^p-name$/)
    site.url ||= url
  }
  sink.site(site)
  return emails
}

function lineIn(parent: ParentNode, pattern: RegExp): string {
  const element = findFirst(parent, (inside) => hasClass(inside, pattern))
  return element ? lineOf(textIn(element)) : ''
}

/** `@name` */
function userIn(address: string): string {
  return /\/(@[^/?#]+)/.exec(address)?.[1] ?? ''
}

function readPost(
  document: ParentNode,
  path: string,
  sink: ImportSink,
  known: { people: Set<string>; emails: Map<string, string> },
): void {
  const [, fileName = ''] = POST_FILE.exec(path) ?? []
  const field = (name: string) =>
    findFirst(document, ({ attribs }) => attribs['data-field'] === name)
  const body = field('body')
  const subtitle = field('subtitle')
  const head = findByName(document, 'title')
  const title = lineIn(document, /^p-name$/) || (head ? lineOf(textIn(head)) : '')
  const post = emptyPost(ID_END.exec(fileName)?.[1] ?? fileName)
  post.title = title
  post.excerpt = subtitle ? lineOf(textIn(subtitle)) : ''
  const links = elementsIn(document).filter(({ name }) => name === 'a')
  const linkOf = (pattern: RegExp) => links.find((link) => hasClass(link, pattern))
  post.tags = distinct(
    links.filter((link) => hasClass(link, /^p-tag$/)).map((link) => lineOf(textIn(link))),
  )
  if (body && isResponse(body, post)) {
    sink.leaveOut({
      what: 'comment',
      name: title,
      reason: 'notAPost',
      post: '',
      detail: 'response',
    })
    return
  }
  const time = findFirst(document, (element) => hasClass(element, /^dt-published$/))
  const date = toIsoDate(time?.attribs.datetime ?? '')
  post.status = date === '' || fileName.startsWith('draft_') ? 'draft' : 'published'
  post.publishedAt = post.status === 'draft' ? '' : date
  post.createdAt = date
  const canonical = linkOf(/^p-canonical$/)?.attribs.href ?? ''
  const short = links.find(({ attribs }) => /\/p\/[0-9a-f]+$/.test(attribs.href ?? ''))
  fillAddresses(post, canonical, short?.attribs.href ?? '')
  const author = linkOf(/^p-author$/)
  if (author) post.authors = [addPerson(author, sink, known)]
  if (body)
    post.html = convertDocument(body, {
      dropped: EMPTY,
      prepare: (text) => prepareText(text, post),
    })
  sink.post(post)
}

/** Of somebody else's post: it has no heading, and its title is how it begins. */
function isResponse(body: Element, { title, excerpt, tags }: SourcePost): boolean {
  if (excerpt !== '' || tags.length > 0) return false
  const [first] = elementsIn(body).filter((element) => hasClass(element, /^graf$/))
  const beginning = first && first.name === 'p' ? lineOf(textIn(first)) : ''
  const start = title.replace(/…$/, '')
  return start.length >= RESPONSE_MIN_CHARS && beginning.startsWith(start)
}

function fillAddresses(post: SourcePost, canonical: string, short: string): void {
  const isMediums = /^https:\/\/(?:[\w-]+\.)?medium\.com\//.test(canonical)
  post.url = canonical || short
  const path = pathOf(canonical, '')
  const last = path.split('/').at(-1) ?? ''
  post.addresses = distinct([path, last && `/${last}`, pathOf(short, '')])
  post.addressWords = decodeURI(last).replace(ID_END, '')
  // A canonical address elsewhere is where the text was first.
  if (canonical !== '' && !isMediums && !ID_END.test(last)) post.canonicalUrl = canonical
}

function addPerson(
  author: Element,
  sink: ImportSink,
  { people, emails }: { people: Set<string>; emails: Map<string, string> },
): string {
  const name = lineOf(textIn(author))
  const user = userIn(author.attribs.href ?? '')
  const key = user || name
  if (people.has(key)) return key
  people.add(key)
  sink.person({ key, name, email: emails.get(user) ?? '' })
  return key
}

/** Takes the title and subtitle out of the text, and the line before its first part. */
function prepareText(body: ParentNode, { title, excerpt }: SourcePost): void {
  const elements = elementsIn(body)
  const grafs = elements.filter((element) => hasClass(element, /^graf$/)).slice(0, 3)
  for (const element of grafs) {
    const text = lineOf(textIn(element))
    const isTitle = hasClass(element, /^graf--title$/) || text === title
    const isSubtitle = hasClass(element, /^graf--subtitle$/) && text === excerpt
    if (/^h\d$/.test(element.name) && (isTitle || isSubtitle)) drop(element)
  }
  const [divider] = elements.filter((element) => hasClass(element, /^section-divider$/))
  if (divider) drop(divider)
  if (elements.some(({ name }) => name === 'h1' || name === 'h2')) return
  for (const element of elements)
    if (element.name === 'h3' || element.name === 'h4')
      element.name = element.name === 'h3' ? 'h2' : 'h3'
}

function drop(element: Element): void {
  element.name = 'template'
  element.children = []
}
