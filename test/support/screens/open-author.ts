// Opens author pages in the states of states.ts.
import type { Page } from '@playwright/test'
import { answer, CLOCK, LISTS, navigateTo, type Stage, visit } from './stage.ts'

/** The author page, reached from a post. */
export async function openAuthor({ page, postPath }: Stage): Promise<void> {
  await page.goto(postPath(CLOCK))
  const path = await page.locator('a.post-meta__who').getAttribute('href')
  await visit(page, path ?? '')
}

export async function openOwnAuthor({ page }: Pick<Stage, 'page'>): Promise<void> {
  await visit(page, `/author/${await ownId(page)}`)
}

/** The person's own page before the first post. */
export async function openEmptyAuthor({ page }: Pick<Stage, 'page'>): Promise<void> {
  await page.route(LISTS, answer(200, { total: 0, documents: [] }))
  await page.route(/\/authors\//, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), posts: 0 } })
  })
  await navigateTo(page, `/author/${await ownId(page)}`)
  await page.getByText('This is your page').waitFor()
}

async function ownId(page: Page): Promise<string> {
  const answer = await page.request.get('/v1/account', {
    headers: { 'x-appwrite-project': 'blog' },
  })
  return (await answer.json()).$id
}
