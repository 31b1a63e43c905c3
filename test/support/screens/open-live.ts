// Opens pages that receive realtime events, sent by a fake server (states.ts).
import type { Page } from '@playwright/test'
import { CLOCK, LISTS, neverAnswer, openFeed, type Stage, settled, visit } from './stage.ts'

const DOCUMENTS = 'databases.blogdb.collections.posts.documents'
const CALLS = '/v1/databases/blogdb/collections/posts/documents'
const HEADERS = { 'x-appwrite-project': 'blog' }
const LATER = '2099-01-01T00:00:00.000+00:00'

/** Accepts every socket of the page and sends these events on the channel. */
async function sendEvents(
  page: Page,
  channel: string,
  events: { name: string; payload: object }[],
): Promise<void> {
  await page.routeWebSocket(/realtime/, (socket) => {
    const channels = new URL(socket.url()).searchParams.getAll('channels[]')
    const send = (type: string, data: object) => socket.send(JSON.stringify({ type, data }))
    send('connected', { channels, user: {} })
    if (!channels.includes(channel)) return
    for (const { name, payload } of events)
      send('event', { events: [name], channels: [channel], payload })
  })
}

async function openPost({ page, postPath }: Stage, action: string, change: object): Promise<void> {
  const path = postPath(CLOCK)
  const id = path.split('/').at(-1)
  const post = await (await page.request.get(`${CALLS}/${id}`, { headers: HEADERS })).json()
  const channel = `${DOCUMENTS}.${id}`
  const likes = { like: post.like + 2, likeId: [...post.likeId, 'one', 'two'] }
  const payload = { ...post, ...likes, ...change }
  await page.route(LISTS, neverAnswer)
  await sendEvents(page, channel, [{ name: `${channel}.${action}`, payload }])
  await visit(page, path, CLOCK)
}

export async function openUpdatedPost(stage: Stage): Promise<void> {
  await openPost(stage, 'update', { $updatedAt: LATER })
  await stage.page.getByText('This post was updated').waitFor()
  await settled(stage.page)
}

export async function openDeletedPost(stage: Stage): Promise<void> {
  await openPost(stage, 'delete', {})
  await stage.page.getByText('This post was deleted by its author.').waitFor()
  await settled(stage.page)
}

export async function openNewPosts({ page }: Stage): Promise<void> {
  const channel = `${DOCUMENTS}.create`
  const payload = { $createdAt: LATER, title: 'New', status: 'active', userid: 'somebody', like: 0 }
  const events = ['one', 'two', 'three'].map(($id) => ({
    name: `${DOCUMENTS}.${$id}.create`,
    payload: { ...payload, $id },
  }))
  await sendEvents(page, channel, events)
  await openFeed(page)
  await page.getByRole('button', { name: '3 new posts · Show' }).waitFor()
  await settled(page)
}
