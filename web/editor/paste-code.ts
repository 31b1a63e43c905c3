// Code in pasted HTML: plain lines without syntax colours.

import { styleOf } from './paste-styles.ts'
import { makeElement } from './paste-writer.ts'

const CODE_FONTS = /monospace|mono\b|menlo|monaco|consolas|courier/
const LANGUAGE = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]{1,40})(?:\s|$)/

/** Whether this is code as code editors copy it: preformatted lines in a monospaced font. */
export function isCode(box: Element): boolean {
  const declarations = styleOf(box)
  return (
    box.matches('div,span,p') &&
    declarations.get('white-space') === 'pre' &&
    CODE_FONTS.test(declarations.get('font-family') ?? '')
  )
}

/** A block of code with the language named by the source. */
export function makeCode(source: Element, text: string): Element {
  const language = [source, source.querySelector('code'), source.parentElement]
    .map((element) => LANGUAGE.exec(element?.className ?? '')?.[1])
    .find(Boolean)
  const block = makeElement('pre', language ? { class: `language-${language}` } : {})
  const isMarked = language || !source.matches('pre,xmp,listing') || source.querySelector('code')
  if (isMarked) block.append(makeElement('code'))
  ;(block.firstElementChild ?? block).textContent = text
  return block
}

/** The text with its line breaks; each box inside it is a line of its own. */
export function readLines(box: Element): string {
  let text = ''
  let isLineEnded = false
  function add(more: string): void {
    if (isLineEnded) text += '\n'
    isLineEnded = false
    text += more
  }
  function visit(node: Node): void {
    const isBox = node instanceof Element && /^(?:div|p|li|tr)$/.test(node.localName)
    if (node instanceof Text) add(node.data)
    if (node instanceof Element && node.localName === 'br') add('\n')
    if (isBox && text !== '' && !text.endsWith('\n')) isLineEnded = true
    for (const child of node.childNodes) visit(child)
    if (isBox) isLineEnded = true
  }
  for (const child of box.childNodes) visit(child)
  return text.replaceAll('\u00a0', ' ').replace(/^(?:[ \t]*\n)+|\s+$/g, '')
}
