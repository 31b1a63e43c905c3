// One page of notifications that stays true while it is open: what is read elsewhere is read here,
// and what is new is counted, never put in by itself.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Notification, NotificationsQuery } from '#contract/notifications.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Result, useApi } from '../api/client.ts'
import { useLive } from '../api/use-live.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { useToasts } from '../ui/toasts.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { bellCount } from './bell-count.ts'
import * as calls from './notifications-api.ts'

/** Several events at once ask once. */
const CHECK_AFTER_MS = 300

/** @param asked undefined for the list of the bell */
export function useNotifications(asked?: NotificationsQuery, first?: Result<calls.ShownPage>) {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const { show } = useToasts()
  const key = `${userData?.$id} ${asked?.filter} ${asked?.cursor}`
  const { value, change, retry } = useLoaded(key, read, first)
  const [latest, setLatest] = useState<{ key: string; page: calls.ShownPage }>()
  const [atMs, setAtMs] = useState(() => Date.now())
  const page = value?.ok ? value.value : undefined
  const news = latest?.key === key ? newIn(latest.page.list, page?.list ?? []) : 0

  async function read() {
    const found = await calls.readNotifications(api, asked)
    if (found.ok) setAtMs(Date.now())
    else if (found.failure.code === 401) void refresh()
    return found
  }
  const check = useCheck(async () => {
    const found = await read()
    if (!found.ok || !page) return
    setLatest({ key, page: found.value })
    bellCount.set(found.value.new)
    const isNews = newIn(found.value.list, page.list) > 0
    const list = isNews ? withRead(page.list, found.value.list) : found.value.list
    change({ ok: true, value: { ...found.value, list } })
  })
  useLive('notifications', { handleEvent: check, handleMissed: check }, userData?.$id)
  useWhenOnline(() => (value?.ok ? check() : value && retry()))

  // What is shown has been seen: the first page has all that is new.
  const isFirst = !asked || (asked.filter === 'all' && !asked.cursor)
  const isUnseen = isFirst && page !== undefined && page.new > 0 && news === 0
  const see = useEffectEvent(() => void mark({ seen: true }))
  useEffect(() => {
    if (isUnseen) see()
  }, [isUnseen])

  async function mark(as: { seen: true } | { read: true }): Promise<void> {
    const marked = await calls.markAll(api, as)
    if (!marked.ok)
      return 'read' in as ? show({ kind: 'error', text: reasonText(marked.failure) }) : undefined
    bellCount.set(marked.value.new)
    const list = 'read' in as ? page?.list.map((line) => ({ ...line, isRead: true })) : page?.list
    if (page && list) change({ ok: true, value: { ...page, ...marked.value, list } })
  }
  async function mute(post: { $id: string; title: string }, isMuted: boolean): Promise<void> {
    const done = await calls.setMuted(api, post.$id, isMuted)
    if (!done.ok) return show({ kind: 'error', text: reasonText(done.failure) })
    check()
    const { muted, unmuted } = texts.bell
    const action = { label: texts.bell.undo, onPress: () => void mute(post, !isMuted) }
    show({ kind: 'ok', text: (isMuted ? muted : unmuted)(post.title), action })
  }
  return {
    page,
    hasFailed: value?.ok === false,
    retry,
    /** How many are new and not shown yet. */
    news,
    showNews: () => latest && change({ ok: true, value: latest.page }),
    /** When the page was as it is shown. */
    atMs,
    markAllRead: () => void mark({ read: true }),
    markRead: ({ $id, isRead }: Notification) => !isRead && void calls.markRead(api, $id),
    mute,
  }
}

export type Notifications = ReturnType<typeof useNotifications>

function useCheck(check: () => Promise<void>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useEffectEvent(check)
  useEffect(() => () => clearTimeout(timer.current), [])
  const run = useEffectEvent(() => {
    timer.current = undefined
    void latest()
  })
  return () => {
    timer.current ??= setTimeout(() => run(), CHECK_AFTER_MS)
  }
}

type Lines = readonly Notification[]

function isIn(lines: Lines, { $id, time }: Notification): boolean {
  return lines.some((line) => line.$id === $id && line.time === time)
}

function newIn(found: Lines, shown: Lines): number {
  return found.filter((line) => !line.isRead && !isIn(shown, line)).length
}

function withRead(shown: Lines, found: Lines): Notification[] {
  const isReadNow = (line: Notification) =>
    found.find(({ $id }) => $id === line.$id)?.isRead ?? line.isRead
  return shown.map((line) => ({ ...line, isRead: isReadNow(line) }))
}
