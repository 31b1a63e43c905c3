// The viewer's own files, a page at a time, and what the settings do with them.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { OwnFile, OwnFiles } from '#contract/files.ts'
import { formFailureOf } from '../accounts/form-failure.ts'
import { isSessionGone } from '../accounts/use-settings-form.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { refusalText } from '../api/refusal-text.ts'
import { deleteFile } from '../files/files-api.ts'
import { deleteUnusedFiles, listOwnFiles } from '../files/own-files-api.ts'
import { texts } from '../locales/texts.ts'
import { useToasts } from '../ui/toasts.tsx'

/**
 * Whether a file can be deleted here: no post of one's own, no avatar and no deleted post that can
 * be brought back shows it.
 */
export function isDeletable({ uses }: OwnFile): boolean {
  return uses.every(({ place }) => place === 'elsewhere' || place === 'version')
}

/** What is being waited for: a page, a file by its id, or all unused ones. */
type Waiting = 'page' | 'unused' | (string & {}) | undefined

/** @param first what the server loaded with the page, if it did */
export function useOwnFiles(first: OwnFiles | undefined) {
  const api = useApi()
  const { show } = useToasts()
  const { refresh } = useViewer()
  const [isUnused, setUnused] = useState(false)
  const [own, setOwn] = useState(first)
  const [failureText, setFailureText] = useState<string | undefined>()
  const isLoaded = useRef(first !== undefined)
  const [waiting, setWaiting] = useState<Waiting>()

  const attempt = useCallback(
    async (what: Waiting, work: () => Promise<void>) => {
      setWaiting(what)
      setFailureText(undefined)
      try {
        await work()
      } catch (error) {
        if (isSessionGone(error)) await refresh()
        setFailureText(formFailureOf(error).message)
      } finally {
        setWaiting(undefined)
      }
    },
    [refresh],
  )
  const load = useCallback(
    () => attempt('page', async () => setOwn(await listOwnFiles(api, { isUnused, cursor: '' }))),
    [api, attempt, isUnused],
  )
  useEffect(() => {
    if (!isLoaded.current) void load()
    isLoaded.current = false
  }, [load])

  async function loadMore(): Promise<void> {
    if (!own || waiting) return
    await attempt('page', async () => {
      const page = await listOwnFiles(api, { isUnused, cursor: own.next })
      setOwn({ ...page, files: [...own.files, ...page.files] })
    })
  }
  async function remove(file: OwnFile): Promise<void> {
    await attempt(file.$id, async () => {
      const deleted = await deleteFile(api, file.bucketId, file.$id)
      if (!deleted.ok)
        return setFailureText(
          deleted.failure.code === 0 ? texts.ownFiles.notDeleted : refusalText(deleted.failure),
        )
      setOwn((now) => now && withoutFile(now, file))
      show({ kind: 'ok', text: texts.ownFiles.deleted })
    })
  }
  async function removeUnused(): Promise<void> {
    await attempt('unused', async () => {
      const count = await deleteUnusedFiles(api)
      show({ kind: 'ok', text: texts.ownFiles.deletedMany(count) })
      setOwn(await listOwnFiles(api, { isUnused, cursor: '' }))
    })
  }
  return {
    own,
    isUnused,
    setUnused,
    failureText,
    waiting,
    load,
    loadMore,
    remove,
    removeUnused,
  }
}

function withoutFile(own: OwnFiles, file: OwnFile): OwnFiles {
  const isUnusedFile = file.isComplete && file.uses.length === 0
  return {
    ...own,
    total: own.total - 1,
    unused: own.unused - Number(isUnusedFile),
    usedBytes: own.usedBytes - file.sizeOriginal,
    files: own.files.filter((one) => one.$id !== file.$id || one.bucketId !== file.bucketId),
  }
}
