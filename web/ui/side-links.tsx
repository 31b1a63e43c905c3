// Links to the pages of a group, beside the page. On narrow screens they form a row above it, which
// scrolls sideways and brings the current link into sight.
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'

export type SideLink = {
  to: string
  name: string
  Icon: LucideIcon
  startsGroup?: boolean
  /** A number beside the name. */
  number?: ReactNode
}

/** @param props the first link leads to the address below which the others are */
export function SideLinks({ label, links }: { label: string; links: readonly SideLink[] }) {
  const { pathname } = useLocation()
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && link)
      row.current.scrollLeft = link.offsetLeft - (row.current.clientWidth - link.offsetWidth) / 2
  }, [pathname, links])
  return (
    <nav className="sidenav" aria-label={label} ref={row}>
      <ul>
        {links.map(({ to, name, Icon, startsGroup, number }, index) => (
          <li key={to} className={startsGroup ? 'sidenav__apart' : undefined}>
            <NavLink to={to} end={index === 0}>
              <Icon className="icon" aria-hidden="true" />
              {name}
              {number}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
