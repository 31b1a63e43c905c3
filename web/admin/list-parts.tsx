// Shared by the lists of operators: the search form above a list, the links to its other pages, and
// actions that change a row only if nobody else has changed it meanwhile.
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
    /** The name of each value; the empty value means all. */
    choices: Readonly<Record<string, string>>
  }[]
  children?: ReactNode
}

/** The search form: puts the query into the address, and works without scripts. */
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

export function ListPages({
  listPage: { total, page, pages, list },
}: {
  listPage: Paged<unknown>
}) {
  const { pathname, search } = useLocation()
  if (pages <= 1 || list.length === 0) return null
  const last = page < pages ? page * list.length : total
  const linkTo = (number: number, text: string) => {
    const values = new URLSearchParams(search)
    values.set('page', String(number))
    return number < 1 || number > pages ? undefined : { to: `${pathname}?${values}`, text }
  }
  return (
    <PageNav
      previous={linkTo(page - 1, texts.adminRows.previous)}
      next={linkTo(page + 1, texts.adminRows.next)}
      range={texts.adminRows.range(last - list.length + 1, last, total)}
    />
  )
}

type CursorPagesProps = { nextCursor: string; firstLabel: string; nextLabel: string }

/** The page links of a list with cursors. @param props.nextCursor empty on the last page */
export function CursorPages({ nextCursor, firstLabel, nextLabel }: CursorPagesProps) {
  const { pathname, search } = useLocation()
  const values = new URLSearchParams(search)
  const isFirst = !values.has('cursor')
  if (isFirst && nextCursor === '') return null
  const linkTo = (cursor: string, text: string) => {
    const query = new URLSearchParams(values)
    query.set('cursor', cursor)
    if (cursor === '') query.delete('cursor')
    return { to: `${pathname}?${query}`, text }
  }
  return (
    <PageNav
      previous={isFirst ? undefined : linkTo('', firstLabel)}
      next={nextCursor === '' ? undefined : linkTo(nextCursor, nextLabel)}
      range=""
    />
  )
}

type Identified = { $id: string }
type Rows<Row> = { list: Row[] }

type Call = () => Promise<Result<unknown>>

/** `doneText` is the text of the toast, which with `undo` also offers to undo the change. */
type SuccessToast = { doneText: string; undo?: Call }

export type RowActions<Row extends Identified> = ReturnType<typeof useRowActions<Row>>

/**
 * Changes a row unless somebody else has changed it since it was loaded, and reloads the page. If
 * the row is then no longer listed, the focus moves to the next one.
 */
export function useRowActions<Row extends Identified>(
  page: Pick<AdminData<Rows<Row>>, 'reload'>,
  isSame: (row: Row, other: Row) => boolean,
) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { list, focusAfter } = useRowFocus(heading)
  const toasts = useToasts()

  async function change(row: Row, call: Call): Promise<string | undefined> {
    let reason: string | undefined
    await focusAfter(row.$id, async () => {
      const latest = await page.reload()
      const current = find(latest, row)
      if (!latest.ok) reason = failureText(latest.failure)
      else if (!current || !isSame(current, row)) reason = texts.adminRows.changedMeanwhile
      if (reason) return false
      const result = await call()
      if (!result.ok) reason = failureText(result.failure)
      const updated = await page.reload()
      return result.ok && updated.ok && !find(updated, row)
    })
    return reason
  }
  function report(reason: string | undefined): void {
    if (reason) toasts.show({ kind: 'error', text: reason })
  }
  /** Undoes the change even if the row has been changed again since. */
  async function undoChange(undo: Call): Promise<void> {
    const result = await undo()
    report(result.ok ? undefined : failureText(result.failure))
    await page.reload()
  }
  /** @returns why it failed; undefined on success */
  async function act(
    row: Row,
    call: Call,
    { doneText, undo }: SuccessToast,
  ): Promise<string | undefined> {
    const reason = await change(row, call)
    if (reason) return reason
    const action = undo && {
      label: texts.adminRows.undo,
      onPress: () => void undoChange(undo),
    }
    toasts.show({ kind: 'ok', text: doneText, ...(action && { action }) })
    return undefined
  }
  return {
    heading,
    list,
    act,
    /** For actions without a confirmation: if one fails, a toast says why. */
    actAtOnce: (row: Row, call: Call, toast: SuccessToast) =>
      void act(row, call, toast).then(report),
  }
}

function find<Row extends Identified>(answer: Result<Rows<Row>>, { $id }: Row): Row | undefined {
  return answer.ok ? answer.value.list.find((row) => row.$id === $id) : undefined
}

/** Shows who did something, when and why. */
export function Done({ done }: { done: DoneBy }) {
  const { userData } = useViewer()
  const { by, byYou, byProgram } = texts.adminRows
  const actor =
    done.byId === ''
      ? byProgram
      : done.byId === userData?.$id
        ? byYou
        : by(<bdi>{done.byName}</bdi>)
  return (
    <span>
      {actor}, <LocalDate time={done.at} />
      {done.reason && (
        <>
          : <bdi>{done.reason}</bdi>
        </>
      )}
    </span>
  )
}
