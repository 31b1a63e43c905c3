// The functions of the files room, bound to one context, for tests that call many of them.

import { openOriginal } from '#backend/files/blob-store.ts'
import type { FilesContext } from '#backend/files/context.ts'
import { changeFile, readFile, readVisible, removeFile } from '#backend/files/file-changes.ts'
import {
  findOwnFiles,
  isUsableImage,
  listCompleteFilesOf,
  listFiles,
  listOwnFiles,
  listVersionFiles,
  removeFilesOf,
  removeOwnUnused,
  setAvatarFile,
  setPostFiles,
  setVersionFiles,
} from '#backend/files/files.ts'
import { sweepFiles } from '#backend/files/sweep.ts'
import { createFile } from '#backend/files/uploads.ts'

export type BoundFiles = ReturnType<typeof bindFiles>

export function bindFiles(files: FilesContext) {
  return {
    received: files.received,
    isUsableImage: isUsableImage.bind(undefined, files),
    findOwnFiles: findOwnFiles.bind(undefined, files),
    setPostFiles: setPostFiles.bind(undefined, files),
    setVersionFiles: setVersionFiles.bind(undefined, files),
    setAvatarFile: setAvatarFile.bind(undefined, files),
    listVersionFiles,
    create: createFile.bind(undefined, files),
    list: listFiles.bind(undefined, files),
    read: readFile.bind(undefined, files),
    change: changeFile.bind(undefined, files),
    remove: removeFile.bind(undefined, files),
    readVisible: readVisible.bind(undefined, files),
    openBytes: openOriginal.bind(undefined, files),
    listOwn: listOwnFiles.bind(undefined, files),
    removeOwnUnused: removeOwnUnused.bind(undefined, files),
    listCompleteFilesOf: listCompleteFilesOf.bind(undefined, files),
    removeFilesOf: removeFilesOf.bind(undefined, files),
    sweep: () => sweepFiles(files),
  }
}
