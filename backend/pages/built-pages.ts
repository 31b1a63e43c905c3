// Loads the build of the web part: the renderer, and the URLs of the browser's files from Vite's
// manifest.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FontFace, PageAssets, StaticSite, WebServerModule } from '#contract/pages.ts'
import type { Pages } from './context.ts'
import { hashSource } from './routes.ts'

const BUILD = join(dirname(fileURLToPath(import.meta.url)), '../../build')
const ENTRY = 'main.tsx'
const POST_PAGE = 'reading/post-page.tsx'
const POST_STYLES = 'styles/post.css'
const OBJECT_STYLES = 'styles/post-objects.css'
const STATIC_SITE_STYLES = 'styles/static-site.css'
const READING_AIDS = 'reading/reading-aids.ts'
/**
 * Pages that the entry imports lazily. Their modules are preloaded with it, and their style sheets
 * are linked, because the first paint needs them.
 */
const PAGES: [path: RegExp, module: string][] = [
  [/^\/post\//, POST_PAGE],
  [/^\/dashboard\/deleted/, 'dashboard/deleted-posts-page.tsx'],
  [/^\/dashboard/, 'dashboard/dashboard-page.tsx'],
  [/^\/setup/, 'accounts/setup-page.tsx'],
  [/^\/settings/, 'settings/settings-pages.tsx'],
  [/^\/notifications/, 'notifications/notifications-page.tsx'],
  [/^\/admin\/people/, 'admin/people-page.tsx'],
  [/^\/admin\/posts/, 'admin/posts-page.tsx'],
  [/^\/admin\/activity/, 'admin/activity-page.tsx'],
  [/^\/admin\/settings/, 'admin/settings-page.tsx'],
  [/^\/admin/, 'admin/overview-page.tsx'],
  [/^\/edit-post\/[^/]+\/versions\/compare/, 'versions/compare-page.tsx'],
  [/^\/edit-post\/[^/]+\/versions/, 'versions/versions-page.tsx'],
]

type Manifest = Record<
  string,
  { file: string; src?: string; css?: string[]; imports?: string[]; assets?: string[] }
>

/** @throws Error when the web part has not been built */
export async function readBuiltPages(): Promise<Pages & { staticSite: StaticSite }> {
  const manifest = JSON.parse(
    await readFile(join(BUILD, 'client/.vite/manifest.json'), 'utf8'),
  ) as Manifest
  const renderer = join(BUILD, 'server/server.js')
  const { render, describeBody, HEAD_SCRIPT, SERVER_TEXTS, STATIC_SITE } = (await import(
    pathToFileURL(renderer).href
  )) as WebServerModule
  const style = await Promise.all(
    (manifest[ENTRY]?.css ?? []).map((file) => readFile(join(BUILD, 'client', file), 'utf8')),
  )
  const fonts = parseFontFaces(style.join('\n'))
  const plain = { ...findAssets(manifest, [ENTRY]), fonts }
  const readSheet = async (sheet: string) => {
    const text = await readFile(join(BUILD, 'client', manifest[sheet]?.file ?? ''), 'utf8')
    return { text, source: hashSource(text) }
  }
  const criticalCss = await readSheet(POST_STYLES)
  const objectCss = await readSheet(OBJECT_STYLES)
  const pages = PAGES.map(([path, module]) => {
    if (!manifest[module]) throw new Error(`The build has no ${module}: run "npm run build"`)
    const assets = { ...findAssets(manifest, [ENTRY, module]), fonts }
    return { path, assets: module === POST_PAGE ? { ...assets, criticalCss, objectCss } : assets }
  })
  return {
    headScript: HEAD_SCRIPT,
    words: SERVER_TEXTS,
    describeBody,
    staticSite: { ...STATIC_SITE, style: (await readSheet(STATIC_SITE_STYLES)).text },
    render,
    textsVersion: hash('sha256', await readFile(renderer), 'base64'),
    assetsFor: (url) => pages.find(({ path }) => path.test(url))?.assets ?? plain,
    async addFiles(app: FastifyInstance) {
      const client = join(BUILD, 'client')
      const options = { dotfiles: 'ignore', preCompressed: true, cacheControl: false } as const
      const withCacheControl = (value: string) => (reply: FastifyReply) => {
        reply.header('cache-control', value)
      }
      await app.register(fastifyStatic, {
        ...options,
        root: join(client, 'assets'),
        prefix: '/assets/',
        index: false,
        allowedPath: (path) => !/\.(?:br|gz)$/.test(path),
        // Their names change with their bytes.
        setHeaders: withCacheControl('public, max-age=31536000, immutable'),
      })
      await app.register(fastifyStatic, {
        ...options,
        root: client,
        wildcard: false,
        index: false,
        decorateReply: false,
        setHeaders: withCacheControl('public, max-age=3600'),
        globIgnore: ['assets/**', '.vite/**', '**/*.br', '**/*.gz'],
      })
    },
  }
}

function findAssets(manifest: Manifest, modules: string[]): Omit<PageAssets, 'fonts'> {
  const files = new Set<string>()
  const css = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const file of chunk.css ?? []) css.add(`/${file}`)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const module of modules) visit(module)
  const entry = manifest[ENTRY]
  if (!entry) throw new Error('The build has no entry: run "npm run build"')
  return {
    entry: `/${entry.file}`,
    css: [...css],
    preload: [...files].filter((file) => file !== entry.file).map((file) => `/${file}`),
    readingAids: `/${manifest[READING_AIDS]?.file}`,
  }
}

// --- the font files of the built style sheet, for preload links in pages

const RULE = /@font-face\s*\{([^{}]*)\}/g
const ADDRESS = /url\(["']?(\/[^"'()]+)["']?\)/
const RANGES = /unicode-range:\s*([^;}]+)/i
const WEIGHTS = /font-weight:\s*(\d+)(?:\s+(\d+))?/i
const LAST_CODE_POINT = 0x10ffff

/** The font faces with a file; faces of the reader's own fonts need no preloading. */
export function parseFontFaces(css: string): FontFace[] {
  return [...css.matchAll(RULE)].flatMap(([, rule = '']) => {
    const href = ADDRESS.exec(rule)?.[1]
    if (!href) return []
    const ranges = RANGES.exec(rule)?.[1]?.split(',').map(parseRange) ?? [
      [0, LAST_CODE_POINT] as [number, number],
    ]
    const [, least = '400', most = least] = WEIGHTS.exec(rule) ?? []
    return [
      {
        href,
        weights: [Number(least), Number(most)],
        isItalic: /font-style:\s*italic/i.test(rule),
        ranges,
      },
    ]
  })
}

/**
 * @source CSS Fonts 4, "urange": one code point, two with a dash, or question marks for any digit
 */
function parseRange(text: string): [number, number] {
  const [first = '', last = first] = text.trim().replace(/^u\+/i, '').split('-')
  return [
    Number.parseInt(first.replaceAll('?', '0'), 16),
    Number.parseInt(last.replaceAll('?', 'f'), 16),
  ]
}
