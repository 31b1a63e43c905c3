// Cleans pasted HTML with footnotes, callouts and contents, whose code is loaded later than the
// editor.

import type { Editor } from 'hugerte'
import { cleanBody, parsePaste, type VisitObject } from './paste-cleaning.ts'

/** The ends of the last blocks before the notes. */
const END_OF_TEXT =
  /((?:<\/(?:p|h\d|li|[uo]l|blockquote|aside)>\s*)+)(?=<section class="footnotes")/

/** Inserts pasted HTML that is clean already; the caret is after its text, not after its notes. */
export function insertPasted(editor: Editor, html: string): void {
  editor.execCommand('mceInsertClipboardContent', false, {
    html: html.replace(END_OF_TEXT, '{$caret}$1'),
    internal: true,
  })
}

/** Cleans pasted HTML with its footnotes, callouts and contents. */
export async function cleanPasteWithObjects(html: string): Promise<string> {
  const body = parsePaste(html)
  return cleanBody(body, { visitObject: await convertObjects(body) })
}

/**
 * Finds footnotes and callouts, and loads the code that writes them; without the network they
 * become text.
 */
export async function convertObjects(body: HTMLElement): Promise<VisitObject | undefined> {
  if (!body.querySelector('a[href*="#"],blockquote,nav,aside')) return undefined
  const part = await loadPastedObjects()
  return part?.convertPastedObjects(body)
}

/** Call it early: what is typed while the code is loaded would come before the paste. */
export async function loadPastedObjects() {
  return await import('./paste-objects.ts').catch(() => undefined)
}
