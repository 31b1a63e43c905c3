// The dry run of an import: reads the export into the staging file, and says what would be imported
// and what would not. Nothing of this blog is changed.
import type { ImportCheck, ImportCounts, ImportIssue } from '#contract/archive.ts'
import { findRoomOf } from '../../files/files.ts'
import type { ArchiveContext } from '../context.ts'
import type { Source } from '../sources/source.ts'
import { type ImportTask, NO_COUNTS, type WorkOptions } from './import-options.ts'
import { readOldSite } from './old-site.ts'
import { listAuthors, proposePeople } from './people.ts'
import { planImport } from './plan-import.ts'
import { readExport } from './read-export.ts'
import { readStagedSite } from './staged-site.ts'
import { type PlanAction, readIssues, type Staging } from './staging-store.ts'

const NAMES_SHOWN = 3

/**
 * @returns `issues` must be read at once: they end with the staging file
 * @throws SourceProblem when the export cannot be read
 */
export async function checkImport(
  context: ArchiveContext,
  task: ImportTask & { source: Source },
  options: WorkOptions,
): Promise<{ check: ImportCheck; issues: Iterable<ImportIssue> }> {
  const staging = await readExport({ ...task, now: context.now() }, options)
  const { kind, site, source } = readStagedSite(staging)
  const isWholeBlog = task.ownerId === undefined
  const people = await proposePeople(context, staging, isWholeBlog)
  const proposals = new Map(
    people.filter(({ proposal }) => proposal !== '').map(({ key, proposal }) => [key, proposal]),
  )
  await planImport(context, {
    staging,
    site: readOldSite(kind, site, task.oldAddress),
    source,
    task: {
      runId: '',
      ownerId: task.ownerId,
      // Pages are counted apart, also those that can only come as posts.
      choices: { status: 'active', pages: 'pages' },
    },
    userOf: async (key) => task.ownerId ?? proposals.get(key) ?? '',
    signal: options.signal,
  })
  staging.inOne(() => staging.addPresentIssues())
  const newPeople = listAuthors(staging).length - proposals.size
  const dates = staging.datesOfPosts()
  const check: ImportCheck = {
    kind,
    program: site.program,
    siteName: site.name,
    siteDescription: site.description,
    siteUrl: site.url,
    found: countFound(staging),
    willImport: countPlanned(staging, isWholeBlog ? newPeople : 0),
    oldest: dates?.oldest ?? '',
    newest: dates?.newest ?? '',
    pictureBytes: staging.sumPictureBytes(),
    roomBytes: task.ownerId === undefined ? null : await findRoomOf(context, task.ownerId),
    people,
    issues: staging.countIssues().map((group) => ({
      ...group,
      names: staging.listIssueNames(group.what, group.reason, NAMES_SHOWN),
    })),
    issueCount: staging.countIssues().reduce((sum, { count }) => sum + count, 0),
  }
  return { check, issues: closing(staging) }
}

/** Closes the staging file after the last issue. */
function* closing(staging: Staging): Iterable<ImportIssue> {
  try {
    yield* readIssues(staging, ['read', 'check', 'present'])
  } finally {
    staging.close()
  }
}

function countFound(staging: Staging): ImportCounts {
  const counts = {
    ...NO_COUNTS,
    pictures: staging.countUsedPictures() + staging.countMissingPictures(),
    comments: staging.countOf('comment'),
    people: listAuthors(staging).length,
    tags: staging.countOf('tag'),
    addresses: staging.countAddresses(),
  }
  for (const { kind, status, posts } of staging.countByKind())
    if (kind === 'page') counts.pages += posts
    else counts[status === 'published' ? 'posts' : 'drafts'] += posts
  return counts
}

function countPlanned(staging: Staging, people: number): ImportCounts {
  const actions: PlanAction[] = ['import']
  const counts = {
    ...NO_COUNTS,
    pictures: staging.countUsedPictures(),
    comments: staging.countComments(),
    people,
    tags: staging.countOf('tag'),
    addresses: staging.countAddresses() - staging.countOwnAddresses(),
  }
  for (const { counted, posts } of staging.countPlanned(actions)) counts[counted] = posts
  return counts
}
