// What the landings of mailed links share: the two values of a link, read once and then removed
// from the address bar and the history (product.md §O4, §O6, §O7), and the way on.
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { type ButtonKind, ButtonLink } from '../ui/button.tsx'
import type { LinkValues } from './accounts-api.ts'
import { useViewer } from './viewer.tsx'

/** @returns undefined unless both values are there */
export function linkValuesIn(search: string): LinkValues | undefined {
  const values = new URLSearchParams(search)
  const userId = values.get('userId')
  const secret = values.get('secret')
  return userId && secret ? { userId, secret } : undefined
}

/**
 * Reads something from the query of the first address, and removes it from there.
 *
 * @param name of the one value that is removed; the whole query without it
 */
export function useQueryOnce<Value>(read: (search: string) => Value, name?: string): Value {
  const { search, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [value] = useState(() => read(search))
  useEffect(() => {
    const values = new URLSearchParams(search)
    const names = name === undefined ? [...values.keys()] : [name]
    if (!names.some((one) => values.has(one))) return
    for (const one of names) values.delete(one)
    const rest = values.size > 0 ? `?${values}` : ''
    void navigate({ pathname, search: rest }, { replace: true, state })
  }, [search, pathname, state, navigate, name])
  return value
}

type OnwardLinkProps = { kind?: ButtonKind; signInText?: string }

/** Leads from a screen that ends here to the dashboard, or to the sign-in form. */
export function OnwardLink({ kind = 'primary', signInText }: OnwardLinkProps) {
  const { status } = useViewer()
  return (
    <ButtonLink kind={kind} to={status ? '/dashboard' : '/login'}>
      {status ? texts.places.dashboard : (signInText ?? texts.signing.in)}
    </ButtonLink>
  )
}
