// The bottom bar: home, all posts, dashboard. When it is hidden it is inert: out of the tab order
// and of screen readers.
import { House, LayoutDashboard, Newspaper } from 'lucide-react'
import { NavLink } from 'react-router'
import { texts } from '../locales/texts.ts'
import { useBottomBar } from './device-preferences.ts'

export const BOTTOM_BAR_ID = 'dock'

const PLACES = [
  { to: '/', name: texts.bottomBar.home, Icon: House },
  { to: '/post', name: texts.bottomBar.allPosts, Icon: Newspaper },
  // Its pages, too.
  { to: '/dashboard', name: texts.bottomBar.dashboard, Icon: LayoutDashboard, isBranch: true },
]

export function BottomBar() {
  const isShown = useBottomBar() === 'shown'
  return (
    <nav
      className="bottom-bar"
      id={BOTTOM_BAR_ID}
      aria-label={texts.bottomBar.label}
      inert={!isShown}
    >
      <ul>
        {PLACES.map(({ to, name, Icon, isBranch }) => (
          <li key={to}>
            <NavLink to={to} end={!isBranch}>
              <span>
                <Icon className="icon" aria-hidden="true" />
              </span>
              <span>{name}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
