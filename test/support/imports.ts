// Imports for tests: an export that the test writes itself as values, the blog that it is imported
// into, and what came of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ArchiveContext } from '#backend/archive/context.ts'
import { applyImport } from '#backend/archive/import/apply-import.ts'
import { checkImport } from '#backend/archive/import/check-import.ts'
import type { FetchOptions } from '#backend/archive/import/fetch-picture.ts'
import { undoImport } from '#backend/archive/import/undo-import.ts'
import type {
  FileTree,
  Source,
  SourceComment,
  SourcePerson,
  SourcePicture,
  SourcePost,
  SourceSite,
} from '#backend/archive/sources/source.ts'
import { emptyPost } from '#backend/archive/sources/source-values.ts'
import { openContexts } from '#backend/contexts.ts'
import { makeLog } from '#backend/process/log.ts'
import { readConfig } from '#backend/settings/config.ts'
import type { ImportChoices, ImportProgress } from '#contract/archive.ts'
import { findTempFolder } from './temp-folder.ts'

export type TestExport = {
  site?: Partial<SourceSite>
  people?: SourcePerson[]
  posts?: (Partial<SourcePost> & { key: string })[]
  comments?: (Partial<SourceComment> & { key: string; postKey: string })[]
  pictures?: SourcePicture[]
  files?: Record<string, Buffer | string>
}

const SITE: SourceSite = {
  program: 'Test 1.0',
  name: 'The old blog',
  description: 'Before the move',
  url: 'https://old.example/',
}

export const POST: SourcePost = {
  ...emptyPost(''),
  title: 'A day at sea',
  html: '<p>Waves.</p>',
  status: 'published',
  publishedAt: '2019-05-04T08:00:00.000Z',
  createdAt: '2019-05-03T08:00:00.000Z',
  updatedAt: '2019-05-05T08:00:00.000Z',
}

const COMMENT = {
  parentKey: '',
  authorName: 'A reader',
  authorEmail: 'reader@old.example',
  createdAt: '2019-06-01T08:00:00.000Z',
  text: 'Lovely',
  isHtml: false,
  isApproved: true,
}

export function makeSource({ site, people, posts, comments, pictures }: TestExport): Source {
  return {
    kind: 'wordpress',
    recognise: async () => true,
    async read(_tree, sink) {
      sink.site({ ...SITE, ...site })
      for (const person of people ?? []) sink.person(person)
      for (const post of posts ?? []) sink.post({ ...POST, ...post })
      for (const comment of comments ?? []) sink.comment({ ...COMMENT, ...comment })
      for (const picture of pictures ?? []) sink.picture(picture)
    },
  }
}

export function makeTree({ files = {} }: TestExport): FileTree {
  return {
    name: 'export.xml',
    async *list() {
      for (const [path, bytes] of Object.entries(files))
        yield { path, sizeBytes: Buffer.byteLength(bytes), modifiedAt: '' }
    },
    async open(path) {
      const bytes = files[path]
      return bytes === undefined ? undefined : Readable.from([Buffer.from(bytes)])
    },
    close: async () => {},
  }
}

export const CHOICES: ImportChoices = {
  status: 'active',
  pages: 'pages',
  hasPictures: true,
  hasComments: true,
  hasSiteName: false,
  people: {},
}

/** A blog without a server. @param options `dataDir` is kept, by default it is a new one */
export async function openImportBlog({ databaseUrl = '', dataDir: givenDir = '' } = {}) {
  const dataDir = givenDir || (await mkdtemp(join(await findTempFolder(), 'lamplight-import-')))
  const config = readConfig({
    BLOG_PUBLIC_URL: 'https://blog.example',
    BLOG_DATA_DIR: dataDir,
    ...(databaseUrl && { BLOG_DATABASE_URL: databaseUrl }),
  })
  const contexts = await openContexts(config, makeLog('silent'), {
    now: () => new Date(),
    pages: undefined,
    onFatal: () => {},
  })
  return {
    context: contexts.archive,
    dataDir,
    async [Symbol.asyncDispose]() {
      await contexts[Symbol.asyncDispose]()
      if (givenDir === '') await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type RunOptions = {
  runId?: string
  ownerId?: string | undefined
  oldAddress?: string
  choices?: Partial<ImportChoices>
  fetching?: FetchOptions['test']
  signal?: AbortSignal
  onProgress?: (progress: ImportProgress) => void
  folder?: string
}

export async function checkExport(
  { context, dataDir }: { context: ArchiveContext; dataDir: string },
  exported: TestExport,
  { ownerId, oldAddress = '', signal = new AbortController().signal, ...run }: RunOptions = {},
) {
  const folder = run.folder ?? (await mkdtemp(join(dataDir, 'work-')))
  const task = {
    folder,
    tree: makeTree(exported),
    source: makeSource(exported),
    ownerId,
    oldAddress,
  }
  const { check, issues } = await checkImport(context, task, { signal, onProgress: () => {} })
  return { folder, check, issues: [...issues] }
}

/** Checks and imports an export. */
export async function importExport(
  blog: { context: ArchiveContext; dataDir: string },
  exported: TestExport,
  options: RunOptions = {},
) {
  const { runId = 'run-1', ownerId, oldAddress = '', choices, fetching } = options
  const { onProgress = () => {} } = options
  const { folder, check, issues } = await checkExport(blog, exported, options)
  const { imported } = await applyImport(
    blog.context,
    {
      runId,
      folder,
      tree: makeTree(exported),
      ownerId,
      oldAddress,
      choices: { ...CHOICES, ...choices },
    },
    { signal: options.signal ?? new AbortController().signal, onProgress },
    fetching && { fetching },
  )
  return { folder, check, issues, imported }
}

export function undo({ context }: { context: ArchiveContext }, runId = 'run-1') {
  const signal = new AbortController().signal
  return undoImport(context, { runId }, { signal, onProgress: () => {} })
}
