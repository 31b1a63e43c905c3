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
  const generate = page.getByRole('button', { name: 'Generate from title' })
  const title = page.getByLabel('Title', { exact: true })
  await generate.click()
  await expect(title).toBeFocused()
  await expect(title).toHaveAccessibleDescription('Write a title first.')

  await title.fill('Light on the water')
  await generate.click()
  await expect(page.getByText('Generated from title')).toBeVisible()
  await expect(page.getByText('1600 × 900')).toBeVisible()
  // The background, the stem of the L, and the light.
  const [background, letter, light] = await colorsOf(page, [
    [800, 100],
    [190, 700],
    [1560, 40],
  ])
  expect(letter).not.toEqual(background)
  expect(light).not.toEqual(background)
  expect(light).not.toEqual(letter)
  const colours = [String(background)]
  for (let turn = 0; turn < 3; turn++) {
    const previous = colours.at(-1)
    await page.getByRole('button', { name: 'Next colour' }).click()
    await expect
      .poll(async () => String((await colorsOf(page, [[800, 100]]))[0]))
      .not.toBe(previous)
    colours.push(String((await colorsOf(page, [[800, 100]]))[0]))
  }
  expect(new Set(colours).size).toBe(4)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(generate).toBeVisible()

  // With a right-to-left title the light is at the left.
  await title.fill('رسالة إلى نافذة')
  await generate.click()
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
