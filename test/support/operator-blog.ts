// A blog whose tests may also make calls of the operator, with the API key of its data folder.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test as withBlog } from './browser-blog.ts'

export { expect }

/** Changes something that only the operator may. */
type AsOperator = (path: string, data: object, method?: 'PATCH' | 'PUT') => Promise<void>

export const test = withBlog.extend<{ asOperator: AsOperator }, { dataFolder: { path: string } }>({
  dataFolder: [
    async ({ browserName: _browserName }, use) => await use({ path: '' }),
    { scope: 'worker' },
  ],
  fillBlog: [
    async ({ dataFolder }, use) =>
      await use(async (path) => {
        dataFolder.path = path
      }),
    { scope: 'worker' },
  ],
  asOperator: async ({ blog, dataFolder }, use) => {
    const key = (await readFile(join(dataFolder.path, 'api-key'), 'utf8')).trim()
    const headers = {
      'x-appwrite-project': 'blog',
      'x-appwrite-key': key,
      'content-type': 'application/json',
    }
    await use(async (path, data, method = 'PATCH') => {
      const body = JSON.stringify(data)
      const answer = await fetch(blog.url + path, { method, headers, body })
      expect(answer.status, path).toBe(200)
    })
  },
})

/** Gives the role to the person who is signed in on this page. */
export async function makeOperator(
  page: Page,
  asOperator: (path: string, data: object, method: 'PUT') => Promise<void>,
): Promise<void> {
  const account = await page.evaluate(async () => {
    const answer = await fetch('/v1/account', { headers: { 'x-appwrite-project': 'blog' } })
    return (await answer.json()) as { $id: string }
  })
  await asOperator(`/v1/users/${account.$id}/labels`, { labels: ['operator'] }, 'PUT')
}

/** Gives the role of a reader: from now on this person can read, like and comment only. */
export async function makeReader(
  userId: string,
  asOperator: (path: string, data: object, method: 'PUT') => Promise<void>,
): Promise<void> {
  await asOperator(`/v1/users/${userId}/labels`, { labels: ['reader'] }, 'PUT')
}
