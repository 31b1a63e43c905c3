// Everything a person has here, as one zip to take along: account.json, posts.json and the original
// images. Knows no HTTP.
import { Readable } from 'node:stream'
import type { FileModel } from '#contract/files.ts'
import { wireTime } from '#contract/ids.ts'
import { EXPORT_NAME_MAX_CHARS } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { AccountsNeeds, Caller } from '../accounts/needs.ts'
import { readUserRow } from '../accounts/read-user-row.ts'
import { aliveAt } from '../accounts/sessions.ts'
import { toAccount, toSession } from '../accounts/shapes.ts'
import * as store from '../accounts/user-store.ts'
import type { UserViewer } from '../http/viewer.ts'
import { type ArchiveEntry, makeArchive, makeSafeNames } from './archive.ts'
import { listIdentities } from './own-data-store.ts'

/** A stored original and how to read it; undefined when its bytes have gone. */
export type OwnFile = { model: FileModel; open: () => Promise<Readable | undefined> }

export type ExportNeeds = Pick<AccountsNeeds, 'db' | 'log' | 'now'> & {
  /** All posts of the viewer, drafts included, oldest first. */
  readPostsOf: (viewer: UserViewer) => AsyncIterable<PostDocument>
  /** All complete files of the viewer, in both buckets. */
  listFilesOf: (viewer: UserViewer) => Promise<OwnFile[]>
}

export type ExportOwn = (
  viewer: UserViewer,
  caller: Caller,
) => Promise<{ name: string; bytes: Readable }>

/** @throws Refusal `user_not_found` when the account has just gone */
export function makeExport({ db, log, now, readPostsOf, listFilesOf }: ExportNeeds): ExportOwn {
  return async (viewer, { requestId, address }) => {
    const at = now()
    const user = await readUserRow(db, viewer.userId)
    const nameOf = makeSafeNames(EXPORT_NAME_MAX_CHARS)
    const files = (await listFilesOf(viewer)).map((file) => ({
      ...file,
      path: `images/${nameOf(file.model.name)}`,
    }))
    const sessions = await store.listSessions(db, viewer.userId, aliveAt(at))
    const identities = await listIdentities(db, viewer.userId)
    const account = {
      exportedAt: wireTime(at),
      account: toAccount(user),
      identities: identities.map(({ provider, sub, createdAt }) => ({
        provider,
        providerUid: sub,
        $createdAt: wireTime(createdAt),
      })),
      sessions: sessions.map((session) =>
        toSession(session, { isCurrent: session.id === viewer.sessionId }),
      ),
      files: files.map(({ model, path }) => ({ ...model, path })),
    }
    log.info(
      { event: 'export', requestId, userId: viewer.userId, address, files: files.length },
      'somebody downloads their data',
    )
    const text = (path: string, open: () => Readable): ArchiveEntry => ({
      path,
      changedAt: at,
      isCompressible: true,
      open: async () => open(),
    })
    return {
      name: `blog-data-${at.toISOString().slice(0, 10)}.zip`,
      bytes: makeArchive([
        text('account.json', () => Readable.from([`${JSON.stringify(account, undefined, 2)}\n`])),
        text('posts.json', () => Readable.from(toJsonList(readPostsOf(viewer)))),
        ...files.map(({ model, path, open }) => ({
          path,
          changedAt: new Date(model.$createdAt),
          isCompressible: false,
          open,
        })),
      ]),
    }
  }
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
