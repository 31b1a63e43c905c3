// Tags that are in use, for what is typed in the field of the tags.

import { useEffect, useState } from 'react'
import { tagKey, withoutSign } from '#contract/plain-text.ts'
import type { TagList } from '#contract/posts.ts'
import { useApi } from '../api/api-context.tsx'
import { findTags } from '../posts/tags-api.ts'

type Suggestion = TagList['tags'][number]

const PAUSE_MS = 150
const SHOWN_MAX = 6

/**
 * @param typed `tags` are not suggested again
 * @param isOpen asks only then
 */
export function useTagSuggestions(
  { tags, tagText }: { tags: readonly string[]; tagText: string },
  isOpen: boolean,
): Suggestion[] {
  const api = useApi()
  const [found, setFound] = useState<{ prefix: string; tags: Suggestion[] }>()
  const prefix = tagKey(withoutSign(tagText))
  useEffect(() => {
    if (!isOpen || !navigator.onLine) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      // As many more as may be left out.
      const asked = { startsWith: prefix, limit: SHOWN_MAX + tags.length }
      const answer = await findTags(api, asked)
      if (isCurrent && answer.ok) setFound({ prefix, tags: answer.value.tags })
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [api, isOpen, prefix, tags.length])
  if (!isOpen || !found) return []
  const chosen = new Set(tags.map(tagKey))
  // Until the answer comes, what was found for the letters before.
  return found.tags
    .filter(({ tag }) => tag.startsWith(prefix) && !chosen.has(tag))
    .slice(0, SHOWN_MAX)
}
