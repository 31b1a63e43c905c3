// Markdown: a site of Hugo, Jekyll, Eleventy or the like, a vault of Obsidian, the Markdown of an
// export of this program, or any folder of Markdown files.
import { basename, dirname } from 'node:path/posix'
import { convertHtml, writeText } from './convert-html.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { readBeginning, readText } from './file-tree.ts'
import { type FrontMatter, parseValues, readFrontMatter } from './front-matter.ts'
import { makeMarkdownLinks } from './markdown-links.ts'
import { fillPost, type MarkdownFile } from './markdown-post.ts'
import { makeMarkdownConverter } from './markdown-text.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  SourceProblem,
} from './source.ts'
import { emptyPost, lineAt, lineOf, type Values } from './source-values.ts'

export const MARKDOWN_FILE = /\.(?:md|markdown|mdown|mkd|mdx)$/i
const HTML_FILE = /\.html?$/i
const FILE_MAX_BYTES = 4_000_000
const CONFIG_MAX_BYTES = 200_000
const BEGINNING_BYTES = 512
/** Files about a repository, of its theme, and what is made of it. */
const NO_POST =
  /(?:^|\/)(?:(?:README|LICEN[CS]E|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|AUTHORS|HISTORY|SUMMARY)(?:\.[\w-]+)?\.\w+|_index(?:\.[\w-]+)?\.\w+|(?:_site|public|themes|layouts|_layouts|_includes|archetypes|node_modules|vendor)\/.*)$/i
const HIDDEN = /(?:^|\/)\.(?!\/)/
const POSTS_FOLDER = /(?:^|\/)(?:_posts|_drafts|content|posts?|blog|articles|_articles|writing)\//i
const DATED_NAME = /^\d{4}-\d{1,2}-\d{1,2}(?:-|\.)/

type Program = 'Jekyll' | 'Hugo' | 'Eleventy' | 'Obsidian' | 'Markdown'
const CONFIGS: readonly [name: RegExp, program: Program][] = [
  [/(?:^|\/)_config\.ya?ml$/, 'Jekyll'],
  [/(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$/, 'Hugo'],
  [/(?:^|\/)config\/_default\/(?:hugo|config)\.(?:toml|ya?ml|json)$/, 'Hugo'],
  [/(?:^|\/)(?:\.eleventy|eleventy\.config)\.[cm]?js$/, 'Eleventy'],
  [/(?:^|\/)\.obsidian\/[\w-]+\.json$/, 'Obsidian'],
]

export const markdown: Source = { kind: 'markdown', recognise, read }

async function recognise(tree: FileTree): Promise<boolean> {
  let files = 0
  let onlyPath = ''
  for await (const { path } of tree.list()) {
    if (MARKDOWN_FILE.test(path) && !HIDDEN.test(path)) return true
    files++
    onlyPath = path
  }
  if (files !== 1) return false
  const beginning = (await readBeginning(tree, onlyPath, BEGINNING_BYTES)).toString('utf8')
  return /^\ufeff?(?:---|\+\+\+)\r?\n[\w"']/.test(beginning)
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  using paths = makeDiskMap<number>()
  using names = makeDiskMap<string>()
  const site = await readSite(tree, sink, options, { paths, names })
  const convert = makeMarkdownConverter()
  let done = 0
  for (const [path, sizeBytes] of paths.entries()) {
    options.signal.throwIfAborted()
    sink.progress(++done, paths.size)
    if (!isText(path, paths.size)) continue
    const file = await readFile(tree, path, sizeBytes, site.isRepository, sink)
    if (!file) continue
    const post = emptyPost(path)
    const links = makeMarkdownLinks(path, { paths, names })
    const body = fillPost(post, file, links, site.permalink)
    const isVault = site.program === 'Obsidian'
    const leaveOut = (name: string) =>
      sink.leaveOut({ what: 'part', name, reason: 'shortcode', post: post.title })
    const html = HTML_FILE.test(path) ? body : await convert(body, { ...links, isVault, leaveOut })
    const write = () => {
      if (html !== undefined) return convertHtml(html, { resolve: links.resolve })
      throw new SourceProblem('It is nested too deeply, or converting it takes too long.')
    }
    if (!writeText(sink, post, post.title || path, write)) continue
    file.authors.forEach(sink.person)
    sink.post(post)
  }
}

type Site = { program: Program; isRepository: boolean; permalink: string }

/** Lists all files, and reads the configuration of the site. */
async function readSite(
  tree: FileTree,
  sink: ImportSink,
  { oldAddress, signal }: ReadOptions,
  { paths, names }: { paths: DiskMap<number>; names: DiskMap<string> },
): Promise<Site> {
  let program: Program = 'Markdown'
  let configPath = ''
  let hasPackage = false
  for await (const { path, sizeBytes } of tree.list()) {
    signal.throwIfAborted()
    paths.add(path, sizeBytes)
    const name = basename(path).toLowerCase()
    names.add(name, path)
    names.add(name.replace(/\.\w{1,10}$/, ''), path)
    if (/(?:^|\/)(?:package\.json|Gemfile|go\.mod)$/.test(path)) hasPackage = true
    const [, found] = CONFIGS.find(([pattern]) => pattern.test(path)) ?? []
    if (!found || (program !== 'Markdown' && path.length >= configPath.length)) continue
    program = found
    configPath = path
  }
  const config = await readConfig(tree, configPath)
  const text = (...keys: string[]) => lineAt(config, ...keys)
  const url = [oldAddress, text('baseURL'), text('baseurl'), text('url')].find((address) =>
    /^https?:/.test(address),
  )
  sink.site({
    program,
    name: text('title'),
    description: text('description', 'tagline'),
    url: url ?? '',
  })
  const isRepository = hasPackage || !/^(?:Markdown|Obsidian)$/.test(program)
  return {
    program,
    isRepository,
    permalink: program === 'Jekyll' ? text('permalink') || 'date' : '',
  }
}

async function readConfig(tree: FileTree, path: string): Promise<Values> {
  if (!/\.(?:ya?ml|toml|json)$/.test(path) || path.includes('.obsidian')) return {}
  const text = await readText(tree, path, CONFIG_MAX_BYTES).catch(() => '')
  // JSON is YAML, too.
  return parseValues(path.endsWith('.toml') ? '+++' : '---', text) ?? {}
}

function isText(path: string, files: number): boolean {
  if (HIDDEN.test(path)) return false
  return MARKDOWN_FILE.test(path) || HTML_FILE.test(path) || files === 1
}

/** @returns undefined for a file that is left out */
async function readFile(
  tree: FileTree,
  path: string,
  sizeBytes: number,
  isRepository: boolean,
  sink: ImportSink,
): Promise<MarkdownFile | undefined> {
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
  if (!isRepository) return true
  if (/^(?:home|index|404|list|archive)$/i.test(lineOf(values.layout))) return false
  if (hasFrontMatter && lineOf(values.title) !== '') return true
  const name = basename(path)
  return (
    DATED_NAME.test(name) ||
    DATED_NAME.test(`${basename(dirname(path))}-`) ||
    POSTS_FOLDER.test(path)
  )
}
