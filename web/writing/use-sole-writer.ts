// One tab saves a draft by itself: the form that is not it says so, and saves again once it is.
// Knows nothing of how it looks.

import { useCallback, useEffect, useRef } from 'react'
import { becomeSoleWriter, type SoleWriter } from '../drafts/open-drafts.ts'
import { getPost } from '../posts/posts-api.ts'
import { noteKey } from './autosave.ts'
import { continueFrom, showStored } from './form-choices.ts'
import { isDraft } from './post-form-state.ts'
import type { SubmitNeeds } from './submit-post.ts'

/** @returns makes this tab the one that saves */
export function useSoleWriter(form: SubmitNeeds): () => void {
  const { userId, state } = form
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  const writer = useRef<SoleWriter | undefined>(undefined)
  const postId = isDraft(state) ? state.post?.$id : undefined
  useEffect(() => {
    if (postId === undefined) return
    let wasElsewhere = false
    writer.current = becomeSoleWriter({
      userId,
      postId,
      onChange(isSole) {
        const { update } = latest.current
        update(() => ({ isElsewhere: !isSole }))
        if (isSole && wasElsewhere) void catchUp(latest.current)
        wasElsewhere = !isSole
      },
    })
    return () => {
      writer.current?.end()
      writer.current = undefined
      latest.current.update(() => ({ isElsewhere: false }))
    }
  }, [userId, postId])
  return useCallback(() => writer.current?.takeOver(), [])
}

/**
 * The other tab may have saved since. A text that was typed here meanwhile is not thrown away: the
 * person is shown both.
 */
async function catchUp(form: SubmitNeeds): Promise<void> {
  const { live, api, autosave, update } = form
  const { post } = form.state
  const found = post && (await getPost(api, post.$id))
  if (!found?.ok) return noteKey(autosave)
  if (found.value.$updatedAt === live.basedOn) return noteKey(autosave)
  if (live.isUnsaved) return update(() => ({ newer: found.value }))
  continueFrom(form, found.value)
  showStored(form, found.value)
}
