// What the viewer has reported of the open post and its comments: asked for once, and the same for
// every menu of the page.
import { useEffect, useSyncExternalStore } from 'react'
import type { NewReport, OwnReport, OwnReports } from '#contract/reports.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Api, callPath, useApi } from '../api/client.ts'
import { reasonText } from '../posts/failure-cause.ts'

/** When, by the id of the comment, or of the post. */
type Times = ReadonlyMap<string, string>

/** Viewer and post that they are of. */
let about = ''
let times: Times = new Map()
const listeners = new Set<() => void>()

function note(key: string, reports: OwnReport[]): void {
  about = key
  times = new Map(reports.map((one) => [one.commentId || one.postId, one.$createdAt]))
  for (const hear of listeners) hear()
}

function subscribe(hear: () => void): () => void {
  listeners.add(hear)
  return () => listeners.delete(hear)
}

async function load(api: Api, key: string, postId: string): Promise<void> {
  const found = await callPath<OwnReports>(api, 'get', '/reports', { postId })
  if (found.ok && about === key) note(key, found.value.reports)
}

export function useOwnReports(postId: string) {
  const api = useApi()
  const key = `${useViewer().userData?.$id} ${postId}`
  const shown = useSyncExternalStore(subscribe, () => times)
  useEffect(() => {
    if (about === key) return
    note(key, [])
    void load(api, key, postId)
  }, [api, key, postId])
  return {
    timeOf: (id: string) => (about === key ? shown.get(id) : undefined),
    /** @returns why it was not sent; a thing that was reported before is no failure */
    async send(report: NewReport): Promise<string | undefined> {
      const sent = await callPath<OwnReport>(api, 'post', '/reports', report)
      if (!sent.ok && sent.failure.type !== 'report_already_exists') return reasonText(sent.failure)
      await load(api, key, postId)
      return undefined
    },
  }
}
