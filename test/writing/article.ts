// Writes one random article from the first word to the saved post.
import { type Browser, expect, type Page } from '@playwright/test'
import { chooseImage } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer } from '#test/support/people.ts'
import { DOCUMENTS, storeBodyImage } from '#test/support/write-post.ts'
import { type Chance, makeChance } from './random.ts'
import { isObjectToken, STEPS, type Step } from './steps.ts'
import { installReader, type Tokens } from './text-model.ts'
import { readText, type Writer } from './writer.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESKTOP = { viewport: { width: 1280, height: 900 } }
/** Percentage of steps that are undone and redone. */
const UNDONE = 8
const UNDOS_AT_MOST = 60
const OPENED_AFTER_MS = 60_000
const SAVED_AFTER_MS = 60_000
const HEADERS = { 'X-Appwrite-Project': 'blog' }
const ALPHABET = 'abdefghiklmnoprstuvwz'

type Article = { url: string; seed: number; steps: number; inView: boolean }
export type Written = { words: number; fault: string | undefined }

/**
 * Even seeds write by keys and mouse, odd ones by touch.
 *
 * @param article `inView` writes in the writing view, with the full toolbar
 */
export async function writeArticle(
  browser: Browser,
  { url, seed, steps, inView }: Article,
): Promise<Written> {
  const hasTouch = seed % 2 === 1
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    ...(hasTouch ? PHONE : DESKTOP),
  })
  try {
    const page = await context.newPage()
    await becomeWriter(page, seed)
    if (inView) await chooseView(page)
    const image = await storeBodyImage(page.request)
    await page.goto('/add-post')
    if (inView) await page.locator('.writing').waitFor()
    await editorBody(page).waitFor({ timeout: OPENED_AFTER_MS })
    await editorBody(page).click()
    if (inView) await page.locator('.writing-tools').waitFor({ state: 'attached' })
    await installReader(page)
    const writer: Writer = {
      page,
      devtools: await context.newCDPSession(page),
      chance: makeChance(seed),
      hasTouch,
      image,
      word: makeWords(seed),
    }
    const { text, fault } = await writeSteps(writer, steps)
    const words = text.filter((token) => !isObjectToken(token)).length
    return { words, fault: fault ?? (await findLossOfSaving(page, text)) }
  } catch (error) {
    return { words: 0, fault: `stopped: ${error instanceof Error ? error.message : String(error)}` }
  } finally {
    await context.close()
  }
}

export async function becomeWriter(page: Page, seed: number): Promise<void> {
  const { name, email, password } = makeNewcomer(`Writer ${seed}`)
  const data = { userId: 'unique()', name, email, password }
  const response = await page.request.post('/v1/account', { headers: HEADERS, data })
  expect(response.status()).toBe(201)
  const session = { headers: HEADERS, data: { email, password } }
  expect((await page.request.post('/v1/account/sessions/email', session)).status()).toBe(201)
}

async function chooseView(page: Page): Promise<void> {
  const data = { prefs: { writingView: 'writing', fullToolbar: 'on' } }
  const answer = await page.request.patch('/v1/account/prefs', { headers: HEADERS, data })
  expect(answer.status()).toBe(200)
}

function makeWords(seed: number): () => string {
  const chance = makeChance(seed + 1000)
  let count = 0
  return () => {
    const letters = Array.from({ length: 2 + chance.below(5) }, () => chance.oneOf([...ALPHABET]))
    return `${letters.join('')}${(count++).toString(36)}`
  }
}

function pickStep(chance: Chance): Step {
  const all = STEPS.flatMap((step) => Array.from({ length: step.share }, () => step))
  return chance.oneOf(all)
}

type Steps = { text: Tokens; fault: string | undefined }

async function writeSteps(writer: Writer, steps: number): Promise<Steps> {
  let text: Tokens = []
  for (let at = 1; at <= steps; at++) {
    const step = pickStep(writer.chance)
    const before = await readText(writer.page)
    const expected = await step.run(writer, before)
    const isUndone = expected !== undefined && writer.chance.percent(UNDONE)
    text = expected ?? before.tokens
    const fault =
      (await compare(writer.page, text)) ??
      (isUndone ? await undoAndRedo(writer, before.tokens, text) : undefined)
    if (!fault) continue
    const { html } = await readText(writer.page)
    return {
      text,
      fault: `step ${at}, "${step.name}": ${fault}\nbefore: ${before.html}\nafter: ${html}`,
    }
  }
  return { text, fault: undefined }
}

async function compare(page: Page, expected: Tokens): Promise<string | undefined> {
  const { tokens } = await page.evaluate((text) => window.reader.settle(text), expected)
  return tokens.join(' ') === expected.join(' ') ? undefined : describe(expected, tokens)
}

/** Describes the first difference of two texts, with its surroundings. */
function describe(expected: Tokens, actual: Tokens): string {
  const at = expected.findIndex((token, index) => token !== actual[index])
  const position = at === -1 ? expected.length : at
  const around = (tokens: Tokens) => tokens.slice(Math.max(0, position - 3), position + 8).join(' ')
  const lost = expected.filter((token) => !actual.includes(token))
  return `lost ${lost.length} (${lost.slice(0, 8).join(' ')}); expected "…${around(expected)}…", found "…${around(actual)}…"`
}

async function undoAndRedo(
  { page }: Writer,
  before: Tokens,
  after: Tokens,
): Promise<string | undefined> {
  const isBack = () => page.evaluate((text) => window.reader.shows(text), before)
  let undos = 0
  for (; undos < UNDOS_AT_MOST && !(await isBack()); undos++) await page.keyboard.press('Control+z')
  const lost = await compare(page, before)
  if (lost) return `undone ${undos} times: ${lost}`
  for (let at = 0; at < undos; at++) await page.keyboard.press('Control+y')
  const fault = await compare(page, after)
  return fault && `undone and redone ${undos} times: ${fault}`
}

/** Saves the post, and expects the same text in the stored post and in its form. */
async function findLossOfSaving(page: Page, text: Tokens): Promise<string | undefined> {
  if (await page.locator('.writing').isVisible()) {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'All fields' }).click()
  }
  await page.getByLabel('Title', { exact: true }).fill('A long article')
  await chooseImage(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(/\/post\/blog\d{13}l$/, { timeout: SAVED_AFTER_MS })
  const slug = new URL(page.url()).pathname.replace('/post/', '')
  const answer = await page.request.get(`${DOCUMENTS}/${slug}`, {
    headers: HEADERS,
  })
  const { content } = (await answer.json()) as { content: string }
  await page.goto(`/edit-post/${slug}`)
  await page.waitForFunction(() => window.hugerte?.activeEditor?.getBody()?.isContentEditable)
  await installReader(page)
  const stored = await page.evaluate((html) => window.reader.read(html).tokens, content)
  if (stored.join(' ') !== text.join(' ')) return `saved: ${describe(text, stored)}`
  const fault = await compare(page, text)
  return fault && `opened again: ${fault}`
}
