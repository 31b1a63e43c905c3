// What the look of pasted text means: bold, italic, underlined, struck, raised or lowered. Google's
// documents and spreadsheets say it by styles alone, Apple's programs by classes. Knows nothing of
// blocks.

/** The declarations of a style, names and values in small letters. */
export type Looks = ReadonlyMap<string, string>
/** The looks of classes, by selector: `.xl65`, `span.s1`. */
export type Sheet = ReadonlyMap<string, Looks>

const RAISED_CLASSES = /^(?:Mso(?:Foot|End)noteReference|sdfootnotesym|sdendnotesym)$/

/**
 * @note A name is compared as a whole: Word writes `mso-bidi-font-weight: normal` on what is bold.
 */
export function readLooks(style: string): Looks {
  const looks = new Map<string, string>()
  for (const declaration of style.match(/(?:[^;"']|"[^"]*"|'[^']*')+/g) ?? []) {
    const colon = declaration.indexOf(':')
    const value = declaration.slice(colon + 1).toLowerCase()
    if (colon > 0)
      looks.set(
        declaration.slice(0, colon).trim().toLowerCase(),
        value.replace(/\s*!important\s*$/, '').trim(),
      )
  }
  return looks
}

/** The rules for single classes out of the style sheets that came along. */
export function readSheet(html: string): Sheet {
  const sheet = new Map<string, Looks>()
  for (const [, css = ''] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi)) {
    for (const [, selectors = '', style = ''] of css
      .replace(/<!--|-->|\/\*[\s\S]*?\*\//g, '')
      .matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      for (const selector of selectors.split(',').map((one) => one.trim())) {
        if (/^(?:span|td|th)?\.[\w-]+$/i.test(selector)) sheet.set(selector, readLooks(style))
      }
    }
  }
  return sheet
}

/** What an element says about its own look, by its classes and its style. */
export function looksOf(element: Element, sheet: Sheet): Looks {
  const looks = new Map<string, string>()
  for (const name of element.localName.match(/^(?:span|td|th)$/) ? element.classList : []) {
    for (const selector of [`.${name}`, `${element.localName}.${name}`])
      for (const [key, value] of sheet.get(selector) ?? []) looks.set(key, value)
    if (RAISED_CLASSES.test(name)) looks.set('vertical-align', 'super')
  }
  if (/^sd(?:foot|end)notesym$/.test(element.className)) looks.set('vertical-align', 'super')
  for (const [key, value] of readLooks(element.getAttribute('style') ?? '')) looks.set(key, value)
  return looks
}

/** The elements that say the same as a look, the outermost last. */
export function marksOf(looks: Looks): string[] {
  const weight = looks.get('font-weight') ?? ''
  const lines = `${looks.get('text-decoration') ?? ''} ${looks.get('text-decoration-line') ?? ''}`
  const height = looks.get('vertical-align')
  return [
    ...(height === 'super' ? ['sup'] : []),
    ...(height === 'sub' ? ['sub'] : []),
    ...(lines.includes('line-through') ? ['s'] : []),
    ...(lines.includes('underline') ? ['u'] : []),
    ...(/^(?:italic|oblique)/.test(looks.get('font-style') ?? '') ? ['em'] : []),
    ...(weight.startsWith('bold') || Number(weight) >= 600 ? ['strong'] : []),
  ]
}

/** Google's documents wrap all in a bold that is none. */
export function saysNothing(name: string, looks: Looks): boolean {
  if (name === 'strong') return /^(?:normal|lighter|[1-5]00)$/.test(looks.get('font-weight') ?? '')
  if (name === 'em') return looks.get('font-style') === 'normal'
  return name === 'u' && (looks.get('text-decoration') ?? '').startsWith('none')
}

export function isHidden(element: Element): boolean {
  const looks = readLooks(element.getAttribute('style') ?? '')
  return (
    element.hasAttribute('hidden') ||
    looks.get('display') === 'none' ||
    looks.get('mso-hide') === 'all'
  )
}

const MARKS = 'strong,em,u,s,sub,sup,code,mark,kbd'

/**
 * Marks inside the same mark, and what headings and links look like anyway, go; neighbours that are
 * alike become one.
 */
export function tidyMarks(body: Element): void {
  for (const mark of body.querySelectorAll(MARKS))
    if (isNeedless(mark)) mark.replaceWith(...mark.childNodes)
  for (const mark of body.querySelectorAll(`${MARKS},a`)) {
    for (
      let next = mark.nextSibling;
      mark.isConnected && isTwin(mark, next);
      next = mark.nextSibling
    ) {
      mark.append(...next.childNodes)
      next.remove()
    }
  }
  body.normalize()
}

function isNeedless(mark: Element): boolean {
  const { localName, parentElement } = mark
  if (parentElement?.closest(localName)) return true
  if (localName === 'u')
    return (
      Boolean(mark.closest('a')) ||
      [...mark.querySelectorAll('a')].some((link) => saysAll(link, mark))
    )
  const heading = localName === 'strong' ? mark.closest('h1,h2,h3,h4,h5,h6,th') : null
  return heading !== null && saysAll(mark, heading)
}

function saysAll(part: Element, whole: Element): boolean {
  return part.textContent?.trim() === whole.textContent?.trim()
}

function isTwin(mark: Element, next: ChildNode | null): next is Element {
  return next instanceof Element && mark.cloneNode(false).isEqualNode(next.cloneNode(false))
}
