// The type of a tested editor item, and initial texts that several items share.
import type { Filling, ItemPath, Place } from './editor-ui.ts'

export type EditorItem = {
  /** The initial text and the position of the cursor; by default a word of a paragraph. */
  from?: { html: string; at: Place }
  /** Two cells to draw the pointer across. */
  across?: readonly [string, string]
  /** An item to use first, so that there is something to paste. */
  first?: ItemPath
  /** The input of the dialog. */
  filling?: Filling
  /** A position in the grid of table sizes, or a special character. */
  picked?: { row: number; column: number } | { character: string }
  /**
   * Part of the expected HTML without widths of cells; an anchored pattern matches all of it.
   */
  makes: string | RegExp
}

export const WORD = { html: '<p>alpha beta gamma</p>', at: { word: 'beta' } }

/** A picture between paragraphs, which has tools of its own beside it. */
export const PICTURE = {
  html: `<p>alpha</p><p><img src="IMAGE" alt="here" width="64" height="64"></p>`,
  at: { pressed: 'img' },
}

/** Nothing selected. */
export const START = { html: '<p>alpha beta gamma</p>', at: { inside: 'p' } }

const cells = (second: string): string =>
  `<table style="border-collapse: collapse; width: 100%;"><tbody><tr><td>one</td><td>two</td></tr><tr>${second}</tr></tbody></table>`
export const TABLE = { html: cells('<td>three</td><td>four</td>'), at: { word: 'three' } }

export const SPANNING = { html: cells('<td colspan="2">three</td>'), at: { word: 'three' } }

export const LINK = { html: '<p>alpha <a href="/post">beta</a></p>', at: { word: 'beta' } }

export const STYLED = {
  html: '<p>alpha <strong><em>beta</em></strong> <span style="color: #e03e2d;">gamma</span></p>',
  at: { word: 'beta' },
}

export const COLOURED = {
  html: '<p>alpha <span style="color: #e03e2d; background-color: #fbeeb8;">beta</span></p>',
  at: { word: 'beta' },
}

/** A placeholder in the list, replaced by the address of an image of this site. */
export const IMAGE = 'IMAGE'
