// Everything a user has here, as one zip to download: account.json, posts.json, versions.json,
// deleted-posts.json, reads.json where there were reads, and the original images. Knows no HTTP.
import { Readable } from 'node:stream'
import type { FileModel } from '#contract/files.ts'
import { wireTime } from '#contract/ids.ts'
import { EXPORT_NAME_MAX_CHARS } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Caller } from '../accounts/caller.ts'
import { listIdentityRows } from '../accounts/identities.ts'
import { listAllSignIns } from '../accounts/logs.ts'
import { listSessionRows } from '../accounts/sessions.ts'
import { toAccount, toIdentity, toSession } from '../accounts/shapes.ts'
import { readUserRow } from '../accounts/users.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { Log } from '../process/log.ts'
import { type ArchiveEntry, makeArchive, makeSafeNames } from './archive.ts'

/** A stored original and how to read it; `open` gives undefined when its bytes have gone. */
export type OwnFile = { model: FileModel; open: () => Promise<Readable | undefined> }
type NamedFile = OwnFile & { path: string }

export type ExportNeeds = {
  db: Database
  log: Log
  /** All posts of the viewer, inactive ones included, oldest first. */
  streamPostsOf: (viewer: UserViewer) => AsyncIterable<PostDocument>
  /** All versions of the viewer's posts with their texts, oldest first. */
  streamVersionsOf: (viewer: UserViewer) => AsyncIterable<unknown>
  /** The viewer's deleted posts that can still be brought back, oldest first. */
  streamDeletedOf: (viewer: UserViewer) => AsyncIterable<unknown>
  /** How often the viewer's posts were read, by post and day, oldest first. */
  streamReadsOf: (viewer: UserViewer) => AsyncIterable<unknown>
  /** All complete files of the viewer, in both buckets. */
  listFilesOf: (viewer: UserViewer) => Promise<OwnFile[]>
  now: () => Date
}

/** @throws Refusal `user_not_found` when the account has just been deleted */
export async function exportOwnData(
  needs: ExportNeeds,
  viewer: UserViewer,
  { requestId, address }: Caller,
): Promise<{ name: string; bytes: Readable }> {
  const at = needs.now()
  const safeName = makeSafeNames(EXPORT_NAME_MAX_CHARS)
  const files = (await needs.listFilesOf(viewer)).map(({ model, open }) => ({
    model,
    open,
    path: `images/${safeName(model.name)}`,
  }))
  const hasReads = await hasAny(needs.streamReadsOf(viewer))
  const account = await describeAccount(needs, viewer, files, at)
  const { userId } = viewer
  needs.log.info(
    { event: 'export', requestId, userId, address, files: files.length },
    'own data downloaded',
  )
  return {
    name: `blog-data-${at.toISOString().slice(0, 10)}.zip`,
    bytes: makeArchive([
      jsonEntry('account.json', at, () => [`${JSON.stringify(account, undefined, 2)}\n`]),
      jsonEntry('posts.json', at, () => toJsonList(needs.streamPostsOf(viewer))),
      jsonEntry('versions.json', at, () => toJsonList(needs.streamVersionsOf(viewer))),
      jsonEntry('deleted-posts.json', at, () => toJsonList(needs.streamDeletedOf(viewer))),
      ...(hasReads
        ? [jsonEntry('reads.json', at, () => toJsonList(needs.streamReadsOf(viewer)))]
        : []),
      ...files.map(imageEntry),
    ]),
  }
}

/** What account.json holds. */
async function describeAccount(
  { db, now }: Pick<ExportNeeds, 'db' | 'now'>,
  { userId, sessionId }: UserViewer,
  files: NamedFile[],
  at: Date,
): Promise<unknown> {
  const user = await readUserRow(db, userId)
  const sessions = await listSessionRows(db, userId, at)
  const identities = await listIdentityRows(db, userId)
  return {
    exportedAt: wireTime(at),
    account: toAccount(user),
    identities: identities.map(toIdentity),
    sessions: sessions.map((row) => toSession(row, { isCurrent: row.id === sessionId })),
    signIns: await listAllSignIns({ db, now }, user),
    files: files.map(({ model, path }) => ({ ...model, path })),
  }
}

function jsonEntry(
  path: string,
  changedAt: Date,
  pieces: () => Iterable<string> | AsyncIterable<string>,
): ArchiveEntry {
  return { path, changedAt, isCompressible: true, open: async () => Readable.from(pieces()) }
}

function imageEntry({ model, path, open }: NamedFile): ArchiveEntry {
  return { path, changedAt: new Date(model.$createdAt), isCompressible: false, open }
}

async function hasAny(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _item of items) return true
  return false
}

/** A JSON list, piece by piece. */
async function* toJsonList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const item of items) {
    yield before + JSON.stringify(item, undefined, 2)
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
