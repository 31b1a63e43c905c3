// "Generate from title": a cover that the form draws and uploads like any other image.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'

/** The colours of the drawn image at these points. */
async function colorsOf(page: Page, points: [number, number][]): Promise<number[][]> {
  const preview = page.getByRole('img', { name: 'Preview: Featured image' })
  return await preview.evaluate(async (image: HTMLImageElement, at) => {
    const isDecoded = () =>
      image.decode().then(
        () => true,
        () => false,
      )
    // Decoding fails if the image is replaced meanwhile.
    while (!(await isDecoded())) await new Promise(requestAnimationFrame)
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
    const paint = canvas.getContext('2d', { willReadFrequently: true })
    paint?.drawImage(image, 0, 0)
    return at.map(([x, y]) => [...(paint?.getImageData(x, y, 1, 1).data ?? [])])
  }, points)
}

test('a cover is generated from the title, changes its colour and is stored as a PNG of 1600 × 900', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Cora Cover'))
  await page.goto('/add-post')
  const make = page.getByRole('button', { name: 'Generate from title' })
  const title = page.getByLabel('Title', { exact: true })
  await make.click()
  await expect(title).toBeFocused()
  await expect(title).toHaveAccessibleDescription('Write a title first.')

  await title.fill('Light on the water')
  await make.click()
  await expect(page.getByText('Generated from title')).toBeVisible()
  await expect(page.getByText('1600 × 900')).toBeVisible()
  // Ground, the stem of the L, the light.
  const [ground, letter, light] = await colorsOf(page, [
    [800, 100],
    [190, 700],
    [1560, 40],
  ])
  expect(letter).not.toEqual(ground)
  expect(light).not.toEqual(ground)
  expect(light).not.toEqual(letter)
  const seen = [String(ground)]
  for (let turn = 0; turn < 3; turn++) {
    const before = seen.at(-1)
    await page.getByRole('button', { name: 'Next colour' }).click()
    await expect.poll(async () => String((await colorsOf(page, [[800, 100]]))[0])).not.toBe(before)
    seen.push(String((await colorsOf(page, [[800, 100]]))[0]))
  }
  expect(new Set(seen).size).toBe(4)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(make).toBeVisible()

  // Right to left: the light stands at the left, the letter whole in the middle.
  await title.fill('رسالة إلى نافذة')
  await make.click()
  const mirrored = await colorsOf(page, [
    [1560, 40],
    [40, 40],
  ])
  expect(mirrored[0]).not.toEqual(mirrored[1])
  const upload = page.waitForResponse((answer) => /\/files$/.test(answer.url()))
  await page.getByRole('button', { name: 'Submit' }).click()
  expect(await (await upload).json()).toMatchObject({ mimeType: 'image/png' })
  const cover = page.locator('.featured-image img')
  await expect(cover).toBeVisible()
  const download = await page.request.get(
    (await page.getByRole('link', { name: 'Download image' }).getAttribute('href')) ?? '',
  )
  const bytes = await download.body()
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1600, 900])
})
