// A large image goes up in chunks, and the writer sees how far it is.
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp, toUpload } from '#test/support/people.ts'
import { drawNoise } from '#test/support/pictures.ts'

const MIB = 1024 * 1024

test('a 12 MiB image is uploaded in three chunks with visible progress', async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Emil Eriksen'))
  const bytes = await drawNoise(12 * MIB)
  expect(bytes.length).toBeGreaterThanOrEqual(12 * MIB)

  const ranges: string[] = []
  context.on('request', (request) => {
    const range = request.headers()['content-range']
    if (range) ranges.push(range)
  })
  // Each chunk is held until the page has shown where it is, so that no step is too quick to be seen.
  const seen: number[] = []
  await page.route('**/v1/storage/buckets/content/files', async (route) => {
    const bar = page.getByRole('progressbar')
    await expect(bar).toBeVisible()
    const [, first = '0'] = /bytes (\d+)-/.exec(route.request().headers()['content-range'] ?? '') ?? []
    const done = Number(first) / bytes.length
    await expect.poll(() => readShare(bar)).toBeCloseTo(done, 1)
    seen.push(await readShare(bar))
    await route.continue()
  })

  await page.getByRole('link', { name: 'addPost' }).click()
  await page.getByLabel('Title', { exact: true }).fill('A very large grey')
  await page.getByLabel('Featured image').setInputFiles(toUpload({ name: 'noise.png', type: 'image/png', bytes }))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Uploading Please Wait ......')).toBeVisible()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/, { timeout: 60_000 })

  expect(ranges).toEqual([
    `bytes 0-${5 * MIB - 1}/${bytes.length}`,
    `bytes ${5 * MIB}-${10 * MIB - 1}/${bytes.length}`,
    `bytes ${10 * MIB}-${bytes.length - 1}/${bytes.length}`,
  ])
  expect(seen).toHaveLength(3)
  expect(seen.toSorted((a, b) => a - b)).toEqual(seen)
  const image = page.getByRole('article').locator('.hero img')
  await expect.poll(() => image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))).toBeGreaterThan(300)
})

/** How far the bar says it is, 0 to 1. */
async function readShare(bar: ReturnType<Parameters<typeof signUp>[0]['getByRole']>): Promise<number> {
  return await bar.evaluate((element) => {
    if (element instanceof HTMLProgressElement) return element.position < 0 ? 0 : element.position
    const [now, max] = ['aria-valuenow', 'aria-valuemax'].map((name) => Number(element.getAttribute(name) ?? '0'))
    return max ? (now ?? 0) / max : 0
  })
}
