// The JSX runtime of the web part: React's own, except that a text beside other content gets an
// element of its own. Page translation, such as Chrome's, replaces text nodes, and React fails when
// it removes a replaced text node or inserts an element before it. Elements are not replaced.
import { createElement, type JSX, type Key, type ReactNode } from 'react'
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'

export type { JSX }
export { Fragment }

export type Type = Parameters<typeof reactJsx>[0]
export type Props = { children?: ReactNode }

/** Elements that may only contain text. */
const TEXT_ONLY: ReadonlySet<unknown> = new Set(['option', 'textarea', 'title', 'style', 'script'])

/**
 * A text that is the only child stays as it is: React writes it with `textContent`, which always
 * works. The children of components are isolated, too: components of packages use React's runtime.
 */
export function isolateTexts(type: Type, props: Props): Props {
  const { children } = props
  if (TEXT_ONLY.has(type) || (type !== Fragment && !Array.isArray(children))) return props
  const isolated = isolate(children, 0)
  return isolated === children ? props : Object.assign({}, props, { children: isolated })
}

function isolate(child: ReactNode, index: number): ReactNode {
  if (Array.isArray(child)) {
    const isolated = child.map(isolate)
    return isolated.every((item, position) => item === child[position]) ? child : isolated
  }
  const isText = typeof child === 'string' ? child.trim() !== '' : typeof child === 'number'
  return isText ? createElement('span', { key: `text ${index}` }, child) : child
}

export function jsx(type: Type, props: Props, key?: Key): JSX.Element {
  return reactJsx(type, isolateTexts(type, props), key)
}

export function jsxs(type: Type, props: Props, key?: Key): JSX.Element {
  return reactJsxs(type, isolateTexts(type, props), key)
}
