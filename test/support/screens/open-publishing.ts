// Opens the screens of publishing in the states of states.ts.
import { DOCUMENTS } from '#test/support/write-post.ts'
import { type Stage, settled, visit } from './stage.ts'

const DAY_MS = 86_400_000
const BEANS = 'Beans do not read the packet'
const FERRY = 'The night ferry, second attempt'
const FERRY_ID = 'nightferry'

/** A post of the viewer that turns active tomorrow. Other states of the same blog see it, too. */
async function schedulePost({ page }: Stage): Promise<void> {
  const headers = { 'x-appwrite-project': 'blog' }
  const account = await page.request.get('/v1/account', { headers })
  const { $id: userid } = await account.json()
  const publishedAt = new Date(Date.now() + DAY_MS).toISOString()
  const text = { title: FERRY, content: '<p>The queue is a conversation.</p>' }
  const data = { ...text, featuredImage: '', status: 'inactive', userid, publishedAt }
  await page.request.post(DOCUMENTS, { headers, data: { documentId: FERRY_ID, data } })
}

export async function openScheduledForm(stage: Stage): Promise<void> {
  await schedulePost(stage)
  await visit(stage.page, `/edit-post/${FERRY_ID}`, 'Edit post')
  await stage.page.getByText(/^Turns active on/).waitFor()
}

export async function openPublishDrawer(stage: Stage): Promise<void> {
  const { page } = stage
  await openScheduledForm(stage)
  await page.getByRole('button', { name: 'Change' }).click()
  const drawer = page.getByRole('dialog', { name: 'Publish' })
  await drawer.getByText('For search engines', { exact: true }).click()
  await drawer.getByLabel('Address of the original').fill('nowhere')
  await settled(page)
}

export async function openPublished({ page, postPath }: Stage): Promise<void> {
  const slug = postPath(BEANS).replace('/post/', '')
  await visit(page, `/edit-post/${slug}/published`, 'Published')
}

export async function openScheduledList(stage: Stage): Promise<void> {
  await schedulePost(stage)
  await visit(stage.page, '/dashboard', 'Welcome, Amara Osei')
  await stage.page.getByText(/^tomorrow, /).waitFor()
}
