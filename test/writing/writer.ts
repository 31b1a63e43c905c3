// Actions of a writer in the editor, by mouse and keys or by touch.
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { editorBody } from '#test/support/people.ts'
import type { Chance } from './random.ts'
import type { Content, Run, Saved, Tokens } from './text-model.ts'

export type Writer = {
  page: Page
  devtools: CDPSession
  chance: Chance
  hasTouch: boolean
  /** An image of this site. */
  image: string
  /** Makes words that occur once. */
  word(): string
  lastPress?: { x: number; y: number; atMs: number }
}

export const readText = (page: Page): Promise<Saved> =>
  page.evaluate(() => window.reader.readSaved())

/** Types by keys, or like a virtual keyboard with a composition for each word. */
export async function write({ devtools, hasTouch }: Writer, text: string): Promise<void> {
  if (!hasTouch) return await pressKeys(devtools, text)
  for (const part of text.split(/(?= )/)) {
    const length = part.length
    const typed = { type: 'rawKeyDown', key: 'Unidentified', windowsVirtualKeyCode: 229 } as const
    await devtools.send('Input.dispatchKeyEvent', typed)
    await devtools.send('Input.imeSetComposition', {
      text: part,
      selectionStart: length,
      selectionEnd: length,
    })
    await devtools.send('Input.insertText', { text: part })
  }
}

const SLASH_KEY_CODE = 191

/** Presses keys as fast as the page accepts them: none waits for the answer to the previous one. */
async function pressKeys(devtools: CDPSession, text: string): Promise<void> {
  const answers = [...text].flatMap((key) => {
    const capital = key.toUpperCase()
    const code = key === ' ' ? 'Space' : `${/\d/.test(key) ? 'Digit' : 'Key'}${capital}`
    const isSlash = key === '/'
    const keyCode = isSlash ? SLASH_KEY_CODE : capital.charCodeAt(0)
    const pressed = { key, code: isSlash ? 'Slash' : code, windowsVirtualKeyCode: keyCode }
    return [
      devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...pressed }),
      devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed }),
    ]
  })
  await Promise.all(answers)
}

/** Two clicks at one place within this time would be a double click. */
const DOUBLE_PRESS_MS = 700
const ONE_PLACE_PX = 40

export async function press(writer: Writer, x: number, y: number): Promise<void> {
  const { page, hasTouch, lastPress } = writer
  const isNear = lastPress && Math.hypot(x - lastPress.x, y - lastPress.y) < ONE_PLACE_PX
  if (isNear) await wait(Math.max(0, lastPress.atMs + DOUBLE_PRESS_MS - performance.now()))
  writer.lastPress = { x, y, atMs: performance.now() }
  if (hasTouch) await page.touchscreen.tap(x, y)
  else await page.mouse.click(x, y)
}

/**
 * Clicks at a place of the text. If the click misses or a toolbar covers the place, it sets the
 * caret by script.
 */
export async function putCaret(writer: Writer, run: number, offset: number): Promise<void> {
  const { page } = writer
  const { x, y, height } = await page.evaluate(([index, at]) => window.reader.place(index, at), [
    run,
    offset,
  ] as const)
  const middle = y + height / 2
  const isUncovered = await page.evaluate(
    ([left, top]) => document.elementFromPoint(left, top)?.localName === 'iframe',
    [x, middle] as const,
  )
  if (isUncovered) {
    await press(writer, x, middle)
    const caret = await page.evaluate(() => window.reader.caret())
    if (caret.run === run && caret.offset === offset) return
  }
  await page.evaluate(([index, at]) => window.reader.set(index, at), [run, offset] as const)
}

/** Puts the caret behind the n-th word of a run: 0 is its start. @returns the words before it */
export async function putCaretBehind(
  writer: Writer,
  text: Content,
  { run, words }: { run: number; words: number },
): Promise<number> {
  const at = text.runs[run] as Run
  let offset = 0
  for (let passed = 0; passed < words; passed++) {
    const word = at.words[passed] ?? ''
    offset = at.text.indexOf(word, offset) + word.length
  }
  await putCaret(writer, run, offset)
  return at.start + words
}

export async function paste(page: Page, kinds: Record<string, string>): Promise<void> {
  await editorBody(page).evaluate((body, contents) => {
    const clipboardData = new DataTransfer()
    for (const [type, value] of Object.entries(contents)) clipboardData.setData(type, value)
    body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, kinds)
}

export function withTokens(tokens: Tokens, at: number, added: readonly string[]): Tokens {
  return tokens.toSpliced(at, 0, ...added)
}

export type Spot = { run: number; words: number; at: Run }

export const isLine = ({ holder }: Run): boolean => /^(?:p|h\d|li)$/.test(holder)

export function pickRun(
  writer: Writer,
  text: Content,
  fits: (run: Run) => boolean,
): Spot | undefined {
  const candidates = text.runs.map((at, run) => ({ at, run })).filter(({ at }) => fits(at))
  if (candidates.length === 0) return undefined
  const { at, run } = writer.chance.oneOf(candidates)
  return { run, at, words: at.words.length }
}

export function words(writer: Writer): string[] {
  return Array.from({ length: 4 + writer.chance.below(15) }, () => writer.word())
}
