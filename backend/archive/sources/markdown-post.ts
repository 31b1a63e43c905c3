// What the values at the top of a Markdown file, its name and its folder say of the post.
import { basename, dirname, join } from 'node:path/posix'
import type { FrontMatter } from './front-matter.ts'
import type { MarkdownLinks } from './markdown-links.ts'
import type { SourcePerson, SourcePicture, SourcePost } from './source.ts'
import {
  dateAt,
  distinct,
  lineAt,
  lineOf,
  toIsoDate,
  type Values,
  valuesOf,
} from './source-values.ts'

export type MarkdownFile = {
  path: string
  matter: FrontMatter
  isRepository: boolean
  /** Of Obsidian, where the name of a note is its title. */
  isVault: boolean
  /** Of the file; in a repository it says nothing. */
  modifiedAt: string
  known: ReadonlyMap<string, SourcePerson>
  /** Filled with the people that the file names. */
  authors: SourcePerson[]
}

const NAME_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:-(?=.)|$)/
const FIRST_HEADING = /^\s*#[ \t]+([^\n]+)\n?/
const POSTS_FOLDER = /(?:^|\/)(?:_posts|_drafts|posts?|blog|articles|_articles)\//i
const COVER_KEYS =
  'cover image featured_image featuredImage feature_image heroImage thumbnail banner images featuredimage cover_image coverImage'.split(
    ' ',
  )
const DATE_KEYS = 'date publishDate published_at pubDate published_date created created_time'.split(
  ' ',
)
const CHANGED_KEYS = 'lastmod updated last_modified_at modified updatedAt updatedDate'.split(' ')
const LIST_MAX = 200
/** Styles of addresses that Jekyll has names for. */
const PERMALINKS: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title.html',
}

/** @returns the text without a heading that repeats the title */
export function fillPost(
  post: SourcePost,
  file: MarkdownFile,
  links: MarkdownLinks,
  site: { permalink: string; basePath: string },
): string {
  const { path, matter, isVault } = file
  const { values } = matter
  const text = (...keys: string[]) => lineAt(values, ...keys)
  const name = nameOf(path)
  const [datePart = ''] = NAME_DATE.exec(name) ?? []
  const words = name.slice(datePart.length)
  const [heading = '', headingText = ''] = FIRST_HEADING.exec(matter.body) ?? []
  const title = text('title') || (isVault ? name : '')
  post.title = title || headingText.replace(/[ \t]#+$/, '').trim() || titleOf(words || name, file)
  post.url = `tree:${path}`
  const date =
    dateAt(values, ...DATE_KEYS) ||
    toIsoDate(datePart.replace(/-$/, '')) ||
    (file.isRepository ? '' : file.modifiedAt)
  post.status = statusOf(path, values, date)
  post.publishedAt = post.status === 'draft' ? '' : date
  post.createdAt = dateAt(values, 'created', 'createdAt') || date
  post.updatedAt = dateAt(values, ...CHANGED_KEYS)
  post.kind = kindOf(file, date)
  file.authors.push(...peopleOf(values, file.known))
  post.authors = distinct(file.authors.map(({ key }) => key))
  post.tags = tagsOf(values)
  post.excerpt = text('excerpt', 'description', 'summary', 'subtitle')
  post.cover = coverOf(values, links)
  post.addressWords = slugOf(text('slug', 'addressWords', 'link') || words || name)
  const addresses = addressesOf(post, values, path, site.permalink, date)
  const { basePath } = site
  const below = basePath && addresses.map((address) => basePath + address)
  post.addresses = distinct([...below, ...addresses])
  post.canonicalUrl = text('canonical_url', 'canonicalURL', 'canonicalUrl')
  post.metaTitle = text('metaTitle', 'meta_title', 'seoTitle')
  post.metaDescription = text('metaDescription', 'meta_description')
  post.areCommentsClosed = values.comments === false
  const isRepeated = heading !== '' && headingText.trim() === post.title
  return isRepeated ? matter.body.slice(heading.length) : matter.body
}

/** A page bundle is named like its folder. */
function nameOf(path: string): string {
  // Notion puts an id behind the name.
  const name = basename(path)
    .replace(/(?:\.[a-z]{2}(?:-[a-z]{2})?)?\.\w+$/i, '')
    .replace(/ [0-9a-f]{32}$/, '')
  return /^index$/i.test(name) && dirname(path) !== '.' ? basename(dirname(path)) : name
}

/** The name of a note is its title; elsewhere names are words of an address. */
function titleOf(words: string, { isRepository }: MarkdownFile): string {
  if (!isRepository && !/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(words)) return words
  const plain = words.replace(/[-_]+/g, ' ').trim()
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

function statusOf(path: string, values: Values, date: string): SourcePost['status'] {
  const status = lineOf(values.status).toLowerCase()
  const isDraft =
    /(?:^|\/)_?drafts\//i.test(path) ||
    isTrue(values.draft) ||
    [values.published, values.publish].some((value) => /^false$/i.test(String(value))) ||
    /^(?:draft|inactive|unpublished|hidden)$/.test(status)
  if (status === 'private' || isTrue(values.private)) return 'private'
  if (status === 'scheduled' && date !== '') return 'scheduled'
  return isDraft ? 'draft' : 'published'
}

function isTrue(value: unknown): boolean {
  return /^true$/i.test(String(value))
}

function kindOf({ path, matter, isRepository }: MarkdownFile, date: string): SourcePost['kind'] {
  const { type, layout } = matter.values
  if (/^page$/i.test(lineOf(type)) || /^page$/i.test(lineOf(layout))) return 'page'
  const isInPosts = POSTS_FOLDER.test(path)
  return isRepository && date === '' && !isInPosts ? 'page' : 'post'
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, LIST_MAX)
  return value === undefined || value === null ? [] : [value]
}

/** Jekyll separates the words of `tags` by spaces, others by commas. */
function tagsOf(values: Values): string[] {
  const { tags, categories, category, tag, taxonomies } = values
  const taxonomy = valuesOf(taxonomies)
  const many = [tags, categories, taxonomy.tags, taxonomy.categories].flatMap((value) =>
    typeof value === 'string'
      ? value.split(value.includes(',') ? ',' : /\s+/).slice(0, LIST_MAX)
      : listOf(value).flat(),
  )
  const all = [...many, ...listOf(tag), ...listOf(category)]
  return distinct(all.map((value) => lineOf(value).replace(/^#/, '').trim()))
}

/** @param known people by the word that values name them with */
export function peopleOf(
  { author, authors }: Values,
  known?: ReadonlyMap<string, SourcePerson>,
): SourcePerson[] {
  const several = typeof authors === 'string' ? authors.split(',') : listOf(authors)
  return [...listOf(author), ...several].flatMap((value) => {
    const person = valuesOf(value)
    const name = lineOf(value) || lineOf(person.name)
    const same = known?.get(name)
    if (same) return [same]
    return name === '' ? [] : [{ key: name, name, email: lineOf(person.email) }]
  })
}

function coverOf(values: Values, links: MarkdownLinks): SourcePicture | undefined {
  const header = valuesOf(values.header)
  const candidates = COVER_KEYS.map((key) => listOf(values[key])[0])
  for (const value of [...candidates, header.image, header.teaser]) {
    const picture = valuesOf(value)
    const address = lineOf(value) || lineAt(picture, 'src', 'url', 'image', 'path', 'relative')
    if (address === '') continue
    const alt = lineOf(picture.alt) || lineAt(values, 'coverAlt', 'image_alt')
    return { url: links.resolve(address, true), alt, caption: lineOf(picture.caption) }
  }
  return undefined
}

function slugOf(words: string): string {
  return words.split('/').findLast((word) => word !== '') ?? ''
}

function addressesOf(
  post: SourcePost,
  values: Values,
  path: string,
  permalink: string,
  date: string,
): string[] {
  const given = lineAt(values, 'permalink', 'url', 'address')
  const others = ['aliases', 'alias', 'redirect_from', 'redirects'].flatMap((key) =>
    listOf(values[key]).map(lineOf),
  )
  const made = () => madeAddresses(post, values, path, permalink, date)
  const own = post.status === 'draft' ? [] : given === '' ? made() : [given]
  return distinct(
    [...own, ...others]
      .map((address) => URL.parse(address, 'http://localhost/')?.pathname ?? '')
      .filter((address) => address.length > 1 && !/[:{]/.test(address)),
  )
}

/** Where Jekyll shows posts with a date in their name; otherwise the path of the file. */
function madeAddresses(
  post: SourcePost,
  values: Values,
  path: string,
  permalink: string,
  date: string,
): string[] {
  const isDated =
    NAME_DATE.test(basename(path)) || (permalink !== '' && /(?:^|\/)_posts\//.test(path))
  const inside = path.replace(/^(?:.*?\/)?(?:src\/(?:pages|content)|content|source|src)\//, '')
  const folder = dirname(inside)
  const [, language] = /\.([a-z]{2}(?:-[a-z]{2})?)\.\w+$/i.exec(inside) ?? []
  const isNamedAsFolder = basename(folder) === nameOf(path)
  const parent = isNamedAsFolder ? dirname(folder) : folder
  const section = language ? join(language.toLowerCase(), parent) : parent
  const isInSection = section !== '.' && !section.startsWith('_')
  const simple = isInSection ? `/${section}/${post.addressWords}/` : `/${post.addressWords}/`
  if (!isDated || date === '') return [simple]
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  // Jekyll: a folder around the posts is a category.
  const [, around = ''] = /^(.*?)\/?_posts\//.exec(inside) ?? []
  const named = tagsOf({ categories: values.categories, category: values.category })
  const categories = named.length > 0 ? named : around.split('/').filter(Boolean)
  const replaced: Readonly<Record<string, string>> = {
    categories: categories.map((name) => name.toLowerCase()).join('/'),
    year,
    month,
    day,
    i_month: String(Number(month)),
    i_day: String(Number(day)),
    title: post.addressWords,
    slug: post.addressWords,
  }
  const template = PERMALINKS[permalink || 'date'] ?? permalink
  const address = `/${template}`
    .replace(/:(\w{1,20})/g, (whole, name: string) => replaced[name] ?? whole)
    .replace(/\/{2,}/g, '/')
  return permalink === '' ? [address, simple] : [address]
}
