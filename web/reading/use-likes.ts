// The likes of the open post: what the server answered last to the viewer's own presses, and what
// it tells of others. Nothing changes before a like is saved.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import type { Failure } from '../api/result.ts'
import { refreshInFeed } from '../feed/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { spokenLikes } from '../posts/like-count.ts'
import { setLike } from '../posts/posts-api.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { isOlder, likesOfOthers, type OwnLike } from './own-like.ts'

const ANSWER_WITHIN_MS = 10_000
/** News that come later than the answer to an own press may be older than it, for so long. */
const LATE_NEWS_MS = 2000
/** How long it is shown that others have liked the post. */
const ADDED_SHOWN_MS = 2000

export type Likes = Pick<PostDocument, '$id' | 'like' | 'likeId'>

/** @param news what the server told last of this post */
export function useLikes(post: Likes, news: Likes | undefined) {
  const api = useApi()
  const toasts = useToasts()
  const announce = useAnnounce()
  const { refresh } = useViewer()
  const [likes, setLikes] = useState<Likes>(post)
  const [isSaving, setSaving] = useState(false)
  /** The viewer's like was saved just now. */
  const [isFresh, setFresh] = useState(false)
  const lastPress = useRef(0)
  const own = useRef<OwnLike | undefined>(undefined)
  const added = useNews(news, { likes, setLikes, own })

  async function save(userId: string, isLiked: boolean) {
    lastPress.current += 1
    const press = lastPress.current
    setSaving(true)
    setFresh(false)
    const wish: OwnLike = { viewerId: userId, isLiked, isAnswered: false, isSeen: false }
    own.current = wish
    const timeout = setTimeout(() => end(press, () => fail(userId, isLiked)), ANSWER_WITHIN_MS)
    const answer = await setLike(api, likes, { viewerId: userId, isLiked })
    clearTimeout(timeout)
    wish.isAnswered = true
    if (answer.ok) {
      // What was told meanwhile with this like in it is newer than the answer.
      if (!wish.isSeen) setLikes(answer.value)
      refreshInFeed(answer.value)
    } else if (own.current === wish) own.current = undefined
    end(press, () => {
      if (!answer.ok) return void explain(answer.failure, userId, isLiked)
      setFresh(isLiked)
      announce((isLiked ? texts.likes.liked : texts.likes.removed)(spokenLikes(answer.value.like)))
    })
  }

  /** Ends a press once, by its answer or by the timeout, whichever comes first. */
  function end(press: number, then: () => void) {
    if (lastPress.current !== press) return
    lastPress.current += 1
    setSaving(false)
    then()
  }

  /** That the session has ended is said by the page itself: trying again would not help. */
  async function explain({ code }: Failure, userId: string, isLiked: boolean) {
    const isSignedOut = code === 401 && !(await refresh())
    if (!isSignedOut) fail(userId, isLiked)
  }

  function fail(userId: string, isLiked: boolean) {
    toasts.show({
      kind: 'error',
      text: texts.likes.failed,
      action: { label: texts.actions.tryAgain, onPress: () => void save(userId, isLiked) },
    })
  }
  return { likes, isSaving, isFresh, added, save }
}

/** @returns how many others have liked the post just now */
function useNews(
  news: Likes | undefined,
  {
    likes,
    setLikes,
    own,
  }: {
    likes: Likes
    setLikes: (likes: Likes) => void
    own: { current: OwnLike | undefined }
  },
): number {
  const { userData } = useViewer()
  const [added, setAdded] = useState({ count: 0 })
  const take = useEffectEvent((told: Likes) => {
    const count = likesOfOthers(told, userData?.$id) - likesOfOthers(likes, userData?.$id)
    setLikes(told)
    if (count !== 0) setAdded((before) => ({ count: Math.max(0, before.count + count) }))
  })
  useEffect(() => {
    if (!news) return
    if (!isOlder(news, own.current)) return take(news)
    const timer = setTimeout(() => {
      own.current = undefined
      take(news)
    }, LATE_NEWS_MS)
    return () => clearTimeout(timer)
  }, [news, own])
  useEffect(() => {
    if (added.count === 0) return
    const timer = setTimeout(() => setAdded({ count: 0 }), ADDED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [added])
  return added.count
}
