// Cleans pasted HTML with footnotes, callouts and contents; their code is loaded when they occur.

import { cleanBody, parsePaste, type VisitObject } from './paste-cleaning.ts'

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
  const part = await import('./paste-objects.ts').catch(() => undefined)
  return part?.convertPastedObjects(body)
}
