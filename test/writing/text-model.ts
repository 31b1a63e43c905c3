// A model of the editor's text: words and objects in order, and the runs of words in which the
// caret can be. It is read in the page and compared in Node.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { transformWithOxc } from 'vite'

/** Words as they are; objects in brackets: `[image pier]`, `[rule]`. */
export type Tokens = string[]

export type Run = {
  /** Its words are the tokens from here. */
  start: number
  words: string[]
  text: string
  /** The element that holds it: `p`, `li`, `td`, `figcaption` … */
  holder: string
  /** True if its block is a child of the body. */
  isTop: boolean
  /** False if its block has a mark of a footnote, which ends the run. */
  isWhole: boolean
  /** Whether an object is before or after its block. */
  hasObjectBefore: boolean
  hasObjectAfter: boolean
}

export type Content = { tokens: Tokens; runs: Run[] }
/** The words that would be saved, which must be those on the screen, and their HTML. */
export type Saved = Content & { html: string }

type Rect = { x: number; y: number; height: number }

type Reader = {
  read(html?: string): Content
  readSaved(): Saved
  /** True when the text on the screen is this. */
  shows(expected: Tokens): boolean
  /**
   * Resolves with the text as soon as it is shown and saved as expected, or after a time limit.
   */
  settle(expected: Tokens): Promise<Saved>
  place(run: number, offset: number): Rect
  caret(): { run: number; offset: number }
  set(run: number, offset: number, end?: number): void
  objects(): { token: string; index: number; end: number; top: number; bottom: number }[]
  /** Where each note begins in the tokens. */
  notes(): number[]
  blocks(): { end: number; top: number; bottom: number }[]
}
declare global {
  interface Window {
    reader: Reader
  }
}

const source = new URL('./reader.ts', import.meta.url)

export async function installReader(page: Page): Promise<void> {
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), 'reader.ts')
  await page.evaluate(`(() => { ${code.replace(/^(?:import|export) .*$/gm, '')} })()`)
}
