// Uploads of images: chunks, progress, cancelling, network errors, and the ways to choose a file.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { drawNoise, drawPhoto } from '#test/support/images.ts'
import { makeNewcomer, signUp, toUpload } from '#test/support/people.ts'

const MIB = 1024 * 1024
const FILES = '**/v1/storage/buckets/content/files'

test('a 12 MiB image is uploaded in three chunks with visible progress', { tag: '@more' }, async ({
  visit,
}) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Emil Eriksen'))
  const bytes = await drawNoise(12 * MIB)
  expect(bytes.length).toBeGreaterThanOrEqual(12 * MIB)

  const ranges: string[] = []
  context.on('request', (request) => {
    const range = request.headers()['content-range']
    if (range) ranges.push(range)
  })
  // Each chunk is held until the page has shown its progress, so that every step is visible.
  const shares: number[] = []
  await page.route(FILES, async (route) => {
    const bar = page.getByRole('progressbar')
    await expect(bar).toBeVisible()
    const [, first = '0'] =
      /bytes (\d+)-/.exec(route.request().headers()['content-range'] ?? '') ?? []
    const sentShare = Number(first) / bytes.length
    await expect.poll(() => readShare(bar)).toBeCloseTo(sentShare, 1)
    shares.push(await readShare(bar))
    await route.continue()
  })

  await fillPost(page, {
    title: 'A very large grey',
    image: { name: 'noise.png', type: 'image/png', bytes },
  })
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Uploading Please Wait ......')).toBeVisible()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/, { timeout: 60_000 })

  expect(ranges).toEqual([
    `bytes 0-${5 * MIB - 1}/${bytes.length}`,
    `bytes ${5 * MIB}-${10 * MIB - 1}/${bytes.length}`,
    `bytes ${10 * MIB}-${bytes.length - 1}/${bytes.length}`,
  ])
  expect(shares).toHaveLength(3)
  expect(shares.toSorted((a, b) => a - b)).toEqual(shares)
  const image = page.getByRole('article').locator('.featured-image img')
  await expect
    .poll(() =>
      image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0)),
    )
    .toBeGreaterThan(300)
})

test('an upload continues after the server crashes, and the stored file equals the sent one', {
  tag: '@more',
}, async ({ visit, blog }) => {
  const { page, expectFault } = await visit()
  expectFault(/ERR_(CONNECTION|EMPTY|SOCKET|NETWORK)/)
  await signUp(page, makeNewcomer('Frieda Falk'))
  const bytes = await drawNoise(12 * MIB)
  const starts: string[] = []
  await page.route(FILES, async (route) => {
    const [, start = ''] =
      /bytes (\d+)-/.exec(route.request().headers()['content-range'] ?? '') ?? []
    starts.push(start)
    if (starts.length === 2) {
      await blog.kill()
      void blog.revive()
    }
    await route.continue()
  })
  await fillPost(page, {
    title: 'Sent twice, in part',
    image: { name: 'noise.png', type: 'image/png', bytes },
  })
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}[a-z]$/, { timeout: 60_000 })

  expect(starts.slice(0, 2)).toEqual(['0', String(5 * MIB)])
  expect(starts.slice(2).filter((start) => start === '0')).toEqual([])
  const source = await page.getByRole('article').locator('.featured-image img').getAttribute('src')
  const path = source?.replace(/\/preview\?.*$/, '/download?project=blog') ?? ''
  const answer = await page.request.get(path)
  expect({ status: answer.status(), isSame: bytes.equals(await answer.body()) }).toEqual({
    status: 200,
    isSame: true,
  })
})

test('an upload whose last response is lost is completed once, not twice', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/ERR_FAILED|409 \(Conflict\)/)
  await signUp(page, makeNewcomer('Gustav Grün'))
  const bytes = await drawPhoto('png')
  let requests = 0
  await page.route(FILES, async (route) => {
    requests += 1
    if (requests > 1) return route.continue()
    await route.fetch() // the request arrives, but its response is lost
    await route.abort()
  })
  await fillPost(page, {
    title: 'Said once',
    image: { name: 'photo.png', type: 'image/png', bytes },
  })
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}[a-z]$/, { timeout: 30_000 })
  expect(await countFiles(page)).toBe(1)
})

test('an upload in one request shows its percentage and can be cancelled, which stores nothing and leaves the form as it was', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Hanna Heller'))
  const bytes = await drawNoise(4 * MIB)
  await fillPost(page, {
    title: 'Not this one',
    image: { name: 'noise.png', type: 'image/png', bytes },
  })
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200_000,
  })
  await page.getByRole('button', { name: 'Submit' }).click()
  const bar = page.getByRole('progressbar', { name: 'Image upload' })
  await expect.poll(async () => await readShare(bar)).toBeGreaterThan(0.05)
  await expect(page.getByText(/^[\d.]+ of 4 MB$/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
  await expect(page.getByText('The upload was cancelled.')).toBeVisible()
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Not this one')
  expect(await countFiles(page)).toBe(0)

  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}[a-z]$/, { timeout: 30_000 })
  expect(await countFiles(page)).toBe(1)
})

test('an avatar upload that ends after its owner has left the page does not navigate', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Jona Jansen'))
  await page.clock.install()
  const release = await holdRequests(page, '**/v1/storage/buckets/avatars/files')
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  await page
    .getByLabel('New avatar')
    .setInputFiles(toUpload({ name: 'me.png', type: 'image/png', bytes: await drawPhoto('png') }))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Uploading your avatar...')).toBeVisible()
  await page.getByRole('link', { name: 'addPost' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Written meanwhile')
  release()
  await expect(page.getByRole('button', { name: /^Account menu/ }).locator('img')).toHaveAttribute(
    'src',
    /\/buckets\/avatars\/files\//,
  )
  await page.clock.runFor(5000)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/add-post$/)
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Written meanwhile')
})

test('an image can be dropped, pasted, replaced and removed, and another file type is refused', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Ida Ivens'))
  await page.getByRole('link', { name: 'addPost' }).click()
  const preview = page.getByRole('img', { name: 'Preview: Featured image' })
  const photo = [...(await drawPhoto('png', { width: 60, height: 40 }))]

  await addFile(page, 'drop', { bytes: photo, name: 'dropped.png', type: 'image/png' })
  await expect(preview).toBeVisible()
  await expect(page.getByText('dropped.png')).toBeVisible()
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await expect(preview).toBeHidden()
  await expect(page.getByLabel('Featured image')).toBeFocused()

  await addFile(page, 'paste', { bytes: photo, name: 'pasted.png', type: 'image/png' })
  await expect(page.getByText('pasted.png')).toBeVisible()
  await addFile(page, 'drop', { bytes: photo, name: 'drawing.svg', type: 'image/svg+xml' })
  await expect(
    page.getByRole('alert').filter({ hasText: 'This file is not a PNG, JPG, JPEG or GIF.' }),
  ).toBeVisible()
  await expect(page.getByText('pasted.png')).toBeHidden()
})

/** Drops a file on the field of the featured image, or pastes it into the page. */
async function addFile(
  page: Page,
  action: 'drop' | 'paste',
  file: { bytes: number[]; name: string; type: string },
): Promise<void> {
  const data = await page.evaluateHandle(({ bytes, name, type }) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(bytes)], name, { type }))
    return transfer
  }, file)
  if (action === 'paste') {
    await page.evaluate(
      (clipboardData) =>
        document.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }),
        ),
      data,
    )
    return
  }
  const field = page.locator('.drop-zone, .image-picker').first()
  await field.dispatchEvent('dragover', { dataTransfer: data })
  await field.dispatchEvent('drop', { dataTransfer: data })
}

async function fillPost(
  page: Page,
  { title, image }: { title: string; image: Parameters<typeof toUpload>[0] },
): Promise<void> {
  await page.getByRole('link', { name: 'addPost' }).click()
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByLabel('Featured image').setInputFiles(toUpload(image), { timeout: 45_000 })
}

/** The number of files of the signed-in user, including unfinished ones. */
async function countFiles(page: Page): Promise<number> {
  const answer = await page.request.get('/v1/storage/buckets/content/files', {
    headers: { 'x-appwrite-project': 'blog' },
  })
  return (await answer.json()).total
}

/** The progress that the bar shows, from 0 to 1. */
async function readShare(
  bar: ReturnType<Parameters<typeof signUp>[0]['getByRole']>,
): Promise<number> {
  return await bar.evaluate((element) => {
    if (element instanceof HTMLProgressElement) return element.position < 0 ? 0 : element.position
    const [value, max] = ['aria-valuenow', 'aria-valuemax'].map((name) =>
      Number(element.getAttribute(name) ?? '0'),
    )
    return max ? (value ?? 0) / max : 0
  })
}
