// A link within the app.
import type { ComponentProps } from 'react'
import { Link as RouterLink, type LinkProps as RouterLinkProps } from 'react-router'

type RouterProp = 'to' | 'replace' | 'state' | 'preventScrollReset' | 'reloadDocument'
export type LinkProps = Pick<RouterLinkProps, RouterProp> & Omit<ComponentProps<'a'>, 'href'>

/** On the server, plain elements: a page has dozens of links, and none is pressed there. */
export const Link = typeof document === 'undefined' ? ServedLink : RouterLink

/** The element that React Router's link renders for an absolute path. */
function ServedLink(props: LinkProps) {
  const { to, replace, state, preventScrollReset, reloadDocument, ...element } = props
  if (typeof to !== 'string' || !/^\/(?!\/)/.test(to)) return <RouterLink {...props} />
  return <a {...element} href={to} data-discover="true" />
}
