// A link within the app.
import type { ComponentProps } from 'react'
import { Link as RouterLink, type LinkProps as RouterLinkProps } from 'react-router'

type OfRouter = 'to' | 'replace' | 'state' | 'preventScrollReset' | 'reloadDocument'
export type LinkProps = Pick<RouterLinkProps, OfRouter> & Omit<ComponentProps<'a'>, 'href'>

/** A page has dozens of links: the server need not prepare them for presses that it never sees. */
export const Link = typeof document === 'undefined' ? ServedLink : RouterLink

/** The element that React Router's link renders for an absolute path. */
function ServedLink(props: LinkProps) {
  const { to, replace, state, preventScrollReset, reloadDocument, ...element } = props
  if (typeof to !== 'string' || !/^\/(?!\/)/.test(to)) return <RouterLink {...props} />
  return <a {...element} href={to} data-discover="true" />
}
