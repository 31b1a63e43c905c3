// Decides about each post of an export whether it is imported, and under which id, before the first
// of them is written: so links between posts can be rewritten at once.
import { postPath } from '#contract/post-url.ts'
import { parseDetails } from '../../posts/post-details.ts'
import type { ArchiveContext } from '../context.ts'
import { makeImportedId } from './import-ids.ts'
import type { ApplyTask } from './import-options.ts'
import { isWanted, readImportedPost } from './imported-post.ts'
import * as store from './imports-store.ts'
import type { OldSite } from './old-site.ts'
import type { Plan, StagedPost, Staging } from './staging-store.ts'

const POSTS_AT_ONCE = 200
const TITLES_AT_ONCE = 1000

type Planning = {
  staging: Staging
  site: OldSite
  source: string
  task: Pick<ApplyTask, 'runId' | 'ownerId'> & {
    choices: Pick<ApplyTask['choices'], 'status' | 'pages'>
  }
  userOf: (authorKey: string) => Promise<string>
  signal: AbortSignal
}

export async function planImport(context: ArchiveContext, planning: Planning): Promise<void> {
  const { staging, source, task, signal } = planning
  const scope = { owner: task.ownerId ?? '', source }
  staging.clearPlan()
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const posts = staging.listPosts(after, POSTS_AT_ONCE)
    const last = posts.at(-1)
    if (!last) return
    const keys = posts.map(({ key }) => key)
    const items = await store.findItems(context.db, scope, 'post', keys)
    const plans: Plan[] = []
    for (const post of posts)
      plans.push(await planPost(context, planning, post, items.get(post.key)))
    staging.inOne(() => {
      for (const plan of plans) staging.setPlan(plan)
    })
    after = last.seq
  }
}

type Item = { runId: string; targetId: string }

async function planPost(
  context: ArchiveContext,
  planning: Planning,
  post: StagedPost,
  item: Item | undefined,
): Promise<Plan> {
  const { staging, site, task } = planning
  const { runId, ownerId, choices } = task
  const rules = { site, choices, isWholeBlog: ownerId === undefined, now: context.now() }
  const imported = readImportedPost(post, rules, () => {})
  const isPage = post.kind === 'page' && choices.pages === 'pages'
  const counted = isPage ? 'pages' : imported.status === 'active' ? 'posts' : 'drafts'
  const plan = { postSeq: post.seq, postId: '', userId: '', path: '', counted } as const
  if (item) {
    const action = item.runId === runId ? 'done' : 'present'
    return { ...plan, action, postId: item.targetId, path: `/post/${item.targetId}` }
  }
  if (!isWanted(post, choices)) return { ...plan, action: 'out' }
  const userId = await planning.userOf(post.authors[0] ?? '')
  await stageTitles(context, staging, { userId, runId })
  const sameId = staging.findExisting(userId, imported.createdAt, imported.title)
  if (sameId !== undefined)
    return { ...plan, action: 'same', postId: sameId, path: `/post/${sameId}` }
  const postId = makeImportedId(runId, 'post', post.key)
  const { addressWords } = parseDetails(imported.details)
  const path = imported.isPage
    ? `/post/${postId}`
    : postPath({ $id: postId, title: imported.title, addressWords })
  return { ...plan, action: 'import', postId, userId, path }
}

/** Copies the titles and dates of a person's posts to the staging file, once. */
async function stageTitles(
  { db }: ArchiveContext,
  staging: Staging,
  { userId, runId }: { userId: string; runId: string },
): Promise<void> {
  const mark = `titles of ${userId}`
  if (staging.getMeta(mark)) return
  for (let after = 0; ; ) {
    const rows = await store.listTitles(db, { userId, runId }, { after, limit: TITLES_AT_ONCE })
    staging.inOne(() => {
      for (const row of rows) staging.addExisting(userId, row)
    })
    const last = rows.at(-1)
    if (!last) break
    after = Number(last.seq)
  }
  staging.setMeta(mark, true)
}
