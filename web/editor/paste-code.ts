// Code in pasted HTML: plain lines without syntax colours. Knows nothing of other blocks.

import { parseStyle } from './paste-styles.ts'

const CODE_FONTS = /monospace|mono\b|menlo|monaco|consolas|courier/
const LANGUAGE = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]{1,40})(?:\s|$)/

/**
 * Makes plain code blocks of `pre` and of what code editors put on the clipboard: boxes with
 * `white-space: pre` and a monospaced font.
 */
export function convertCode(body: Element): void {
  for (const box of body.querySelectorAll('xmp,listing')) rename(box, 'pre')
  for (const box of body.querySelectorAll('div[style],span[style],p[style]'))
    if (box.isConnected && isCode(box)) replaceCode(box)
  for (const pre of body.querySelectorAll('pre')) if (pre.isConnected) replacePre(pre)
}

function isCode(box: Element): boolean {
  const declarations = parseStyle(box.getAttribute('style') ?? '')
  return (
    declarations.get('white-space') === 'pre' &&
    CODE_FONTS.test(declarations.get('font-family') ?? '') &&
    !box.closest('pre')
  )
}

function replaceCode(box: Element): void {
  const code = document.createElement('code')
  const text = readLines(box)
  code.textContent = text
  box.replaceWith(code)
  if (!text.includes('\n')) return
  const pre = document.createElement('pre')
  code.replaceWith(pre)
  pre.append(code)
}

function replacePre(pre: Element): void {
  const block = document.createElement('pre')
  const language = [pre, pre.querySelector('code'), pre.parentElement]
    .map((one) => LANGUAGE.exec(one?.className ?? '')?.[1])
    .find(Boolean)
  const text = readLines(pre)
  if (language) block.className = `language-${language}`
  if (language || pre.querySelector('code')) block.append(document.createElement('code'))
  ;(block.firstElementChild ?? block).textContent = text
  if (text.trim()) pre.replaceWith(block)
  else pre.remove()
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

function rename(element: Element, name: string): void {
  const renamed = document.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}
