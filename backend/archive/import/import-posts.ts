// Imports the planned posts: some of them are prepared, with their pictures, and then written in
// one transaction with their items and addresses, as typed posts are written.
import type { ImportCounts, ImportIssue } from '#contract/archive.ts'
import { Refusal } from '#contract/errors.ts'
import { defaultPermissions } from '#contract/permissions.ts'
import { inTransaction, lockUser } from '../../database/transaction.ts'
import { toStoredPermissions } from '../../posts/access.ts'
import {
  digestOfPost,
  NO_OPTIONS,
  type PreparedPost,
  prepareNewPost,
  writeNewPost,
} from '../../posts/new-post.ts'
import { PAGE_PERMISSIONS } from '../../posts/pages.ts'
import { readContent } from '../../posts/post-data.ts'
import type { ArchiveContext } from '../context.ts'
import { insertAddress } from '../old-addresses.ts'
import type { ApplyTask } from './import-options.ts'
import { importText, type TextImport } from './import-text.ts'
import { type ImportedPost, readImportedPost } from './imported-post.ts'
import { insertItem, isPostId } from './imports-store.ts'
import { addressesOf, mayLead } from './old-site.ts'
import type { PlannedPost } from './staging-store.ts'
import { withRetries } from './with-retries.ts'

const POSTS_AT_ONCE = 50
/** Of the texts that one transaction writes: other writers wait for it. */
const BATCH_MAX_CHARS = 300_000

export type PostsImport = Omit<TextImport, 'report'> & {
  task: ApplyTask
  source: string
  imported: ImportCounts
  /** Called after each transaction, with the number of posts that are done. */
  onBatch(title: string, posts: number): void
}
type Ready = {
  planned: PlannedPost
  imported: ImportedPost
  prepared: PreparedPost
  addresses: string[]
}

export async function importPosts(context: ArchiveContext, posts: PostsImport): Promise<void> {
  const { staging, signal } = posts
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const planned = staging.listPlanned(after, { limit: POSTS_AT_ONCE, maxChars: BATCH_MAX_CHARS })
    const last = planned.at(-1)
    if (!last) return
    const ready: Ready[] = []
    for (const post of planned) {
      signal.throwIfAborted()
      const prepared = await preparePost(context, posts, post, posts.task.choices.pages)
      if (prepared) ready.push(prepared)
    }
    // The limit of pages, or a taken address, refuses a page alone.
    for (const page of ready.filter(({ imported }) => imported.isPage))
      await writePage(context, posts, page)
    await writeBatch(
      context,
      posts,
      ready.filter(({ imported }) => !imported.isPage),
    )
    posts.onBatch(last.post.title, planned.length)
    after = last.postSeq
  }
}

function reportFor({ staging }: PostsImport, { post }: PlannedPost) {
  return (issue: Omit<ImportIssue, 'what' | 'name' | 'post'> & Partial<ImportIssue>) =>
    staging.addIssue('import', {
      what: post.kind,
      name: post.title,
      ...issue,
      post: issue.what ? post.title : '',
    })
}

/** @returns undefined for a post that cannot be imported, which is reported */
async function preparePost(
  context: ArchiveContext,
  posts: PostsImport,
  planned: PlannedPost,
  pages: ApplyTask['choices']['pages'],
): Promise<Ready | undefined> {
  const { staging, site, task } = posts
  const { post, postId: id, userId } = planned
  const report = reportFor(posts, planned)
  const rules = {
    site,
    choices: { ...task.choices, pages },
    isWholeBlog: task.ownerId === undefined,
    now: context.now(),
  }
  const imported = readImportedPost(post, rules, () => {})
  const { isPage, title, status, tags, details, createdAt, updatedAt, publishedAt } = imported
  const { html, cover } = await importText(context, { ...posts, report }, { post, userId })
  try {
    const content = readContent(html, await context.postTexts.prepareSanitise(html, userId))
    const permissions = isPage ? PAGE_PERMISSIONS : toStoredPermissions(defaultPermissions(userId))
    const dates = { createdAt, updatedAt, publishedAt }
    const row = {
      id,
      title,
      content,
      featuredImage: cover,
      status,
      userId,
      ...permissions,
      ...dates,
    }
    const options = {
      ...NO_OPTIONS,
      details,
      commentsClosed: Number(post.areCommentsClosed),
      publishAt: imported.publishAt,
    }
    const prepared = await prepareNewPost(context, { row, attributes: '', tags, options })
    return { planned, imported, prepared, addresses: await freeAddresses(context, posts, planned) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const isLong = /longer than|more than/.test(error.message)
    report({ reason: isLong ? 'tooLong' : 'unreadable', detail: error.message })
    staging.changePlan(planned.postSeq, { action: 'out', counted: 'posts' })
    return undefined
  }
}

/** The addresses of a post that this blog does not use itself. */
async function freeAddresses(
  { db }: ArchiveContext,
  { site, task }: PostsImport,
  { post }: PlannedPost,
): Promise<string[]> {
  const isWholeBlog = task.ownerId === undefined
  const addresses = addressesOf(site, post).filter((address) => mayLead(address, isWholeBlog))
  const free: string[] = []
  for (const address of addresses) {
    const [, id] = /^\/post\/([^/]+)/.exec(address) ?? []
    if (id === undefined || !(await isPostId(db, id))) free.push(address)
  }
  return free
}

const PAGE_REFUSALS = [
  'page_count_exceeded',
  'page_address_taken',
  'page_address_reserved',
  'document_invalid_structure',
]

/** A page that does not fit becomes a post with the tag "page". */
async function writePage(context: ArchiveContext, posts: PostsImport, page: Ready): Promise<void> {
  try {
    await writeBatch(context, posts, [page])
  } catch (error) {
    if (!(error instanceof Refusal) || !PAGE_REFUSALS.includes(error.type)) throw error
    const { planned } = page
    reportFor(posts, planned)({ reason: 'conflict', detail: error.message })
    const counted = page.imported.status === 'active' ? 'posts' : 'drafts'
    posts.staging.changePlan(planned.postSeq, { action: 'import', counted })
    const post = await preparePost(context, posts, planned, 'posts')
    if (post) await writeBatch(context, posts, [post])
  }
}

async function writeBatch(
  context: ArchiveContext,
  posts: PostsImport,
  batch: Ready[],
): Promise<void> {
  const { task, source, imported: counts } = posts
  const { runId, ownerId: owner = '' } = task
  if (batch.length === 0) return
  const userIds = [...new Set(batch.map(({ planned }) => planned.userId))].sort()
  const taken = await withRetries(() =>
    inTransaction(context.db, context.background, async (tx, afterCommit) => {
      const conflicts: { planned: PlannedPost; address: string }[] = []
      for (const userId of userIds)
        if (!(await lockUser(tx, userId))) throw new Error('The account of an author is gone.')
      for (const { planned, prepared, addresses } of batch) {
        await writeNewPost(context, tx, afterCommit, { viewer: { role: 'key' }, prepared })
        await insertItem(tx, {
          owner,
          source,
          kind: 'post',
          key: planned.post.key,
          runId,
          targetId: planned.postId,
          digest: digestOfPost(prepared.row),
        })
        for (const address of addresses)
          if (!(await insertAddress(tx, { address, postId: planned.postId, runId })))
            conflicts.push({ planned, address })
      }
      return conflicts
    }),
  )
  for (const { planned, address } of taken)
    reportFor(posts, planned)({ what: 'address', name: address, reason: 'conflict', detail: '' })
  for (const { imported, addresses } of batch) {
    counts[imported.isPage ? 'pages' : imported.status === 'active' ? 'posts' : 'drafts']++
    counts.addresses += addresses.length
  }
  counts.addresses -= taken.length
}
