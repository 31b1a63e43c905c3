// The archive of a user's own data, one zip to download: account.json, posts.json, versions.json,
// deleted-posts.json, the original images, and comments.json, reports.json and reads.json unless
// they would be empty. Independent of HTTP.

import { Readable } from 'node:stream'
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { wireTime } from '#contract/ids.ts'
import { normaliseUnicode, trimChars } from '#contract/plain-text.ts'
import { listIdentities } from '../accounts/identities.ts'
import { toIdentity } from '../accounts/serialisers.ts'
import { type Caller, logEvent } from '../accounts/session-cookies.ts'
import { listSessions, listSignIns, SIGN_IN_LOGS_PER_USER } from '../accounts/sessions.ts'
import { readAccount } from '../accounts/users.ts'
import { streamCommentsOf } from '../comments/own-comments.ts'
import { listCompleteFilesOf } from '../files/files.ts'
import type { UserViewer } from '../http/viewer.ts'
import { streamReportsOf } from '../moderation/reports.ts'
import { streamPostsOf } from '../posts/read-post.ts'
import { type ArchiveEntry, makeArchive } from '../process/zip-archive.ts'
import { streamDeletedOf } from '../versions/deleted-posts.ts'
import { streamVersionsOf } from '../versions/versions.ts'
import type { OwnDataContext } from './context.ts'

const EXPORT_NAME_MAX_CHARS = 100
const LEFT_OUT_WHEN_EMPTY = ['comments.json', 'reports.json', 'reads.json']
const ALL_SIGN_INS = [JSON.stringify({ method: 'limit', values: [SIGN_IN_LOGS_PER_USER] })]

/** Reads the user's data of each room, oldest first, by the names of the files in the archive. */
const LISTS: Readonly<
  Record<string, (context: OwnDataContext, viewer: UserViewer) => AsyncIterable<unknown>>
> = {
  'posts.json': streamPostsOf,
  'versions.json': ({ db }, viewer) => streamVersionsOf(db, viewer),
  'deleted-posts.json': streamDeletedOf,
  'comments.json': streamCommentsOf,
  'reports.json': streamReportsOf,
  'reads.json': ({ reads }, viewer) => reads.streamReadsOf(viewer),
}

/** @throws Refusal `user_not_found` when the account has just been deleted */
export async function exportOwnData(context: OwnDataContext, viewer: UserViewer, caller: Caller) {
  const { db, log } = context
  const { userId, sessionId } = viewer
  const exportedAt = context.now()
  const files = (await listCompleteFilesOf(context, userId)).map((file, at) => ({
    ...file,
    path: `images/${makeSafeName(at + 1, file.model.name)}`,
  }))
  const account = {
    exportedAt: wireTime(exportedAt),
    account: await readAccount(context, viewer),
    identities: (await listIdentities(db, userId)).map(toIdentity),
    sessions: (await listSessions(context, userId, sessionId)).sessions,
    signIns: (await listSignIns(context, userId, ALL_SIGN_INS)).logs,
    files: files.map(({ model, path }) => ({ ...model, path })),
  }
  const entries: ArchiveEntry[] = []
  const addText = (path: string, pieces: () => Iterable<string> | AsyncIterable<string>) =>
    entries.push({
      path,
      changedAt: exportedAt,
      isCompressible: true,
      open: async () => Readable.from(pieces()),
    })
  addText('account.json', () => [`${JSON.stringify(account, undefined, 2)}\n`])
  for (const [path, listOf] of Object.entries(LISTS))
    if (!LEFT_OUT_WHEN_EMPTY.includes(path) || (await hasAny(listOf(context, viewer))))
      addText(path, () => toJsonList(listOf(context, viewer)))
  for (const { path, model, open } of files)
    entries.push({ path, changedAt: new Date(model.$createdAt), isCompressible: false, open })
  logEvent(log, 'export', userId, caller, { files: files.length })
  return {
    name: `blog-data-${exportedAt.toISOString().slice(0, 10)}.zip`,
    bytes: makeArchive(entries),
  }
}

async function hasAny(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _item of items) return true
  return false
}

/** A JSON list, piece by piece. */
async function* toJsonList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield separator + JSON.stringify(item, undefined, 2)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} ._()-]+/gu
/**
 * A name that every operating system can unpack: letters, digits, `. _ ( ) -` and inner spaces, the
 * extension kept. The leading number makes it unique, and never a reserved device name.
 */
export function makeSafeName(number: number, name: string): string {
  const clean = trimChars(normaliseUnicode(name.toWellFormed()).replace(NOT_IN_A_NAME, '_'), ' .')
  const dot = clean.lastIndexOf('.')
  const extension = dot > 0 && clean.length - dot <= 6 ? clean.slice(dot) : ''
  const stem = clean.slice(0, clean.length - extension.length) || 'file'
  return `${number}-${truncateAtGrapheme(stem, EXPORT_NAME_MAX_CHARS).toWellFormed()}${extension}`
}
