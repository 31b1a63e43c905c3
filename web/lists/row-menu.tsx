// The menu at the end of a row, behind three dots. What cannot be undone comes last.
import { Ellipsis, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'

export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      label={label}
      className="row-menu"
      buttonClass={buttonClass('ghost', 'btn--icon')}
      button={<Ellipsis className="icon" aria-hidden="true" />}
    >
      {children}
    </Menu>
  )
}

type RowMenuItemProps = {
  Icon: LucideIcon
  isDanger?: boolean
  onPress: () => void
  children: ReactNode
}

export function RowMenuItem({ Icon, isDanger = false, onPress, children }: RowMenuItemProps) {
  return (
    <button
      className={isDanger ? 'is-danger' : undefined}
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={onPress}
    >
      <Icon className="icon" aria-hidden="true" />
      {children}
    </button>
  )
}
