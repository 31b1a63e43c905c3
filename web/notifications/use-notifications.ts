// One page of notifications, updated while it is open: notifications read elsewhere are marked as
// read here, and new ones are counted, but shown only when the user asks for them.
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

/** Several events within this time cause one call. */
const CHECK_AFTER_MS = 300

/** @param query undefined for the list of the bell */
export function useNotifications(query?: NotificationsQuery, initial?: Result<calls.ShownPage>) {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const { show } = useToasts()
  const key = `${userData?.$id} ${query?.filter} ${query?.cursor}`
  const { value, change, retry } = useLoaded(key, read, initial)
  const [latest, setLatest] = useState<{ key: string; page: calls.ShownPage }>()
  const [loadedAtMs, setLoadedAtMs] = useState(() => Date.now())
  const page = value?.ok ? value.value : undefined
  const newCount = latest?.key === key ? countNew(latest.page.list, page?.list ?? []) : 0

  async function read() {
    const result = await calls.readNotifications(api, query)
    if (result.ok) setLoadedAtMs(Date.now())
    else if (result.failure.code === 401) void refresh()
    return result
  }
  const check = useCheck(async () => {
    const result = await read()
    if (!result.ok || !page) return
    const latestPage = result.value
    setLatest({ key, page: latestPage })
    bellCount.set(latestPage.new)
    const hasNew = countNew(latestPage.list, page.list) > 0
    const list = hasNew ? withReadState(page.list, latestPage.list) : latestPage.list
    change({ ok: true, value: { ...latestPage, list } })
  })
  useLive('notifications', { handleEvent: check, handleMissedEvents: check }, userData?.$id)
  useWhenOnline(() => (value?.ok ? check() : value && retry()))

  // Notifications on the screen count as seen. The first page shows all new ones.
  const isFirst = !query || (query.filter === 'all' && !query.cursor)
  const isUnseen = isFirst && page !== undefined && page.new > 0 && newCount === 0
  const markSeen = useEffectEvent(() => void mark({ seen: true }))
  useEffect(() => {
    if (isUnseen) markSeen()
  }, [isUnseen])

  async function mark(state: { seen: true } | { read: true }): Promise<void> {
    const marked = await calls.markAll(api, state)
    if (!marked.ok)
      return 'read' in state ? show({ kind: 'error', text: reasonText(marked.failure) }) : undefined
    bellCount.set(marked.value.new)
    const list =
      'read' in state
        ? page?.list.map((notification) => ({ ...notification, isRead: true }))
        : page?.list
    if (page && list) change({ ok: true, value: { ...page, ...marked.value, list } })
  }
  async function mute(post: { $id: string; title: string }, isMuted: boolean): Promise<void> {
    const result = await calls.setMuted(api, post.$id, isMuted)
    if (!result.ok) return show({ kind: 'error', text: reasonText(result.failure) })
    check()
    const { muted, unmuted } = texts.bell
    const action = { label: texts.bell.undo, onPress: () => void mute(post, !isMuted) }
    show({ kind: 'ok', text: (isMuted ? muted : unmuted)(post.title), action })
  }
  return {
    page,
    hasFailed: value?.ok === false,
    retry,
    /** The number of new notifications that are not shown yet. */
    newCount,
    showNew: () => latest && change({ ok: true, value: latest.page }),
    /** When the page was loaded. */
    loadedAtMs,
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

type NotificationArray = readonly Notification[]

function isIn(list: NotificationArray, { $id, time }: Notification): boolean {
  return list.some((other) => other.$id === $id && other.time === time)
}

/** The number of unread notifications in `latest` that are not in `shown`. */
function countNew(latest: NotificationArray, shown: NotificationArray): number {
  return latest.filter((notification) => !notification.isRead && !isIn(shown, notification)).length
}

/** The shown notifications, with their read state from `latest`. */
function withReadState(shown: NotificationArray, latest: NotificationArray): Notification[] {
  return shown.map((notification) => {
    const current = latest.find(({ $id }) => $id === notification.$id)
    return { ...notification, isRead: current?.isRead ?? notification.isRead }
  })
}
