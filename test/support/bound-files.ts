// The calls of the files room with what it works with handed in, for tests that make many of them.
import { openOriginal } from '#backend/files/blob-store.ts'
import type { Files } from '#backend/files/file-access.ts'
import { changeFile, readFile, readVisible, removeFile } from '#backend/files/file-changes.ts'
import {
  listAllOf,
  listFiles,
  listOwnFiles,
  makeUses,
  removeAllOf,
  removeOwnUnused,
} from '#backend/files/files.ts'
import { sweepFiles } from '#backend/files/sweep.ts'
import { createFile } from '#backend/files/uploads.ts'

export type BoundFiles = ReturnType<typeof bindFiles>

export function bindFiles(files: Files) {
  return {
    received: files.received,
    ...makeUses(files),
    create: createFile.bind(undefined, files),
    list: listFiles.bind(undefined, files),
    read: readFile.bind(undefined, files),
    change: changeFile.bind(undefined, files),
    remove: removeFile.bind(undefined, files),
    readVisible: readVisible.bind(undefined, files),
    openBytes: openOriginal.bind(undefined, files),
    listOwn: listOwnFiles.bind(undefined, files),
    removeOwnUnused: removeOwnUnused.bind(undefined, files),
    listAllOf: listAllOf.bind(undefined, files),
    removeAllOf: removeAllOf.bind(undefined, files),
    sweep: () => sweepFiles(files),
  }
}
