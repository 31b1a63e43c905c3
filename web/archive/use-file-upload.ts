// Sending the file of an import. What is stored stays stored when the page is left.
import { useEffect, useRef, useState } from 'react'
import type { ImportRun, SourceKind } from '#contract/archive.ts'
import { type Result, useApi } from '../api/client.ts'
import {
  type ArchiveScope,
  checkImport,
  createImport,
  discardImport,
  readImport,
} from './archive-api.ts'
import { isSameFile, uploadExport } from './upload-export.ts'
import type { ImportRuns } from './use-import-runs.ts'

/** The reason of an upload that stops because its page is left. */
const LEFT = 'left'

export type Upload = { file: File; sentBytes: number; isLost: boolean; cancel: () => void }

/** A file, as it was chosen. `kind` is only a hint: the content decides. */
type ChosenFile = { file: File; oldAddress: string; kind: SourceKind }

export function useFileUpload(scope: ArchiveScope, stored: ImportRuns) {
  const api = useApi()
  const [upload, setUpload] = useState<Upload>()
  const [chosenKind, setChosenKind] = useState<SourceKind>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(LEFT), [])

  async function begin({ file, oldAddress, kind }: ChosenFile) {
    stored.setProblem(undefined)
    setChosenKind(kind)
    const controller = new AbortController()
    abort.current = controller
    const cancel = () => controller.abort()
    stored.change(() => setUpload({ file, sentBytes: 0, isLost: false, cancel }))
    const sent = await send(file, oldAddress, controller.signal)
    if (controller.signal.reason === LEFT) return
    stored.change(() => setUpload(undefined))
    if (sent.ok) stored.show(sent.value)
    else if (controller.signal.aborted) stored.showNew()
    else await stored.fail(sent.failure)
  }

  /** Sends what is not stored yet, and begins the dry run. */
  async function send(
    file: File,
    oldAddress: string,
    signal: AbortSignal,
  ): Promise<Result<ImportRun>> {
    const unfinished = stored.runs.find(({ state }) => state === 'uploading')
    const isContinued = unfinished !== undefined && isSameFile(unfinished, file)
    if (unfinished && !isContinued) await discardImport(api, scope, unfinished.$id)
    const created = isContinued
      ? await readImport(api, scope, unfinished.$id)
      : await createImport(api, scope, { fileName: file.name, sizeBytes: file.size, oldAddress })
    if (!created.ok) return created
    const sent = await uploadExport(api, {
      scope,
      run: created.value,
      file,
      signal,
      onSent: (sentBytes) => setUpload((current) => current && { ...current, sentBytes }),
      onLost: (isLost) => setUpload((current) => current && { ...current, isLost }),
    })
    if (signal.aborted && signal.reason !== LEFT) {
      await discardImport(api, scope, created.value.$id)
      stored.remove(created.value.$id)
      return sent
    }
    if (!sent.ok || sent.value.state !== 'uploading') return sent
    return await checkImport(api, scope, sent.value.$id, oldAddress)
  }
  return { upload, chosenKind, begin }
}
