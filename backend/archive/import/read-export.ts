// Reads an export into a staging file, and looks at each of its posts: its addresses and pictures,
// and what cannot come as it is. Nothing of this blog is read or written.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportProgress } from '#contract/archive.ts'
import type { Source } from '../sources/source.ts'
import { type ImportTask, NO_COUNTS, type WorkOptions } from './import-options.ts'
import { type ImportedPost, type Report, readImportedPost } from './imported-post.ts'
import {
  addressesOf,
  mayLead,
  type OldSite,
  readOldSite,
  readPicture,
  sourceName,
} from './old-site.ts'
import { findPicture } from './pictures.ts'
import { findAddresses } from './rewrite-html.ts'
import { readStagedSite } from './staged-site.ts'
import {
  beginStaging,
  completeStaging,
  findStaging,
  makeSink,
  type StagedPost,
  type Staging,
} from './staging-store.ts'

const POSTS_AT_ONCE = 100
const PICTURES_AT_ONCE = 1000

type Reading = ImportTask & { source: Source; now: Date }

/** @throws SourceProblem when the export cannot be read */
export async function readExport(task: Reading, options: WorkOptions): Promise<Staging> {
  const { folder } = task
  const complete = findStaging(folder)
  if (complete) return complete
  const staging = beginStaging(folder)
  try {
    await readSource(staging, task, options)
    const { kind, site } = readStagedSite(staging)
    const oldSite = readOldSite(kind, site, task.oldAddress)
    staging.setMeta('source', sourceName(oldSite, site, task.tree.name))
    await lookAtPosts(staging, oldSite, task, options)
    staging.inOne(() => {
      listUnusedPictures(staging, oldSite)
      for (const orphan of staging.prepareComments())
        staging.addIssue('check', {
          what: 'comment',
          name: `${orphan.authorName} ${orphan.createdAt}`,
          reason: 'parentMissing',
          post: orphan.postKey,
          detail: '',
        })
      staging.addCommentIssues()
    })
    return completeStaging(folder, staging)
  } catch (error) {
    staging.close()
    throw error
  }
}

async function readSource(
  staging: Staging,
  { tree, source, oldAddress }: Reading,
  options: WorkOptions,
): Promise<void> {
  const { signal } = options
  const report = makeReport(options)
  const sink = makeSink(staging, (done, total) => report(done, total))
  staging.setMeta('kind', source.kind)
  for await (const { path, sizeBytes } of tree.list()) {
    signal.throwIfAborted()
    sink.treeFile(path, sizeBytes)
  }
  await source.read(tree, sink, { signal, oldAddress })
  sink.end()
}

function makeReport({ onProgress }: WorkOptions) {
  return (done: number, total: number) => {
    const progress: ImportProgress = { phase: 'read', done, total, name: '', imported: NO_COUNTS }
    onProgress(progress)
  }
}

async function lookAtPosts(
  staging: Staging,
  site: OldSite,
  task: Reading,
  options: WorkOptions,
): Promise<void> {
  const report = makeReport(options)
  const total = staging.countPosts()
  for (let after = 0, done = 0; ; ) {
    options.signal.throwIfAborted()
    const posts = staging.listPosts(after, POSTS_AT_ONCE)
    const last = posts.at(-1)
    if (!last) return
    staging.inOne(() => {
      for (const post of posts) lookAtPost(staging, site, task, post)
    })
    done += posts.length
    report(done, total)
    after = last.seq
    await nextTurn()
  }
}

function lookAtPost(staging: Staging, site: OldSite, task: Reading, post: StagedPost) {
  const { kind: what, title: name } = post
  const isWholeBlog = task.ownerId === undefined
  const choices = { status: 'active', pages: isWholeBlog ? 'pages' : 'posts' } as const
  const rules = { site, choices, isWholeBlog, now: task.now }
  const issues: Parameters<Report>[0][] = []
  const imported: ImportedPost = readImportedPost(post, rules, (issue) => void issues.push(issue))
  for (const issue of issues)
    staging.addIssue('check', { what, name: name || imported.title, post: '', ...issue })
  const others = post.authors.slice(1).map(staging.findPersonName)
  if (isWholeBlog && others.length > 0) {
    const issue = {
      what,
      name: name || imported.title,
      reason: 'tooManyAuthors',
      post: '',
    } as const
    staging.addIssue('check', { ...issue, detail: others.join(', ') })
  }
  for (const address of addressesOf(site, post)) {
    const isFree = staging.addAddress(address, post.seq)
    if (isFree && mayLead(address, isWholeBlog)) continue
    const reason = isFree ? 'address' : 'conflict'
    const issue = { what: 'address', name: address, reason, post: imported.title } as const
    staging.addIssue('check', { ...issue, detail: '' })
  }
  if (post.url.startsWith('tree:')) staging.addAddress(post.url, post.seq)
  const cover = post.cover ? [post.cover.url] : []
  for (const address of [...cover, ...findAddresses(post.html).pictures])
    lookAtPicture(staging, site, post, address)
}

function lookAtPicture(staging: Staging, site: OldSite, post: StagedPost, address: string): void {
  const found = findPicture(staging, site, address, post.url)
  const source = found?.source ?? readPicture(site, address, post.url, staging.hasPicture)
  // Without a known site, only the files can have it.
  const isFile = source?.path !== undefined || !URL.canParse(address, site.home?.href)
  const isAbsent = !found?.file && isFile
  if (found && !isAbsent) {
    staging.addUsedPicture(found.source.key, found.file?.sizeBytes ?? 0)
    return
  }
  if (source) staging.addUsedPicture(source.key, null)
  const host = URL.parse(address)?.host ?? ''
  staging.addIssue('check', {
    what: 'picture',
    name: address.startsWith('data:') ? 'data:' : address.replace(/^tree:/, ''),
    reason: isAbsent ? 'pictureMissing' : 'pictureRefused',
    post: post.title,
    detail: isAbsent ? '' : host,
  })
}

/** Pictures of the media library that no post shows. */
function listUnusedPictures(staging: Staging, site: OldSite): void {
  for (let after = ''; ; ) {
    const pictures = staging.listPictures(after, PICTURES_AT_ONCE)
    const last = pictures.at(-1)
    if (!last) return
    for (const { url } of pictures) {
      const source = readPicture(site, url, '', staging.hasPicture)
      if (source && staging.isUsed(source.key)) continue
      const issue = { what: 'picture', name: url, reason: 'unused', post: '', detail: '' } as const
      staging.addIssue('check', issue)
    }
    after = last.key
  }
}
