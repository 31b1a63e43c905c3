// The two values of a mailed link: read once, then removed from the address bar and the history
// (product.md §O4, §O6, §O7).
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { failureOf } from '../api/result.ts'
import type { LinkValues } from './mail-links-api.ts'

/** @returns undefined unless both values are there */
export function linkValuesIn(search: string): LinkValues | undefined {
  const values = new URLSearchParams(search)
  const userId = values.get('userId')
  const secret = values.get('secret')
  return userId && secret ? { userId, secret } : undefined
}

/** Reads something from the query of the first address, and removes the whole query from it. */
export function useQueryOnce<Value>(read: (search: string) => Value): Value {
  const { search, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [value] = useState(() => read(search))
  useEffect(() => {
    if (search) void navigate(pathname, { replace: true, state })
  }, [search, pathname, state, navigate])
  return value
}

/** Whom a recovery link is for: in its fragment, which no server is sent. Called first. */
export function useMailedAddress(): string {
  const { hash } = useLocation()
  const [email, setEmail] = useState('')
  useEffect(() => {
    if (hash) setEmail(new URLSearchParams(hash.slice(1)).get('email') ?? '')
  }, [hash])
  return email
}

/**
 * Whether a refusal means that the link cannot be used: used already, expired, replaced, or
 * unknown.
 */
export function isUnusableLink(error: unknown): boolean {
  return ['user_invalid_token', 'user_not_found'].includes(failureOf(error).type)
}
