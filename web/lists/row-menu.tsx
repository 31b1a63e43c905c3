// The menu at the end of a row, behind a button with three dots. Irreversible actions come last.
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'

type RowMenuProps = {
  label: string
  /** On small screens the menu is a sheet at the lower edge. */
  isSheet?: boolean
  children: ReactNode
}

export function RowMenu({ label, isSheet = false, children }: RowMenuProps) {
  return (
    <Menu
      label={label}
      className="row-menu"
      buttonClass={buttonClass('ghost', 'btn--icon')}
      button={<Ellipsis className="icon" aria-hidden="true" />}
      isSheet={isSheet}
    >
      {children}
    </Menu>
  )
}
