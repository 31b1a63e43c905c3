// The numbers of reads on the dashboard: from the server with the page, else asked for.
import { useEffect, useState } from 'react'
import type { ReadNumbers } from '#contract/reads.ts'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import { findReadNumbers } from '../posts/reads-api.ts'
import type { FirstDashboard } from './first-dashboard.ts'

/** @returns undefined while they are not known, and where nothing is counted */
export function useReads(userId: string): ReadNumbers | undefined {
  const api = useApi()
  const first = useFirstData<FirstDashboard>(userId)
  const isLoaded = first?.ok === true
  const [reads, setReads] = useState(first?.ok ? first.value.reads : undefined)
  useEffect(() => {
    if (isLoaded) return
    let isCurrent = true
    void findReadNumbers(api).then((found) => {
      if (isCurrent) setReads(found)
    })
    return () => {
      isCurrent = false
    }
  }, [api, isLoaded])
  return reads
}
