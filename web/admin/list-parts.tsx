// What the lists of operators share: the query above them, the links to other pages, and changing a
// row that nobody else has changed meanwhile.
import { ChevronDown, Search } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { Form, useLocation } from 'react-router'
import type { DoneBy } from '#contract/operator.ts'
import { useViewer } from '../accounts/viewer.tsx'
import type { Result } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { useRowFocus } from '../lists/list-parts.tsx'
import { PageNav } from '../lists/page-links.tsx'
import { texts } from '../locales/texts.ts'
import { useToasts } from '../ui/toasts.tsx'
import { failureText } from './admin-api.ts'
import type { AdminData } from './admin-frame.tsx'

type ListQueryProps = {
  label: string
  placeholder: string
  filters: readonly {
    name: string
    label: string
    /** Names by value; the empty value is for all. */
    choices: Readonly<Record<string, string>>
  }[]
  children?: ReactNode
}

/** A plain form: the query is in the address, and works without scripts. */
export function ListQuery({ label, placeholder, filters, children }: ListQueryProps) {
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const id = useId()
  return (
    <Form className="row list-query" role="search" aria-label={label} key={search}>
      <span className="find">
        <Search className="icon" aria-hidden="true" />
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        <input
          className="input"
          id={id}
          type="search"
          name="search"
          defaultValue={query.get('search') ?? ''}
          autoComplete="off"
          enterKeyHint="search"
          placeholder={placeholder}
          aria-keyshortcuts="/"
          data-shortcut="search"
        />
      </span>
      {filters.map(({ name, label, choices }) => (
        <span className="select" key={name}>
          <select
            className="input"
            name={name}
            aria-label={label}
            defaultValue={query.get(name) ?? ''}
            onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
          >
            {Object.entries(choices).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <ChevronDown className="icon" aria-hidden="true" />
        </span>
      ))}
      {children}
    </Form>
  )
}

type Paged<Row> = { total: number; page: number; pages: number; list: Row[] }

export function ListPages({ of: { total, page, pages, list } }: { of: Paged<unknown> }) {
  const { pathname, search } = useLocation()
  if (pages <= 1 || list.length === 0) return null
  const last = page < pages ? page * list.length : total
  const linkTo = (to: number, text: string) => {
    const values = new URLSearchParams(search)
    values.set('page', String(to))
    return to < 1 || to > pages ? undefined : { to: `${pathname}?${values}`, text }
  }
  return (
    <PageNav
      previous={linkTo(page - 1, texts.adminRows.previous)}
      next={linkTo(page + 1, texts.adminRows.next)}
      range={texts.adminRows.range(last - list.length + 1, last, total)}
    />
  )
}

type CursorPagesProps = { next: string; first: string; further: string }

/** For a list whose address has a cursor. @param props.next empty on the last page */
export function CursorPages({ next, first, further }: CursorPagesProps) {
  const { pathname, search } = useLocation()
  const values = new URLSearchParams(search)
  const isFirst = !values.has('cursor')
  if (isFirst && next === '') return null
  const linkTo = (cursor: string, text: string) => {
    const to = new URLSearchParams(values)
    to.set('cursor', cursor)
    if (cursor === '') to.delete('cursor')
    return { to: `${pathname}?${to}`, text }
  }
  return (
    <PageNav
      previous={isFirst ? undefined : linkTo('', first)}
      next={next === '' ? undefined : linkTo(next, further)}
      range=""
    />
  )
}

type Identified = { $id: string }
type Rows<Row> = { list: Row[] }

type Work = () => Promise<Result<unknown>>

/** What a toast says afterwards; with `undo` it offers to take the change back. */
type Outcome = { done: string; undo?: Work }

export type RowActions<Row extends Identified> = ReturnType<typeof useRowActions<Row>>

/**
 * Changes a row unless somebody else has changed it since it was read, and reads the page again.
 * When the row is gone then, the focus goes to the next one.
 */
export function useRowActions<Row extends Identified>(
  page: Pick<AdminData<Rows<Row>>, 'reload'>,
  isSame: (row: Row, other: Row) => boolean,
) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(heading)
  const toasts = useToasts()

  async function change(row: Row, work: Work): Promise<string | undefined> {
    let failed: string | undefined
    await focusAfter(row.$id, async () => {
      const read = await page.reload()
      const current = find(read, row)
      if (!read.ok) failed = failureText(read.failure)
      else if (!current || !isSame(current, row)) failed = texts.adminRows.changedMeanwhile
      if (failed) return false
      const result = await work()
      if (!result.ok) failed = failureText(result.failure)
      const after = await page.reload()
      return result.ok && after.ok && !find(after, row)
    })
    return failed
  }
  function report(failed: string | undefined): void {
    if (failed) toasts.show({ kind: 'error', text: failed })
  }
  /** Whatever the row is by now. */
  async function takeBack(undo: Work): Promise<void> {
    const result = await undo()
    report(result.ok ? undefined : failureText(result.failure))
    await page.reload()
  }
  /** @returns why it failed */
  async function act(row: Row, work: Work, { done, undo }: Outcome): Promise<string | undefined> {
    const failed = await change(row, work)
    if (failed) return failed
    const action = undo && {
      label: texts.adminRows.undo,
      onPress: () => void takeBack(undo),
    }
    toasts.show({ kind: 'ok', text: done, ...(action && { action }) })
    return undefined
  }
  return {
    heading,
    list,
    act,
    /** Without a question: a toast shows why it failed. */
    actAtOnce: (row: Row, work: Work, outcome: Outcome) =>
      void act(row, work, outcome).then(report),
  }
}

function find<Row extends Identified>(answer: Result<Rows<Row>>, { $id }: Row): Row | undefined {
  return answer.ok ? answer.value.list.find((row) => row.$id === $id) : undefined
}

export function Done({ done }: { done: DoneBy }) {
  const { userData } = useViewer()
  const { by, byYou, byProgram } = texts.adminRows
  const who =
    done.byId === ''
      ? byProgram
      : done.byId === userData?.$id
        ? byYou
        : by(<bdi>{done.byName}</bdi>)
  return (
    <span>
      {who}, <LocalDate time={done.at} />
      {done.reason && (
        <>
          : <bdi>{done.reason}</bdi>
        </>
      )}
    </span>
  )
}
