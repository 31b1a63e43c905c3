// The viewer's reports of the open post and its comments: loaded once, and shared by all menus of
// the page.
import { useEffect, useSyncExternalStore } from 'react'
import type { NewReport, OwnReport, OwnReports } from '#contract/reports.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Api, callPath, useApi } from '../api/client.ts'
import { reasonText } from '../posts/failure-cause.ts'

/** The time of each report, by the id of the reported comment or post. */
type ReportTimes = ReadonlyMap<string, string>

/** Identifies the viewer and the post whose reports are loaded. */
let loadedKey = ''
let reportTimes: ReportTimes = new Map()
const listeners = new Set<() => void>()

function setReports(key: string, reports: OwnReport[]): void {
  loadedKey = key
  reportTimes = new Map(
    reports.map((report) => [report.commentId || report.postId, report.$createdAt]),
  )
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function load(api: Api, key: string, postId: string): Promise<void> {
  const answer = await callPath<OwnReports>(api, 'get', '/reports', { postId })
  if (answer.ok && loadedKey === key) setReports(key, answer.value.reports)
}

export function useOwnReports(postId: string) {
  const api = useApi()
  const key = `${useViewer().userData?.$id} ${postId}`
  const currentTimes = useSyncExternalStore(subscribe, () => reportTimes)
  useEffect(() => {
    if (loadedKey === key) return
    setReports(key, [])
    void load(api, key, postId)
  }, [api, key, postId])
  return {
    timeOf: (id: string) => (loadedKey === key ? currentTimes.get(id) : undefined),
    /** @returns why the report was not sent; reporting the same thing twice is not a failure */
    async send(report: NewReport): Promise<string | undefined> {
      const answer = await callPath<OwnReport>(api, 'post', '/reports', report)
      if (!answer.ok && answer.failure.type !== 'report_already_exists')
        return reasonText(answer.failure)
      await load(api, key, postId)
      return undefined
    },
  }
}
