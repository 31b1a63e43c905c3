// The state of a list that grows page by page, and from which single rows can be removed.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Failure, Result } from '../api/client.ts'

type Identified = { $id: string }

export type ListPage<Row extends Identified> = {
  rows: Row[]
  /** The number of rows of the whole list. */
  total: number
  isLast: boolean
}

type ListOptions<Page> = {
  /** The first page, if the server sent it with the document. */
  initial: Result<Page> | undefined
  /** Loads the first page, or the page after the rows of `previous`. */
  load: (previous: Page | undefined) => Promise<Result<Page>>
  /** Another value reloads the list; undefined leaves the loaded rows. */
  version?: string | undefined
}

/** @returns `page` has all loaded rows; it is undefined until the first page is loaded */
export function useList<Page extends ListPage<Identified>>(options: ListOptions<Page>) {
  type Row = Page['rows'][number]
  const { initial, load, version } = options
  const [page, setPage] = useState(initial?.ok ? initial.value : undefined)
  const [failure, setFailure] = useState<Failure | undefined>(
    initial?.ok === false ? initial.failure : undefined,
  )
  const [isLoading, setLoading] = useState(false)
  const loadedVersion = useRef(version)

  async function loadAfter(previous: Page | undefined): Promise<void> {
    if (isLoading) return
    setLoading(true)
    setFailure(undefined)
    const next = await load(previous)
    setLoading(false)
    if (next.ok) setPage(previous ? joinPages(previous, next.value) : next.value)
    else setFailure(next.failure)
  }
  const loadFirst = useEffectEvent(() => {
    const hasChanged = version !== undefined && version !== loadedVersion.current
    loadedVersion.current = version
    if (hasChanged || (!page && !failure)) void loadAfter(undefined)
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
    loadMore: () => void loadAfter(page),
    remove: (id: string) => changeRows((rows) => rows.filter(({ $id }) => $id !== id)),
    insert: (row: Row, index: number) => changeRows((rows) => rows.toSpliced(index, 0, row)),
  }
}

/** A row in both pages is listed once: the list may have changed in between. */
function joinPages<Page extends ListPage<Identified>>(previous: Page, next: Page): Page {
  const ids = new Set(previous.rows.map(({ $id }) => $id))
  return { ...next, rows: [...previous.rows, ...next.rows.filter(({ $id }) => !ids.has($id))] }
}
