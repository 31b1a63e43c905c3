// What an item of the editor begins with and must make: its type, and the texts that several begin
// with.
import type { Filling, ItemPath, Place } from './editor-ui.ts'

export type EditorItem = {
  /** The text before, and where the cursor is in it; a word of a paragraph when left out. */
  from?: { html: string; at: Place }
  /** Two cells to draw the pointer across. */
  across?: readonly [string, string]
  /** Pressed before, so that there is something to paste. */
  first?: ItemPath
  /** What the dialog is given. */
  filling?: Filling
  /** Where in the grid of table sizes, or which sign among all. */
  picked?: { row: number; column: number } | { sign: string }
  /**
   * Part of the HTML that comes of it, the widths of cells left aside; all of it for a pattern with
   * both ends.
   */
  makes: string | RegExp
}

export const WORD = { html: '<p>alpha beta gamma</p>', at: { word: 'beta' } }

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

/** An image of this site, put where the list says this. */
export const IMAGE = 'IMAGE'
