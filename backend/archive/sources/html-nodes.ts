// Parses the HTML of other programs into nodes that are never nested deeper than a post may be, and
// finds things in them. Takes linear time for any text.
import {
  type ChildNode,
  type Document,
  Element,
  hasChildren,
  isTag,
  isText,
  type ParentNode,
  Text,
} from 'domhandler'
import { DomHandler, DomUtils, Parser } from 'htmlparser2'
import { SourceProblem } from './source.ts'

export { type ChildNode, type Document, Element, isTag, isText, type ParentNode, Text }

/** Deeper elements are dissolved; a post may have 100 levels (sanitise.ts). */
const LEVELS_MAX = 80
/** The parser searches its open elements at each end tag. */
const OPEN_MAX = 1000

class BoundedHandler extends DomHandler {
  #levels = 0
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (++this.#levels > OPEN_MAX)
      throw new SourceProblem('Its elements are nested more than a thousand levels deep.')
    if (this.#levels <= LEVELS_MAX) super.onopentag(name, attributes)
  }
  override onclosetag(): void {
    if (this.#levels-- <= LEVELS_MAX) super.onclosetag()
  }
}

/** @throws SourceProblem when elements are nested far too deeply */
export function parseHtml(html: string): Document {
  const handler = new BoundedHandler()
  new Parser(handler).end(html)
  return handler.root
}

/** Without comments and the like. */
export function isContent(node: ChildNode): boolean {
  return isTag(node) || (isText(node) && node.data.trim() !== '')
}

/** All elements inside, in their order. */
export function elementsIn(parent: ParentNode): Element[] {
  return DomUtils.findAll(() => true, parent.children)
}

export function findFirst(
  parent: ParentNode,
  test: (element: Element) => boolean,
): Element | undefined {
  return DomUtils.findOne(test, parent.children) ?? undefined
}

export function findByClass(parent: ParentNode, pattern: RegExp): Element | undefined {
  return findFirst(parent, (element) => hasClass(element, pattern))
}

export function findByName(parent: ParentNode, name: string): Element | undefined {
  return findFirst(parent, (element) => element.name === name)
}

/** The nearest element around a node, the node included. */
export function closestTo(node: ParentNode | null, test: (element: Element) => boolean) {
  for (let at = node; at; at = at.parent) if (at instanceof Element && test(at)) return at
  return undefined
}

export function hasClass(element: Element, pattern: RegExp): boolean {
  return (element.attribs.class ?? '').split(/\s+/).some((name) => pattern.test(name))
}

/** The text inside, with line breaks as the page shows them in a sample of code. */
export function textIn(node: ChildNode | ParentNode): string {
  if (node instanceof Text) return node.data
  if (node instanceof Element && node.name === 'br') return '\n'
  return hasChildren(node) ? node.children.map(textIn).join('') : ''
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function elementHtml(
  name: string,
  inside: string,
  attributes: Record<string, string | undefined> = {},
): string {
  return `<${name}${attributesOf(attributes)}>${inside}</${name}>`
}

/** Attributes with a value, as they stand in a tag. */
export function attributesOf(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`))
    .join('')
}

/** On one line. */
function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;').replaceAll('\n', ' ')
}
