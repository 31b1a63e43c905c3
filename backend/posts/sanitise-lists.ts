// Lists straight inside lists, as many programs write them: assistive technology loses count of
// such items. Works on cleaned HTML, whose tags are whole and whose text has no brackets.

const LIST_IN_LIST = /(?:<\/li>|<[uo]l(?: [^>]*)?>)\s*<[uo]l[ >]/
const PART = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g
const VOID = /^(?:br|hr|img|col|source|track)$/

type Open = {
  name: string
  /** Where the end tag of its last item stands, as long as only spaces have followed. */
  itemEnd: number | undefined
  /**
   * It stands in an item of the list around it, whose end tag was taken away; or it is gone, and
   * its items are the outer list's.
   */
  fate: 'kept' | 'moved' | 'gone'
}

/**
 * Moves each list that stands straight in a list into the item before it; with none before, its
 * items become those of the outer list.
 */
export function mendLists(html: string): string {
  if (!LIST_IN_LIST.test(html)) return html
  const parts: string[] = []
  const open: Open[] = []

  function begin(name: string, tag: string): void {
    const outer = open.at(-1)
    const isInList = isList(name) && outer !== undefined && isList(outer.name)
    if (isInList && outer.itemEnd === undefined) {
      open.push({ name, itemEnd: undefined, fate: 'gone' })
      return
    }
    if (isInList && outer.itemEnd !== undefined) parts[outer.itemEnd] = ''
    open.push({ name, itemEnd: undefined, fate: isInList ? 'moved' : 'kept' })
    parts.push(tag)
  }

  function end(name: string): void {
    const inner = open.pop()
    const outer = open.at(-1)
    if (inner?.fate === 'gone') {
      if (outer) outer.itemEnd = inner.itemEnd
      return
    }
    parts.push(`</${name}>`)
    if (inner?.fate === 'moved') parts.push('</li>')
    if (outer)
      outer.itemEnd = name === 'li' || inner?.fate === 'moved' ? parts.length - 1 : undefined
  }

  for (const [part, slash, name] of html.matchAll(PART)) {
    if (name && !VOID.test(name)) {
      if (slash) end(name)
      else begin(name, part)
      continue
    }
    parts.push(part)
    const around = open.at(-1)
    if (around && part.trim() !== '') around.itemEnd = undefined
  }
  return parts.join('')
}

function isList(name: string): boolean {
  return name === 'ul' || name === 'ol'
}
