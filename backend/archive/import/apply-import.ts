// Imports what the dry run has found, in batches: each is one transaction with the items that say
// what was imported, so that an import that is interrupted at any point goes on where it was.
import {
  IMPORT_ISSUES_MAX,
  type ImportCounts,
  type ImportIssue,
  type ImportProgress,
} from '#contract/archive.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { ArchiveContext } from '../context.ts'
import { countAddresses } from '../old-addresses.ts'
import { type FetchOptions, makeFetchPicture } from './fetch-picture.ts'
import { importComments } from './import-comments.ts'
import { type ApplyTask, NO_COUNTS, type WorkOptions } from './import-options.ts'
import { importPosts } from './import-posts.ts'
import * as store from './imports-store.ts'
import { type OldSite, readOldSite } from './old-site.ts'
import { makePeople } from './people.ts'
import { makePictures } from './pictures.ts'
import { planImport } from './plan-import.ts'
import { copySiteName } from './site-name.ts'
import { readStagedSite } from './staged-site.ts'
import { findStaging, type PlanAction, readIssues, type Staging } from './staging-store.ts'

type TestOptions = { fetching?: FetchOptions['test'] }

/**
 * Repeatable after a kill at any point, with the same end.
 *
 * @throws what `signal` was aborted with, between two batches
 */
export async function applyImport(
  context: ArchiveContext,
  task: ApplyTask,
  options: WorkOptions,
  { fetching }: TestOptions = {},
): Promise<{ imported: ImportCounts; issues: ImportIssue[] }> {
  const staging = findStaging(task.folder)
  if (!staging) throw new Error('The dry run comes first')
  const fetchPicture = makeFetchPicture({
    hosts: hostsOf(siteOf(staging, task)),
    signal: options.signal,
    ...(fetching && { test: fetching }),
  })
  try {
    const imported = await applyStaged(context, staging, { task, options, fetchPicture })
    return { imported, issues: await saveIssues(context, staging, task.runId) }
  } finally {
    fetchPicture.close()
    staging.close()
  }
}

function siteOf(staging: Staging, { oldAddress }: ApplyTask): OldSite {
  const { kind, site } = readStagedSite(staging)
  return readOldSite(kind, site, oldAddress)
}

function hostsOf({ hosts, pictureHosts }: OldSite): ReadonlySet<string> {
  return new Set([...hosts, ...pictureHosts])
}

type Applying = {
  task: ApplyTask
  options: WorkOptions
  fetchPicture: ReturnType<typeof makeFetchPicture>
}

async function applyStaged(
  context: ArchiveContext,
  staging: Staging,
  { task, options, fetchPicture }: Applying,
): Promise<ImportCounts> {
  const { runId, ownerId, choices, tree } = task
  const { signal } = options
  const site = siteOf(staging, task)
  const { source } = readStagedSite(staging)
  const item = { owner: ownerId ?? '', source, runId }
  const userOf = await makePeople(context, staging, item, { ownerId, choices })
  await planImport(context, { staging, site, source, task, userOf, signal })
  const imported = await countImported(context, staging, runId, ['done'])
  const report = makeReport(options, imported)
  const posts = { total: countOf(staging, ['import', 'done']), done: countOf(staging, ['done']) }
  let lastTitle = ''
  const pictures = makePictures({
    context,
    staging,
    tree,
    site,
    fetchPicture,
    item,
    onStored() {
      imported.pictures += 1
      report('posts', posts.done, posts.total, lastTitle)
    },
  })
  const shared = { staging, task, source, imported, signal }
  await importPosts(context, {
    ...shared,
    site,
    pictures: choices.hasPictures ? pictures : undefined,
    onBatch(title, count) {
      posts.done += count
      lastTitle = title
      report('posts', posts.done, posts.total, title)
    },
  })
  const total = staging.countComments()
  if (choices.hasComments)
    await importComments(context, {
      ...shared,
      onBatch: (name) => report('comments', imported.comments, total, name),
    })
  if (choices.hasSiteName && ownerId === undefined) await copySiteName(context, staging, item)
  return countImported(context, staging, runId, ['import', 'done'])
}

function countOf(staging: Staging, actions: PlanAction[]): number {
  return staging.countPlanned(actions).reduce((sum, { posts }) => sum + posts, 0)
}

function makeReport({ onProgress }: WorkOptions, imported: ImportCounts) {
  return (phase: ImportProgress['phase'], done: number, total: number, name: string) =>
    onProgress({ phase, done, total, name, imported: { ...imported } })
}

/** What the run has imported, also before it was interrupted. */
async function countImported(
  { db }: ArchiveContext,
  staging: Staging,
  runId: string,
  actions: PlanAction[],
): Promise<ImportCounts> {
  const counts: ImportCounts = {
    ...NO_COUNTS,
    pictures: await store.countPictures(db, runId),
    comments: await store.countItems(db, runId, 'comment'),
    people: await store.countItems(db, runId, 'person'),
    tags: await store.countTags(db, runId),
    addresses: await countAddresses(db, runId),
  }
  for (const { counted, posts } of staging.countPlanned(actions)) counts[counted] = posts
  return counts
}

/** What the import has found itself follows what the dry run has found. */
async function saveIssues(
  context: ArchiveContext,
  staging: Staging,
  runId: string,
): Promise<ImportIssue[]> {
  const { db, background } = context
  const issues = readIssues(staging, ['import']).take(IMPORT_ISSUES_MAX).toArray()
  const first = IMPORT_ISSUES_MAX + 1
  if (await store.hasRun(db, runId))
    await inTransaction(db, background, (tx) => store.replaceIssues(tx, runId, { first, issues }))
  return issues
}
