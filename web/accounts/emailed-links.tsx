// Shared by the pages that emailed links open: the two values of a link, read once and then removed
// from the address bar and the history (product.md §O4, §O6, §O7), and the link to the next page.
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { type ButtonKind, ButtonLink } from '../ui/button.tsx'
import type { LinkValues } from './accounts-api.ts'
import { useViewer } from './viewer.tsx'

/** @returns undefined unless the query has both values */
export function linkValuesIn(search: string): LinkValues | undefined {
  const values = new URLSearchParams(search)
  const userId = values.get('userId')
  const secret = values.get('secret')
  return userId && secret ? { userId, secret } : undefined
}

/**
 * Reads a value from the query of the address when the page opens, and removes it.
 *
 * @param name the parameter to remove; if omitted, the whole query is removed
 */
export function useQueryOnce<Value>(read: (search: string) => Value, name?: string): Value {
  const { search, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [value] = useState(() => read(search))
  useEffect(() => {
    const values = new URLSearchParams(search)
    const names = name === undefined ? [...values.keys()] : [name]
    if (!names.some((key) => values.has(key))) return
    for (const key of names) values.delete(key)
    const rest = values.size > 0 ? `?${values}` : ''
    void navigate({ pathname, search: rest }, { replace: true, state })
  }, [search, pathname, state, navigate, name])
  return value
}

type OnwardLinkProps = { kind?: ButtonKind; signInText?: string }

/** Leads from the last screen of a flow to the dashboard, or to the sign-in form. */
export function OnwardLink({ kind = 'primary', signInText }: OnwardLinkProps) {
  const { status } = useViewer()
  return (
    <ButtonLink kind={kind} to={status ? '/dashboard' : '/login'}>
      {status ? texts.places.dashboard : (signInText ?? texts.signing.in)}
    </ButtonLink>
  )
}
