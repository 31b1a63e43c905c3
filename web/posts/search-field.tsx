// The search field: in the header, below the title of lists on narrow screens, and on the search
// page. A plain form, which works without scripts.
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { Form, useLocation } from 'react-router'
import { SEARCH_MAX_CHARS } from '#contract/limits.ts'
import { texts } from '../locales/texts.ts'

const PATH = '/search'

type SearchFieldProps = {
  q?: string
  placeholder?: string
  showsShortcut?: boolean
  /** Id of the error message about the query. */
  errorId?: string | undefined
}

export function SearchField({
  q = '',
  placeholder = texts.searchField.short,
  showsShortcut = false,
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
      {showsShortcut && (
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

/** The field in the header, from 48em on. The search page has a field of its own. */
export function HeaderSearch() {
  const { pathname } = useLocation()
  if (pathname === PATH) return null
  return (
    <Form className="header__wide find-in-header" role="search" action={PATH}>
      <SearchField showsShortcut />
    </Form>
  )
}

/** The field below the title of a list, up to 48em, where the header has no room for it. */
export function NarrowSearch() {
  return (
    <Form className="narrow-only find-in-list" role="search" action={PATH}>
      <SearchField />
    </Form>
  )
}

/** @param open called when no search field is visible */
export function focusSearch(open: () => void): void {
  // A field in the page takes precedence over the one in the header.
  const selectors = ['main [data-shortcut=search]', '[data-shortcut=search]']
  const fields = selectors.flatMap((selector) => [
    ...document.querySelectorAll<HTMLInputElement>(selector),
  ])
  const visibleField = fields.find((field) => field.checkVisibility())
  if (!visibleField) open()
  visibleField?.focus()
  visibleField?.select()
}
