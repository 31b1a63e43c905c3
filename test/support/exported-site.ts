// Exports of a test blog into a folder, and a check of all links of an exported site.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Element } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'
import { writeArchive } from '#backend/archive/export/write-archive.ts'
import { openContexts } from '#backend/contexts.ts'
import { openGuestPages } from '#backend/guest-pages.ts'
import { makeLog } from '#backend/process/log.ts'
import { readConfig, readEnvironment } from '#backend/settings/config.ts'
import type { ExportPart } from '#contract/archive.ts'
import { findTempFolder } from './temp-folder.ts'

const LINKS = ['href', 'src', 'srcset', 'poster', 'action']

type ExportedBlog = { url: string; dataDir: string }
type Options = { ownerId?: string; signal?: AbortSignal; folder?: string }

export async function makeExportFolder() {
  const path = await mkdtemp(join(await findTempFolder(), 'lamplight-export-'))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

/** @returns how many pages were rendered */
export async function exportBlog(
  { url, dataDir }: ExportedBlog,
  folder: string,
  parts: ExportPart[],
  { ownerId, signal = new AbortController().signal }: Options = {},
): Promise<number> {
  const env = { BLOG_DATA_DIR: dataDir, BLOG_PUBLIC_URL: url, BLOG_RATE_LIMITS: 'off' }
  const config = readConfig(readEnvironment(env))
  const log = makeLog('warn')
  const onFatal = (error: unknown) => {
    throw error
  }
  await using contexts = await openContexts(config, log, {
    now: () => new Date(),
    pages: undefined,
    onFatal,
  })
  const pages = await openGuestPages(config, log)
  let rendered = 0
  const fetchPage: typeof pages.fetchPage = (path) => {
    if (/^\/post\/[^/]+\//.test(path)) rendered++
    return pages.fetchPage(path)
  }
  try {
    const request = { folder, parts, hasPeople: false, ownerId, ...pages, fetchPage }
    await writeArchive(contexts.archive, request, { signal, onProgress: () => {} })
  } finally {
    await pages.close()
  }
  return rendered
}

export async function listSiteFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/**
 * Follows each link of each page: to a file of the site, and to an element if it names one.
 *
 * @returns those that lead nowhere, or that load something from another site
 */
export async function findBrokenLinks(site: string): Promise<string[]> {
  const pages = (await listSiteFiles(site)).filter((file) => file.endsWith('.html'))
  const elements = new Map<string, Element[]>()
  for (const page of pages) {
    const root = parseDocument(await readFile(join(site, page), 'utf8'))
    elements.set(
      page,
      DomUtils.findAll(() => true, root.children),
    )
  }
  const isBroken = (page: string, { name }: Element, attribute: string, address: string) => {
    if (/^(?:https?|mailto|tel|data):/.test(address)) return name !== 'a' || attribute !== 'href'
    const [path = '', hash = ''] = address.replace(/\?[^#]*/, '').split('#')
    const target = path === '' ? page : join(dirname(page), decodeURIComponent(path))
    if (address.startsWith('/') || !existsSync(join(site, target))) return true
    const id = decodeURIComponent(hash)
    return hash !== '' && !elements.get(target)?.some(({ attribs }) => attribs.id === id)
  }
  return [...elements].flatMap(([page, all]) =>
    all.flatMap((element) =>
      LINKS.flatMap((attribute) => {
        const address = element.attribs[attribute]
        const isFault = address !== undefined && isBroken(page, element, attribute, address)
        return isFault ? [`${page}: ${element.name} ${attribute}=${address}`] : []
      }),
    ),
  )
}
