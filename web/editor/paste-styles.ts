// The inline formatting of pasted text: bold, italic, underlined, struck through, superscript and
// subscript. Google's documents and spreadsheets write it as styles, Apple's programs as classes.

/** The declarations of a style, names and values in lower case. */
export type Declarations = ReadonlyMap<string, string>
/** The declarations of classes, by selector: `.xl65`, `span.s1`. */
export type Sheet = ReadonlyMap<string, Declarations>

const NOTE_NUMBER_CLASSES = /^(?:Mso(?:Foot|End)noteReference|sdfootnotesym|sdendnotesym)$/

/**
 * Names are compared as a whole: Word writes `mso-bidi-font-weight: normal` on bold text.
 */
function parseStyle(style: string): Declarations {
  const declarations = new Map<string, string>()
  for (const declaration of style.match(/(?:[^;"']|"[^"]*"|'[^']*')+/g) ?? []) {
    const colon = declaration.indexOf(':')
    const value = declaration.slice(colon + 1).toLowerCase()
    if (colon > 0)
      declarations.set(
        declaration.slice(0, colon).trim().toLowerCase(),
        value.replace(/\s*!important\s*$/, '').trim(),
      )
  }
  return declarations
}

export function styleOf(element: Element | null): Declarations {
  return parseStyle(element?.getAttribute('style') ?? '')
}

/** The rules for single classes in a style sheet. */
export function parseSheet(css: string): Sheet {
  const sheet = new Map<string, Declarations>()
  for (const [, selectors = '', style = ''] of css
    .replace(/<!--|-->|\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .matchAll(/(?<![^{}])([^{}]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(',').map((part) => part.trim())) {
      if (/^(?:span|td|th)?\.[\w-]+$/i.test(selector)) sheet.set(selector, parseStyle(style))
    }
  }
  return sheet
}

/** The declarations that apply to an element by its classes and its own style. */
export function declarationsOf(element: Element, sheet: Sheet): Declarations {
  const declarations = new Map<string, string>()
  for (const name of element.localName.match(/^(?:span|td|th)$/) ? element.classList : []) {
    for (const selector of [`.${name}`, `${element.localName}.${name}`])
      for (const [key, value] of sheet.get(selector) ?? []) declarations.set(key, value)
    if (NOTE_NUMBER_CLASSES.test(name)) declarations.set('vertical-align', 'super')
  }
  if (/^sd(?:foot|end)notesym$/.test(element.className)) declarations.set('vertical-align', 'super')
  for (const [key, value] of styleOf(element)) declarations.set(key, value)
  return declarations
}

/** The inline elements that mean the same as the declarations, the outermost first. */
export function marksOf(declarations: Declarations): string[] {
  const weight = declarations.get('font-weight') ?? ''
  const lines = `${declarations.get('text-decoration') ?? ''} ${declarations.get('text-decoration-line') ?? ''}`
  const height = declarations.get('vertical-align')
  const marks: [name: string, applies: boolean][] = [
    ['strong', weight.startsWith('bold') || Number(weight) >= 600],
    ['em', /^(?:italic|oblique)/.test(declarations.get('font-style') ?? '')],
    ['u', lines.includes('underline')],
    ['s', lines.includes('line-through')],
    ['sub', height === 'sub'],
    ['sup', height === 'super'],
  ]
  return marks.flatMap(([name, applies]) => (applies ? [name] : []))
}

/**
 * Whether the element's own style cancels the formatting: Google Docs wraps everything in `<b
 * style="font-weight:normal">`.
 */
export function isCancelled(name: string, declarations: Declarations): boolean {
  if (name === 'strong')
    return /^(?:normal|lighter|[1-5]00)$/.test(declarations.get('font-weight') ?? '')
  if (name === 'em') return declarations.get('font-style') === 'normal'
  return name === 'u' && (declarations.get('text-decoration') ?? '').startsWith('none')
}

export function isHidden(element: Element): boolean {
  const declarations = styleOf(element)
  return (
    element.hasAttribute('hidden') ||
    declarations.get('display') === 'none' ||
    declarations.get('mso-hide') === 'all'
  )
}
