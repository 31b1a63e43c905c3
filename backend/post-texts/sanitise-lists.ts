// Fixes lists that are direct children of lists, which many editors write: screen readers count
// their items wrongly. Works on cleaned HTML, where every tag is complete and text has no angle
// brackets.

const LIST_IN_LIST = /(?:<\/li>|<[uo]l(?: [^<>]*)?>)\s*<[uo]l[ >]/
const PART = /<(\/?)([a-z][a-z0-9]*)\b[^<>]*>|[^<]+/g
const VOID = /^(?:br|hr|img|col|source|track)$/

type OpenElement = {
  name: string
  /** Index of the end tag of the last item, as long as only white space has followed it. */
  itemEnd: number | undefined
  /**
   * `moved`: into the last item of the outer list, whose end tag was removed. `dissolved`: its tags
   * were removed, and its items belong to the outer list.
   */
  change: 'none' | 'moved' | 'dissolved'
}
/** The HTML written so far, and the elements that are still open, the innermost last. */
type Output = { parts: string[]; open: OpenElement[] }

/**
 * Moves each list that is a direct child of a list into the item before it; without such an item,
 * its items become items of the outer list.
 */
export function fixNestedLists(html: string): string {
  if (!LIST_IN_LIST.test(html)) return html
  const output: Output = { parts: [], open: [] }
  for (const [part, slash, name] of html.matchAll(PART)) {
    if (!name || VOID.test(name)) addContent(output, part)
    else if (slash) endElement(output, name)
    else beginElement(output, name, part)
  }
  return output.parts.join('')
}

function beginElement({ parts, open }: Output, name: string, tag: string): void {
  const outer = open.at(-1)
  const isInList = isList(name) && outer !== undefined && isList(outer.name)
  if (isInList && outer.itemEnd === undefined) {
    open.push({ name, itemEnd: undefined, change: 'dissolved' })
    return
  }
  if (isInList && outer.itemEnd !== undefined) parts[outer.itemEnd] = ''
  open.push({ name, itemEnd: undefined, change: isInList ? 'moved' : 'none' })
  parts.push(tag)
}

function endElement({ parts, open }: Output, name: string): void {
  const inner = open.pop()
  const outer = open.at(-1)
  if (inner?.change === 'dissolved') {
    if (outer) outer.itemEnd = inner.itemEnd
    return
  }
  parts.push(`</${name}>`)
  if (inner?.change === 'moved') parts.push('</li>')
  if (outer)
    outer.itemEnd = name === 'li' || inner?.change === 'moved' ? parts.length - 1 : undefined
}

function addContent({ parts, open }: Output, part: string): void {
  parts.push(part)
  const parent = open.at(-1)
  if (parent && part.trim() !== '') parent.itemEnd = undefined
}

function isList(name: string): boolean {
  return name === 'ul' || name === 'ol'
}
