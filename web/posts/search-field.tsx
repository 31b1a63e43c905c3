// The field for searching: in the header, below the title of lists on narrow screens, on the page
// of the search. A plain form, which works without scripts.
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { Form, useLocation } from 'react-router'
import { SEARCH_MAX_CHARS } from '#contract/limits.ts'
import { texts } from '../locales/texts.ts'

const PATH = '/search'

type SearchFieldProps = {
  q?: string
  placeholder?: string
  hasKey?: boolean
  /** Id of the message about it. */
  errorId?: string | undefined
}

export function SearchField({
  q = '',
  placeholder = texts.searchField.short,
  hasKey = false,
  errorId,
}: SearchFieldProps) {
  const id = useId()
  return (
    <span className="find">
      <Search className="icon" aria-hidden="true" />
      <label className="visually-hidden" htmlFor={id}>
        {texts.searchField.label}
      </label>
      <input
        className="input"
        id={id}
        type="search"
        name="q"
        defaultValue={q}
        maxLength={SEARCH_MAX_CHARS}
        autoComplete="off"
        enterKeyHint="search"
        placeholder={placeholder}
        aria-invalid={errorId !== undefined}
        aria-describedby={errorId}
        aria-keyshortcuts="/"
        onKeyDown={handleKey}
        data-shortcut="search"
      />
      {hasKey && (
        <span className="find__key" aria-hidden="true">
          /
        </span>
      )}
    </span>
  )
}

/** The first Esc empties the field, the next one leaves it. */
function handleKey(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Escape') return
  event.preventDefault()
  const field = event.currentTarget
  if (field.value === '') field.blur()
  else field.value = ''
}

/** From 48em on. The page of the search has a field of its own. */
export function HeaderSearch() {
  const { pathname } = useLocation()
  if (pathname === PATH) return null
  return (
    <Form className="header__wide find-in-header" role="search" action={PATH}>
      <SearchField hasKey />
    </Form>
  )
}

/** Up to 48em, where the header has no room for it: below the title of a list. */
export function NarrowSearch() {
  return (
    <Form className="narrow-only find-in-list" role="search" action={PATH}>
      <SearchField />
    </Form>
  )
}

/** @param open is called where no field is to be seen */
export function focusSearch(open: () => void): void {
  // A page that has a field of its own comes before the header.
  const fields = ['main [data-shortcut=search]', '[data-shortcut=search]'].flatMap((where) => [
    ...document.querySelectorAll<HTMLInputElement>(where),
  ])
  const field = fields.find((one) => one.checkVisibility())
  if (!field) open()
  field?.focus()
  field?.select()
}
