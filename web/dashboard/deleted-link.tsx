// The way from the dashboard to the deleted posts, with how many there are.
import { ChevronRight, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import { texts } from '../locales/texts.ts'
import { listDeleted } from '../posts/history-api.ts'
import type { FirstDashboard } from './first-dashboard.ts'

type DeletedLinkProps = {
  /** Counts what was deleted on this page: then it is asked anew. */
  changes: number
  /** Not there when nothing waits. */
  isOnlyWithPosts?: boolean
}

export function DeletedLink({ changes, isOnlyWithPosts = false }: DeletedLinkProps) {
  const api = useApi()
  const first = useFirstData<FirstDashboard>(useViewer().userData?.$id)
  const known = first?.ok ? first.value.deleted : undefined
  const [total, setTotal] = useState(known)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` asks again
  useEffect(() => {
    if (known !== undefined && changes === 0) return
    let isCurrent = true
    // Without an answer the link says less.
    void listDeleted(api, { limit: 1 }).then((page) => {
      if (isCurrent && page.ok) setTotal(page.value.total)
    })
    return () => {
      isCurrent = false
    }
  }, [api, changes])
  if (isOnlyWithPosts && !total) return null
  return (
    <Link className="row-link" to="/dashboard/deleted">
      <Trash2 className="icon" aria-hidden="true" />
      <span>
        {texts.deletedPosts.title} {total ? <small>{texts.deletedPosts.kept(total)}</small> : null}
      </span>
      <ChevronRight className="icon flip-in-rtl" aria-hidden="true" />
    </Link>
  )
}
