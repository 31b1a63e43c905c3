// Markdown: a site of Hugo, Jekyll, Eleventy or the like, a vault of Obsidian, the Markdown of an
// export of this program, or any folder of Markdown files.
import { basename, dirname } from 'node:path/posix'
import { convertHtml, writeText } from './convert-html.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { readBeginning, readText } from './file-tree.ts'
import { type FrontMatter, parseValues, readFrontMatter } from './front-matter.ts'
import { escapeText } from './html-nodes.ts'
import { makeMarkdownLinks } from './markdown-links.ts'
import { fillPost, type MarkdownFile, peopleOf } from './markdown-post.ts'
import { makeMarkdownConverter, replaceTags } from './markdown-text.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  type SourcePerson,
  SourceProblem,
} from './source.ts'
import { emptyPost, lineAt, lineOf, type Values } from './source-values.ts'

export const MARKDOWN_FILE = /\.(?:md|markdown|mdown|mkd|mdx)$/i
const HTML_FILE = /\.html?$/i
const PLAIN_FILE = /\.te?xt$/i
/** Texts in a markup that is not read, and further exports. */
const OTHER_FILE = /\.(?:rst|adoc|asciidoc|org|textile|ipynb|njk|canvas|zip)$/i
/** What a post may show or link to, and this blog does not store. */
const MEDIA_FILE =
  /^(?:tree:|(?![\w+.-]+:|\/\/)).*\.(?:mp[34]|m4[av]|ogg|og[av]|wav|flac|webm|mov|avi|pdf|epub|zip)$/i
const AUTHORS_FILE = /(?:^|\/)authors\.ya?ml$/i
const FILE_MAX_BYTES = 4_000_000
const CONFIG_MAX_BYTES = 200_000
const BEGINNING_BYTES = 512
/** Files about a repository, of its theme, and what is made of it. */
const NO_POST =
  /(?:^|\/)(?:(?:README|LICEN[CS]E|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|AUTHORS|HISTORY|SUMMARY|robots|humans|requirements|ads)(?:\.[\w-]+)?\.\w+|_index(?:\.[\w-]+)?\.\w+|(?:_site|public|themes|layouts|_layouts|_includes|archetypes|scaffolds|_?templates|node_modules|vendor)\/.*)$/i
const HIDDEN = /(?:^|\/)\.(?!\/)/
const POSTS_FOLDER = /(?:^|\/)(?:_posts|_drafts|content|posts?|blog|articles|_articles|writing)\//i
const DATED_NAME = /^\d{4}-\d{1,2}-\d{1,2}(?:-|\.)/

type Program =
  | 'Jekyll'
  | 'Hexo'
  | 'Hugo'
  | 'Eleventy'
  | 'Astro'
  | 'Gatsby'
  | 'Pelican'
  | 'Obsidian'
  | 'Markdown'
const CONFIGS: readonly [name: RegExp, program: Program][] = [
  [/(?:^|\/)_config\.ya?ml$/, 'Jekyll'],
  [/(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$/, 'Hugo'],
  [/(?:^|\/)config\/_default\/(?:hugo|config)\.(?:toml|ya?ml|json)$/, 'Hugo'],
  [/(?:^|\/)(?:\.eleventy|eleventy\.config)\.[cm]?js$/, 'Eleventy'],
  [/(?:^|\/)astro\.config\.[cm]?[jt]s$/, 'Astro'],
  [/(?:^|\/)gatsby-config\.[cm]?[jt]s$/, 'Gatsby'],
  [/(?:^|\/)pelicanconf\.py$/, 'Pelican'],
  [/(?:^|\/)\.obsidian\/[\w-]+\.json$/, 'Obsidian'],
]

export const markdown: Source = { kind: 'markdown', recognise, read }

async function recognise(tree: FileTree): Promise<boolean> {
  let files = 0
  let texts = 0
  let onlyPath = ''
  for await (const { path } of tree.list()) {
    if (MARKDOWN_FILE.test(path) && !HIDDEN.test(path)) return true
    if (PLAIN_FILE.test(path) && !HIDDEN.test(path)) texts++
    files++
    onlyPath = path
  }
  if (texts > 0) return true
  if (files !== 1) return false
  const beginning = (await readBeginning(tree, onlyPath, BEGINNING_BYTES)).toString('utf8')
  return /^\ufeff?(?:---|\+\+\+)\r?\n[\w"']/.test(beginning)
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  using paths = makeDiskMap<PathOf>()
  using names = makeDiskMap<string>()
  const site = await readSite(tree, sink, options, { paths, names })
  const convert = makeMarkdownConverter()
  let done = 0
  for (const [path, { sizeBytes, modifiedAt }] of paths.entries()) {
    options.signal.throwIfAborted()
    sink.progress(++done, paths.size)
    if (OTHER_FILE.test(path) && !NO_POST.test(path) && !HIDDEN.test(path))
      sink.leaveOut({ what: 'file', name: path, reason: 'unsupported' })
    if (!isText(path, paths.size)) continue
    const file = await readFile(tree, path, sizeBytes, site.isRepository, sink)
    if (!file) continue
    const post = emptyPost(path)
    const links = makeMarkdownLinks(path, { paths, names })
    const { program, isRepository } = site
    const isVault = program === 'Obsidian'
    const body = fillPost(post, { ...file, modifiedAt, isVault, known: site.authors }, links, site)
    const leaveOut = (name: string) =>
      sink.leaveOut({ what: 'part', name, reason: 'shortcode', post: post.title })
    const hasTags = isRepository && program !== 'Astro' && program !== 'Gatsby'
    const isMdx = path.endsWith('.mdx')
    const text = { ...links, isVault, isMdx, hasTags, leaveOut }
    const hasLines = PLAIN_FILE.test(path)
    const html = hasLines
      ? escapeText(body)
      : HTML_FILE.test(path)
        ? replaceTags(body, text)
        : await convert(body, text)
    const resolve = (written: string, isPicture: boolean) => {
      const address = links.resolve(written, isPicture)
      const name = address.replace(/^tree:/, '')
      if (MEDIA_FILE.test(address))
        sink.leaveOut({ what: 'file', name, reason: 'unsupported', post: post.title })
      return address
    }
    const write = () => {
      if (html !== undefined) return convertHtml(html, { resolve, hasLines })
      throw new SourceProblem('It is nested too deeply, or converting it takes too long.')
    }
    if (post.authors.length === 0 && site.author) file.authors.push(site.author)
    post.authors = file.authors.map(({ key }) => key)
    if (post.publishedAt !== '' && post.publishedAt === modifiedAt)
      sink.leaveOut({ what: 'post', name: post.title, reason: 'noDate', detail: modifiedAt })
    if (!writeText(sink, post, post.title || path, write)) continue
    file.authors.forEach(sink.person)
    sink.post(post)
  }
}

type PathOf = { sizeBytes: number; modifiedAt: string }
type Site = {
  program: Program
  isRepository: boolean
  permalink: string
  /** Below which the addresses of its posts are, such as `/blog`. */
  basePath: string
  /** Of posts that name none. */
  author: SourcePerson | undefined
  /** By the word that posts name them with. */
  authors: ReadonlyMap<string, SourcePerson>
}

/** Lists all files, and reads the configuration of the site. */
async function readSite(
  tree: FileTree,
  sink: ImportSink,
  { oldAddress, signal }: ReadOptions,
  { paths, names }: { paths: DiskMap<PathOf>; names: DiskMap<string> },
): Promise<Site> {
  let program: Program = 'Markdown'
  let configPath = ''
  let hasPackage = false
  let hasHexo = false
  const authors = new Map<string, SourcePerson>()
  for await (const { path, sizeBytes, modifiedAt } of tree.list()) {
    signal.throwIfAborted()
    paths.add(path, { sizeBytes, modifiedAt })
    if (/(?:^|\/)source\/_posts\//.test(path)) hasHexo = true
    if (AUTHORS_FILE.test(path)) await readAuthors(tree, path, authors)
    const name = basename(path).toLowerCase()
    names.add(name, path)
    names.add(name.replace(/\.\w{1,10}$/, ''), path)
    if (/(?:^|\/)(?:package\.json|Gemfile|go\.mod)$/.test(path)) hasPackage = true
    const [, found] = CONFIGS.find(([pattern]) => pattern.test(path)) ?? []
    if (!found || (program !== 'Markdown' && path.length >= configPath.length)) continue
    program = found
    configPath = path
  }
  if (program === 'Jekyll' && hasHexo) program = 'Hexo'
  const config = await readConfig(tree, configPath)
  const text = (...keys: string[]) => lineAt(config, ...keys)
  const address = text('baseURL', 'base_url', 'baseurl', 'url')
  const root = /^https?:/.test(address) ? address : text('url') && text('url') + address
  const url = oldAddress || (/^https?:/.test(root) ? root : '')
  sink.site({
    program,
    name: text('title'),
    description: text('description', 'tagline'),
    url,
  })
  const permalinks = { Jekyll: 'date', Hexo: '/:year/:month/:day/:title/' }
  const [author] = peopleOf({ author: config.author }, authors)
  const isRepository = hasPackage || !/^(?:Markdown|Obsidian)$/.test(program)
  return {
    program,
    isRepository,
    permalink:
      program === 'Jekyll' || program === 'Hexo' ? text('permalink') || permalinks[program] : '',
    basePath: URL.parse(url)?.pathname.replace(/\/$/, '') ?? '',
    author,
    authors,
  }
}

async function readConfig(tree: FileTree, path: string): Promise<Values> {
  if (path === '' || path.includes('.obsidian')) return {}
  const text = await readText(tree, path, CONFIG_MAX_BYTES).catch(() => '')
  // Of a program, only its address is read.
  if (!/\.(?:ya?ml|toml|json)$/.test(path))
    return { url: /(?:site|url)\w*\s*[:=]\s*["'`](https?:[^"'`\s]+)/i.exec(text)?.[1] }
  // JSON is YAML, too.
  return parseValues(path.endsWith('.toml') ? '+++' : '---', text) ?? {}
}

/** The file of a site that has the names of its authors, by the word that posts name them with. */
async function readAuthors(tree: FileTree, path: string, authors: Map<string, SourcePerson>) {
  const text = await readText(tree, path, CONFIG_MAX_BYTES).catch(() => '')
  for (const [key, value] of Object.entries(parseValues('---', text) ?? {}))
    for (const { name, email } of peopleOf({ author: value }))
      authors.set(key, { key, name, email })
}

function isText(path: string, files: number): boolean {
  if (HIDDEN.test(path)) return false
  return MARKDOWN_FILE.test(path) || HTML_FILE.test(path) || PLAIN_FILE.test(path) || files === 1
}

/** @returns undefined for a file that is left out */
async function readFile(
  tree: FileTree,
  path: string,
  sizeBytes: number,
  isRepository: boolean,
  sink: ImportSink,
): Promise<Pick<MarkdownFile, 'path' | 'matter' | 'isRepository' | 'authors'> | undefined> {
  const leaveOut = (reason: 'tooLong' | 'notAPost' | 'unreadable', detail = '') => {
    sink.leaveOut({ what: 'file', name: path, reason, detail })
    return undefined
  }
  if (NO_POST.test(path)) return leaveOut('notAPost')
  if (sizeBytes > FILE_MAX_BYTES) return leaveOut('tooLong')
  const matter = readFrontMatter(await readText(tree, path, FILE_MAX_BYTES))
  if (matter.isDamaged) return leaveOut('unreadable', 'The values at its top cannot be read.')
  // Without values, HTML is a page of the site as it was made.
  const isMade = HTML_FILE.test(path) && !matter.hasFrontMatter
  if (isMade || !isPost(path, matter, isRepository)) return leaveOut('notAPost')
  return { path, matter, isRepository, authors: [] }
}

/** In a repository a post has a sign of one; elsewhere each file is a post. */
function isPost(
  path: string,
  { values, hasFrontMatter, body }: FrontMatter,
  isRepository: boolean,
) {
  if (!hasFrontMatter && body.trim() === '') return false
  if (values['excalidraw-plugin'] !== undefined) return false
  if (!isRepository) return true
  if (/^(?:home|index|404|list|archives?|search|tags|categories)$/i.test(lineOf(values.layout)))
    return false
  if (hasFrontMatter && lineOf(values.title) !== '') return true
  const name = basename(path)
  return (
    DATED_NAME.test(name) ||
    DATED_NAME.test(`${basename(dirname(path))}-`) ||
    POSTS_FOLDER.test(path)
  )
}
