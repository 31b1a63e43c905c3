// A list that grows page by page, and whose rows are removed one by one.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Failure, Result } from '../api/client.ts'

type Identified = { $id: string }

export type ListPage<Row extends Identified> = {
  rows: Row[]
  /** Rows of the whole list. */
  total: number
  isLast: boolean
}

type ListOptions<Page> = {
  /** The first page, where the server sent it with the document. */
  first: Result<Page> | undefined
  /** Loads the first page, or the page behind `before`. */
  load: (before: Page | undefined) => Promise<Result<Page>>
  /** Another value loads the list anew; undefined keeps the loaded rows. */
  version?: string | undefined
}

/** @returns `page` holds all rows that are loaded; undefined until the first page is there */
export function useList<Page extends ListPage<Identified>>(options: ListOptions<Page>) {
  type Row = Page['rows'][number]
  const { first, load, version } = options
  const [page, setPage] = useState(first?.ok ? first.value : undefined)
  const [failure, setFailure] = useState<Failure | undefined>(
    first?.ok === false ? first.failure : undefined,
  )
  const [isLoading, setLoading] = useState(false)
  const loadedVersion = useRef(version)

  async function loadBehind(before: Page | undefined): Promise<void> {
    if (isLoading) return
    setLoading(true)
    setFailure(undefined)
    const next = await load(before)
    setLoading(false)
    if (next.ok) setPage(before ? joinPages(before, next.value) : next.value)
    else setFailure(next.failure)
  }
  const loadFirst = useEffectEvent(() => {
    const isOther = version !== undefined && version !== loadedVersion.current
    loadedVersion.current = version
    if (isOther || (!page && !failure)) void loadBehind(undefined)
  })
  useEffect(() => loadFirst(), [version])

  function changeRows(change: (rows: Row[]) => Row[]): void {
    setPage((current) => {
      if (!current) return undefined
      const rows = change(current.rows)
      const total = Math.max(rows.length, current.total + rows.length - current.rows.length)
      return { ...current, rows, total }
    })
  }
  return {
    page,
    failure,
    setFailure,
    isLoading,
    loadMore: () => void loadBehind(page),
    remove: (id: string) => changeRows((rows) => rows.filter(({ $id }) => $id !== id)),
    insert: (row: Row, at: number) => changeRows((rows) => rows.toSpliced(at, 0, row)),
  }
}

/** A row that both pages hold is listed once: the list may have changed in between. */
function joinPages<Page extends ListPage<Identified>>(before: Page, next: Page): Page {
  const ids = new Set(before.rows.map(({ $id }) => $id))
  return { ...next, rows: [...before.rows, ...next.rows.filter(({ $id }) => !ids.has($id))] }
}
