// The two values of an e-mailed link: read once, then gone from the address bar and the history
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

/** Reads something from the query of the first address, and takes the whole query away. */
export function useQueryOnce<Value>(read: (search: string) => Value): Value {
  const { search, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [value] = useState(() => read(search))
  useEffect(() => {
    if (search) void navigate(pathname, { replace: true, state })
  }, [search, pathname, state, navigate])
  return value
}

/**
 * Whether a refusal means that the link itself is of no more use: spent, too old, replaced, or of
 * nobody.
 */
export function isUnusableLink(error: unknown): boolean {
  return ['user_invalid_token', 'user_not_found'].includes(failureOf(error).type)
}
