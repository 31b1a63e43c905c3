// Everything a user has here, as one zip to download: account.json, posts.json, versions.json,
// deleted-posts.json, the original images, and comments.json, reports.json and reads.json where
// there are some.
// Knows no HTTP.

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { startOf } from '#contract/graphemes.ts'
import { wireTime } from '#contract/ids.ts'
import { normalised, trimmed } from '#contract/plain-text.ts'
import { listIdentities } from '../accounts/identities.ts'
import { toIdentity } from '../accounts/serialisers.ts'
import { type Caller, logEvent } from '../accounts/session-cookies.ts'
import { listSessions, listSignIns, SIGN_IN_LOGS_PER_USER } from '../accounts/sessions.ts'
import { readAccount } from '../accounts/users.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { OwnDataNeeds } from './deletion.ts'

const EXPORT_NAME_MAX_CHARS = 100
const LEFT_OUT_WHEN_EMPTY = ['comments.json', 'reports.json', 'reads.json']
const ALL_SIGN_INS = [JSON.stringify({ method: 'limit', values: [SIGN_IN_LOGS_PER_USER] })]

/** @throws Refusal `user_not_found` when the account has just been deleted */
export async function exportOwnData(needs: OwnDataNeeds, viewer: UserViewer, caller: Caller) {
  const { db, log, ownLists } = needs
  const { userId, sessionId } = viewer
  const at = needs.now()
  const files = (await needs.listFilesOf(userId)).map((file, at) => ({
    ...file,
    path: `images/${makeSafeName(at + 1, file.model.name)}`,
  }))
  const account = {
    exportedAt: wireTime(at),
    account: await readAccount(needs, viewer),
    identities: (await listIdentities(db, userId)).map(toIdentity),
    sessions: (await listSessions(needs, userId, sessionId)).sessions,
    signIns: (await listSignIns(needs, userId, ALL_SIGN_INS)).logs,
    files: files.map(({ model, path }) => ({ ...model, path })),
  }
  const entries: ArchiveEntry[] = []
  const addText = (path: string, pieces: () => Iterable<string> | AsyncIterable<string>) =>
    entries.push({
      path,
      changedAt: at,
      isCompressible: true,
      open: async () => Readable.from(pieces()),
    })
  addText('account.json', () => [`${JSON.stringify(account, undefined, 2)}\n`])
  for (const [path, listOf] of Object.entries(ownLists))
    if (!LEFT_OUT_WHEN_EMPTY.includes(path) || (await hasAny(listOf(viewer))))
      addText(path, () => toJsonList(listOf(viewer)))
  for (const { path, model, open } of files)
    entries.push({ path, changedAt: new Date(model.$createdAt), isCompressible: false, open })
  logEvent(log, 'export', userId, caller, { files: files.length })
  return { name: `blog-data-${at.toISOString().slice(0, 10)}.zip`, bytes: makeArchive(entries) }
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

// --- a zip archive that is written while it is read: one entry open at a time, none held in memory
// as a whole

export type ArchiveEntry = {
  /** The caller makes it safe: relative, without `..`, unique. */
  path: string
  changedAt: Date
  /** False for what is compressed already, such as images. */
  isCompressible: boolean
  /**
   * Called when the entry is written.
   * @returns undefined when the bytes no longer exist: the entry is then empty
   */
  open(): Promise<Readable | undefined>
}

/**
 * @returns the archive as a stream. It fails when an entry fails, and closes the open entry when
 *   its reader disconnects
 */
export function makeArchive(entries: readonly ArchiveEntry[]): Readable {
  const zip = new ZipFile()
  let current: Readable | undefined
  const output = zip.outputStream as Readable
  for (const { path, changedAt, isCompressible, open } of entries) {
    zip.addReadStreamLazy(path, { mtime: changedAt, compress: isCompressible }, (done) => {
      open().then(
        (bytes = Readable.from([])) => {
          current = bytes
          bytes.once('error', (error) => output.destroy(error))
          if (output.destroyed) bytes.destroy()
          else done(undefined, bytes)
        },
        (error: unknown) => done(error, Readable.from([])),
      )
    })
  }
  zip.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => current?.destroy())
  zip.end()
  return output
}

const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} ._()-]+/gu
/**
 * A name that every operating system can unpack: letters, digits, `. _ ( ) -` and inner spaces, the
 * extension kept. The number in front makes it unique, and no name of a device.
 */
export function makeSafeName(number: number, name: string): string {
  const clean = trimmed(normalised(name.toWellFormed()).replace(NOT_IN_A_NAME, '_'), ' .')
  const dot = clean.lastIndexOf('.')
  const extension = dot > 0 && clean.length - dot <= 6 ? clean.slice(dot) : ''
  const stem = clean.slice(0, clean.length - extension.length) || 'file'
  return `${number}-${startOf(stem, EXPORT_NAME_MAX_CHARS).toWellFormed()}${extension}`
}
