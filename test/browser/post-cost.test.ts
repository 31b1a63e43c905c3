// What a post costs its reader: transferred bytes, and layout shifts.
import { gzipSync } from 'node:zlib'
import { type APIRequestContext, devices, type Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { drawCameraPhoto } from '#test/support/images.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'

const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
const HEADERS = { 'x-appwrite-project': 'blog' }
const PHONE = devices['iPhone 13 Pro']
const PARAGRAPH = `<p>The word is <em>samar</em>, and <strong>no dictionary</strong> I own <strong><em>quite</em></strong> has it: they say “evening
  conversation” and leave it at that, as one might say <em>water</em> for the sea. It is talk, and it is at night, and it is à propos of
  nothing; whoever says <em>déjà tard</em> loses.</p>`
const CONTENT = PARAGRAPH.repeat(8)
const TOTAL_MAX_BYTES = 350_000
/** Page, styles and fonts of an English text, without images: the target of 46 kB, and 5 % more. */
const OWN_MAX_BYTES = 48_000
/** The target of 3 kB, and 5 % more: how well a page compresses depends on its content. */
const SCRIPT_MAX_BYTES = 1.05 * 3000

declare global {
  interface Window {
    /** Added by this test: the scores of all layout shifts so far. */
    shifts: number[]
  }
}

test('a text post with one image costs a phone at most 350 kB, of which scripts about 3, and loads no late font', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Nele Nordmann'))
  const slug = await writePost(author.context.request)
  const { page } = await visit({
    viewport: PHONE.viewport,
    deviceScaleFactor: PHONE.deviceScaleFactor,
    isMobile: true,
    hasTouch: true,
  })
  const received = await countReceived(page)
  await page.goto(`/post/${slug}`, { waitUntil: 'networkidle' })
  expect(received.byType.get('Image')).toBeGreaterThan(20_000)
  expect(received.byType.get('Font')).toBeGreaterThan(20_000)
  expect(received.total()).toBeLessThan(TOTAL_MAX_BYTES)

  const inlineScripts = await page
    .locator('script:not([type="application/json"]):not([type="application/ld+json"])')
    .allTextContents()
  expect(inlineScripts.length).toBeGreaterThan(0)
  expect(
    (received.byType.get('Script') ?? 0) + gzipSync(inlineScripts.join('')).length,
  ).toBeLessThan(SCRIPT_MAX_BYTES)

  // Fonts named in the head load before the first paint; any other would load too late.
  const namedFonts = await page
    .locator('#deferred-fonts')
    .evaluate((list) =>
      (JSON.parse(list.textContent ?? '') as string[][]).map(
        ([href = '']) => new URL(href, location.href).href,
      ),
    )
    .then((hrefs) => [...new Set(hrefs)])
  expect(namedFonts.length).toBe(5)
  expect(received.fonts.toSorted()).toEqual(namedFonts.toSorted())
})

test('a visitor gets no style sheet with a post, only the styles it needs', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Leo Leicht'))
  const { request } = author.context
  const slug = await writePost(request, '<p>The word is samar, and it is at night.</p>'.repeat(20))
  for (const theme of ['dark', 'light']) {
    const { page } = await visit()
    await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
    const received = await countReceived(page)
    await page.goto(`/post/${slug}`, { waitUntil: 'networkidle' })
    expect(received.byType.get('Stylesheet') ?? 0).toBe(0)
    const images = received.byType.get('Image') ?? 0
    expect(images).toBeGreaterThan(0)
    expect(received.total() - images).toBeLessThan(OWN_MAX_BYTES)
  }
})

test('nothing shifts, whether the fonts load before or after the first paint', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Ole Osterkamp'))
  const slug = await writePost(author.context.request)
  const { page } = await visit({
    viewport: PHONE.viewport,
    deviceScaleFactor: PHONE.deviceScaleFactor,
    isMobile: true,
    hasTouch: true,
  })
  await page.addInitScript(() => {
    window.shifts = []
    const keep = (entries: PerformanceEntryList) =>
      window.shifts.push(
        ...entries.map((entry) => (entry as PerformanceEntry & { value: number }).value),
      )
    new PerformanceObserver((list) => keep(list.getEntries())).observe({
      type: 'layout-shift',
      buffered: true,
    })
  })
  const { promise: painted, resolve: release } = Promise.withResolvers<void>()
  let heldFonts = 0
  await page.route(/\.woff2$/, async (route) => {
    heldFonts++
    await painted
    await route.continue()
  })
  await page.goto(`/post/${slug}`, { waitUntil: 'commit' })
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  )
  await expect.poll(() => heldFonts).toBe(5)
  release()
  expect(await shiftsAfterFonts(page)).toEqual([])

  await page.unroute(/\.woff2$/)
  await page.reload()
  expect(await shiftsAfterFonts(page)).toEqual([])
})

/** The layout shifts after the fonts and the image have loaded and been drawn. */
async function shiftsAfterFonts(page: Page): Promise<number[]> {
  await page.waitForLoadState('load')
  return await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await document.querySelector<HTMLImageElement>('.featured-image img')?.decode()
    await document.fonts.ready
    if (![...document.fonts].some(({ status }) => status === 'loaded'))
      throw new Error('No font was loaded')
    for (let frame = 0; frame < 5; frame++) await nextFrame()
    return window.shifts
  })
}

/** Counts received bytes, including headers, as compressed on the wire. */
async function countReceived(
  page: Page,
): Promise<{ byType: Map<string, number>; fonts: string[]; total(): number }> {
  const byType = new Map<string, number>()
  const types = new Map<string, string>()
  const fonts: string[] = []
  const devtools = await page.context().newCDPSession(page)
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    types.set(requestId, type)
    if (type === 'Font') fonts.push(response.url)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other'
    byType.set(type, (byType.get(type) ?? 0) + encodedDataLength)
  })
  await devtools.send('Network.enable')
  return { byType, fonts, total: () => [...byType.values()].reduce((sum, bytes) => sum + bytes, 0) }
}

async function writePost(request: APIRequestContext, content = CONTENT): Promise<string> {
  const { $id: userid } = await (await request.get('/v1/account', { headers: HEADERS })).json()
  const file = {
    name: 'night.jpg',
    mimeType: 'image/jpeg',
    buffer: await drawCameraPhoto({ width: 2400, height: 1800 }),
  }
  const stored = await request.post('/v1/storage/buckets/content/files', {
    headers: HEADERS,
    multipart: { fileId: 'unique()', file },
  })
  expect(stored.status()).toBe(201)
  const { $id: featuredImage } = await stored.json()
  const data = {
    title: 'A word for talk at night',
    content,
    featuredImage,
    status: 'active',
    userid,
  }
  const answer = await request.post(DOCUMENTS, {
    headers: HEADERS,
    data: { documentId: `blog${Date.now()}l`, data },
  })
  expect(answer.status()).toBe(201)
  return (await answer.json()).$id
}
